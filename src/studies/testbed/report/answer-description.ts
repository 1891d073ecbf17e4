import { explainIllegal } from '../../../domains/chess/rules/explain.ts';
import { KIND_LETTERS, KIND_NAMES, lettersOf } from '../../../domains/chess/rules/pieces.ts';
import type { Position } from '../../../domains/chess/rules/position.ts';
import { parsePrefix } from '../../../domains/chess/replay.ts';
import { parseSquare, SQUARES } from '../../../domains/chess/rules/squares.ts';
import type { Answer, AssessedModel, Assessment } from '../assessment.ts';
import type { Instance } from '../instances.ts';
import type { Board } from '../../../report/board.ts';
import type { AnswerView } from '../../../report/report.ts';
import type { Member } from '../../../report/table.ts';

/** An answer as it is told to people. */
export interface AnswerDescription {
  model: AssessedModel;
  answer: Answer;
  /** Moves and question, to be pasted as a prompt. */
  prompt: string;
  /** "Where does the knight on f3 go?" */
  question: string;
  /** Everything that is legal, by the authors' list. */
  legal: readonly string[];
  /** "g6: the knight on f3 does not move like that". */
  verdict: string;
  /** After the moves; null where the stored moves are not legal. */
  position: Position | null;
  /** Square of the piece that is asked about; null for Start questions. */
  from: number | null;
  /** Square that was answered; null where the answer is none. */
  to: number | null;
}

/** The answer that a number counts. Members come from tables of the same list, so they are all there. */
export function describeAnswer(assessments: readonly Assessment[], member: Member): AnswerDescription {
  const assessment = assessments[member.assessment];
  const set = assessment.sets[member.set];
  const answer = set.answers[member.answer];
  const instance = set.instances[answer.instance];
  const { asked, legal } = askedOf(answer, instance);
  const parsed = parsePrefix(instance.prefix);
  const position = parsed.ok ? parsed.value : null;
  const piece = KIND_NAMES[KIND_LETTERS.indexOf(answer.piece)];
  const from = squareOf(asked);
  const to = squareOf(answer.top);
  return {
    model: assessment.subject,
    answer,
    prompt: `${instance.prefix} ${asked}`,
    question: from === null ? `From where does a ${piece} move?` : `Where does the ${piece} on ${asked} go?`,
    legal,
    verdict: `${answer.top}: ${verdictOf(answer, piece, position, from, to)}`,
    position,
    from,
    to,
  };
}

/** The same for lists and galleries. */
export function answerView(assessments: readonly Assessment[], member: Member): AnswerView {
  const described = describeAnswer(assessments, member);
  const { question, verdict, prompt, legal } = described;
  return {
    model: described.model.name,
    question,
    verdict,
    right: described.answer.legal,
    more: `Legal: ${legal.join(' ')}.`,
    prompt,
    board: answerBoard(described),
  };
}

/** The board before the question, from the mover's side; null where the stored moves are not legal. */
function answerBoard({ position, answer, from, to, legal, question, verdict }: AnswerDescription): Board | null {
  if (position === null) return null;
  return {
    pieces: lettersOf(SQUARES.map((_, square) => position.pieceAt(square))),
    flipped: position.turn === 1,
    coordinates: true,
    framed: from,
    legal: legal.map((name) => SQUARES.indexOf(name)),
    answered: to === null ? null : { square: to, right: answer.legal },
    description: `${question} ${verdict}`,
  };
}

/** What ends the prompt in plain UCI, and the answers that are legal. */
function askedOf({ task }: Answer, instance: Instance): { asked: string; legal: readonly string[] } {
  switch (task) {
    case 'end-actual':
      return { asked: instance.starting_square, legal: instance.legal_ending_square };
    case 'end-other':
      return { asked: instance.other_starting_square, legal: instance.other_ending_square };
    case 'start-actual':
      return { asked: instance.piece_type, legal: instance.legal_starting_square };
    case 'start-other':
      return { asked: instance.start_other_piece_type, legal: instance.start_other_starting_square };
  }
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
