import { explainIllegal } from '../../../domains/chess/rules/explain.ts';
import { KIND_LETTERS, KIND_NAMES, lettersOf } from '../../../domains/chess/rules/pieces.ts';
import type { Position } from '../../../domains/chess/rules/position.ts';
import { parsePrefix } from '../../../domains/chess/replay.ts';
import { parseSquare, SQUARES } from '../../../domains/chess/rules/squares.ts';
import type { Answer, Assessment } from '../assessment.ts';
import { questionOf } from '../tasks.ts';
import type { AnswerView } from '../../../report/report.ts';
import type { Member } from '../../../report/table.ts';

/** The answer that a number counts, for lists and galleries. Members come from tables of the same list, so they are all there. */
export function answerView(assessments: readonly Assessment[], member: Member): AnswerView {
  const { subject, sets } = assessments[member.assessment];
  const { answers, instances } = sets[member.set];
  const answer = answers[member.answer];
  const instance = instances[answer.instance];
  const { from: square, piece: letter, legal } = questionOf(instance, answer.task);
  // In plain UCI, whatever the model was asked in.
  const asked = square ?? letter;
  const parsed = parsePrefix(instance.prefix);
  const position = parsed.ok ? parsed.value : null;
  const piece = KIND_NAMES[KIND_LETTERS.indexOf(answer.piece)];
  const [from, to] = [asked, answer.top].map(squareOf);
  const question = from === null ? `From where does a ${piece} move?` : `Where does the ${piece} on ${asked} go?`;
  const verdict = `${answer.top}: ${verdictOf(answer, piece, position, from, to)}`;
  return {
    model: subject.name,
    question,
    verdict,
    right: answer.legal,
    more: `Legal: ${legal.join(' ')}.`,
    prompt: `${instance.prefix} ${asked}`,
    // From the mover's side; there is none where the stored moves are not legal.
    board: position && {
      pieces: lettersOf(SQUARES.map((_, at) => position.pieceAt(at))),
      flipped: position.turn === 1,
      coordinates: true,
      framed: from,
      legal: legal.map((name) => SQUARES.indexOf(name)),
      answered: to === null ? null : { square: to, right: answer.legal },
      description: `${question} ${verdict}`,
    },
  };
}

function verdictOf(
  { legal, exact, error, top }: Answer,
  piece: string,
  position: Position | null,
  from: number | null,
  to: number | null,
): string {
  if (legal) return exact ? 'legal, and the move of the game' : 'legal';
  if (to === null) return 'no square';
  if (position === null) return error ?? 'illegal';
  if (from === null) return `no ${piece} can move from ${top}`;
  // Castling is legal to the game but in no list of the authors', so that its explanation would be empty.
  const { reason, why } = explainIllegal(position, from, to);
  return reason === 'legal' ? 'castling, which the testbed counts as wrong' : why;
}

function squareOf(text: string): number | null {
  const square = parseSquare(text);
  return square.ok ? square.value : null;
}
