import type { Lab } from '../lab.svelte.ts';
import { isShipped, SHIPPED_NAMES } from '../shipped-files.ts';
import type { MeasureState } from '../../probe/measure.svelte.ts';

/** Who answers prompts on the Train page, beside the model that is measured. */
export interface Answering {
  /** The model that is measured answers there, or will once it is asked. */
  same: boolean;
  /** Who does instead, in words. */
  instead: string;
}

export function answering(lab: Lab, measure: MeasureState): Answering {
  const { run, chosen } = measure;
  const { record } = lab.run;
  const { shipped } = lab.answers;
  // Where nothing is being trained, the shipped model can be opened there by itself.
  if (isShipped(chosen) && (shipped.answers ? shipped.id === chosen : !lab.run.active))
    return { same: true, instead: '' };
  if (run !== null && record?.id === run && lab.answers.hasModel && !shipped.answers)
    return { same: true, instead: '' };
  const there = shipped.answers ? `${SHIPPED_NAMES[shipped.id]} answers` : record ? `${record.name} answers` : null;
  return { same: false, instead: there === null ? 'no model answers yet' : `${there}, not the model measured here` };
}

/** Puts a question to the model of the Train page, and says where that is another than the one measured. */
export function openAsPrompt(measure: MeasureState, prompt: string): void {
  const { lab } = measure;
  const { same, instead } = answering(lab, measure);
  const { chosen } = measure;
  if (same && isShipped(chosen) && !lab.answers.shipped.answers) void lab.answers.openShipped(chosen);
  lab.answers.prompt.write(prompt);
  if (!same)
    lab.notices.report({
      code: 'other-model',
      message: `You asked about ${measure.subject?.name ?? 'another model'}. On this page ${instead.replace(', not the model measured here', '')}.`,
    });
  location.hash = '#/train';
}
