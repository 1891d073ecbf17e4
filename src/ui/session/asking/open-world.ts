import { domainNamed } from '../../../domains/domains.ts';
import { hasSquareBoard } from '../../board/state/square-board.ts';
import type { MeasureState } from '../../probe/measure.svelte.ts';
import type { Lab } from '../lab.svelte.ts';
import { answersInstead, goToTrain, openAsPrompt } from './open-prompt.ts';

/** Shows the end of a line of events on the Train page, where the model that answers there is asked about it. */
export function openInWorld(measure: MeasureState, line: string): void {
  const { lab, domain } = measure;
  if (!writeLine(lab, domain, line)) return;
  // A game with a board of squares has two worlds there, and the settings decide which is on show.
  if (hasSquareBoard(domain)) openAsPrompt(measure, line);
  else goToTrain(measure, answersInstead(measure), 'the Train page');
}

/** The same for whichever model answers there. */
export function openLine(lab: Lab, domain: string, line: string): void {
  if (!writeLine(lab, domain, line)) return;
  if (hasSquareBoard(domain)) lab.answers.prompt.write(line);
  location.hash = '#/train';
}

function writeLine(lab: Lab, domain: string, line: string): boolean {
  const found = domainNamed(domain);
  if (!found.ok) return false;
  const leave = lab.answers.trace.show(found.value);
  lab.answers.trace.write(line);
  leave();
  return true;
}
