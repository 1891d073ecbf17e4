import { isShipped } from '../../../config/shipped-ids.ts';
import { SHIPPED_NAMES } from '../shipped-files.ts';
import type { MeasureState } from '../../probe/measure.svelte.ts';

/** Who answers on the Train page instead of the model that is measured; null where that one does, or will once it is asked. */
export function answersInstead({ lab, run, chosen }: MeasureState): string | null {
  const { record } = lab.run;
  const { shipped } = lab.answers;
  // Where nothing is being trained, the shipped model can be opened there by itself.
  if (isShipped(chosen) && (shipped.answers ? shipped.id === chosen : !lab.run.active)) return null;
  if (run !== null && record?.id === run && lab.answers.hasModel && !shipped.answers) return null;
  if (shipped.answers) return `${SHIPPED_NAMES[shipped.id]} answers`;
  return record ? `${record.name} answers` : 'no model answers yet';
}

/** Goes to the Train page, and says there who answers instead of the model measured, if another does. */
export function goToTrain({ lab, subject }: MeasureState, instead: string | null, page: string): void {
  if (instead !== null)
    lab.notices.report({
      code: 'other-model',
      message: `You asked about ${subject?.name ?? 'another model'}. On ${page} ${instead}.`,
    });
  location.hash = '#/train';
}

/** Puts a question to the model of the Train page. */
export function openAsPrompt(measure: MeasureState, prompt: string): void {
  const { chosen } = measure;
  const { answers } = measure.lab;
  const instead = answersInstead(measure);
  if (instead === null && isShipped(chosen) && !answers.shipped.answers) void answers.openShipped(chosen);
  answers.prompt.write(prompt);
  goToTrain(measure, instead, 'this page');
}
