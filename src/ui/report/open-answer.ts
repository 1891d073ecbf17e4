import type { AnswerView } from '../../report/report.ts';
import { hasSquareBoard } from '../board/state/square-board.ts';
import type { Lab } from '../session/lab.svelte.ts';

/** How a page shows a question on the Train page: the end of a line of events, or a prompt of chess. */
export interface Openers {
  line: (line: string) => void;
  prompt: (prompt: string) => void;
}

/** Shows the question of an answer; null where the Train page is about another game, or the question cannot be read. */
export function openerOf(lab: Lab, { state, prompt }: AnswerView, open: Openers): (() => void) | null {
  if (state) return state.domain === lab.domain ? () => open.line(state.line) : null;
  if (state === null || prompt === '' || !hasSquareBoard(lab.domain)) return null;
  return () => open.prompt(prompt);
}
