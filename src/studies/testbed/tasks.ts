import { proportion, shareEstimate, type Estimate } from '../../base/statistics.ts';
import { unwrap } from '../../base/result.ts';
import type { PieceLetter } from '../../domains/chess/rules/pieces.ts';
import { positionAfter, replay } from '../../domains/chess/replay.ts';
import { parseSquare } from '../../domains/chess/rules/squares.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Answer, TaskReport } from './assessment.ts';
import { classifyEnd, type ErrorClass } from './error-taxonomy.ts';
import type { Instance } from './instances.ts';
import { rankAnswer } from '../asking/metrics.ts';
import { askPrompts, endPrompt, fitsPrompt, knowsPieceNames, namesEveryPiece } from '../asking/prompting.ts';

/**
 * The four prompting tasks of the chess testbed (Toshniwal et al. 2022, section 4.2): from which square
 * (Start) or to which square (End) may this piece move, asked of the piece that was really moved
 * (Actual) and of another one (Other).
 */
export const taskNames = ['end-actual', 'end-other', 'start-actual', 'start-other'] as const;
export type TaskName = (typeof taskNames)[number];

/** One question of one instance: what is asked, what would be right. */
export interface Question {
  task: TaskName;
  /** The piece that is asked about. */
  piece: PieceLetter;
  /** Where it stands (End), or null: that is the question (Start). */
  from: string | null;
  /** The answer of the game itself; null for Other tasks, which have none. */
  exact: string | null;
  legal: readonly string[];
}

/** The four tasks' questions about one instance. */
export function questionsOf(one: Instance): Question[] {
  const moved = one.piece_type;
  const [from, to, start] = [one.starting_square, one.ending_square, one.other_starting_square];
  return [
    { task: 'end-actual', piece: moved, from, exact: to, legal: one.legal_ending_square },
    { task: 'end-other', piece: one.other_piece_type, from: start, exact: null, legal: one.other_ending_square },
    { task: 'start-actual', piece: moved, from: null, exact: from, legal: one.legal_starting_square },
    {
      ...{ task: 'start-other', piece: one.start_other_piece_type, from: null, exact: null },
      legal: one.start_other_starting_square,
    },
  ];
}

/** The question of one task about an instance. */
export function questionOf(instance: Instance, task: TaskName): Question {
  return questionsOf(instance)[taskNames.indexOf(task)];
}

/** The tasks that a model of this notation can be asked: Start questions need piece names (paper, section 4.2). */
export function tasksFor(notation: Notation): TaskName[] {
  return knowsPieceNames(notation) ? [...taskNames] : ['end-actual', 'end-other'];
}

/** Whether a model of this context can read an instance's prefix and any question about it. */
export function fitsContext(instance: Instance, notation: Notation, context: number): boolean {
  return fitsPrompt(unwrap(replay(instance.prefix)), notation, context);
}

/**
 * Asks a model the given tasks of each instance. The prefix is written in the notation's evaluation form, so that an
 * oracle (UCI+AP) reads the oracle prefix, and reads a piece's letter before the square of an End question. Answers
 * come in the order of the instances and, within one, of the tasks' names.
 */
export async function askTasks(
  engine: Engine,
  notation: Notation,
  instances: readonly Instance[],
  options: {
    tasks: readonly TaskName[];
    rowsPerBatch: number;
    pause?: () => Promise<void>;
    onInstances?: (done: number) => void;
  },
): Promise<Answer[]> {
  const traces = instances.map((instance) => unwrap(replay(instance.prefix)));
  const questions = instances.map((instance) =>
    questionsOf(instance).filter(({ task }) => options.tasks.includes(task)),
  );
  const answers: Answer[][] = instances.map(() => []);
  await askPrompts(
    engine,
    notation,
    questions.map((asked, i) => ({
      trace: traces[i],
      prompts: asked.map(({ piece, from }) =>
        from === null ? [notation.vocabulary.id(piece)!] : endPrompt(notation, piece, from),
      ),
    })),
    { ...options, onShare: (share) => options.onInstances?.(Math.round(share * instances.length)) },
    (i, q, logits) => (answers[i][q] = judge(questions[i][q], i, traces[i], logits, notation)),
  );
  return answers.flat();
}

function judge(
  question: Question,
  instance: number,
  trace: Uint16Array,
  logits: Float32Array,
  notation: Notation,
): Answer {
  const { task, piece, from, exact } = question;
  const { vocabulary } = notation;
  const ranked = rankAnswer(logits, new Set(question.legal.map((square) => vocabulary.id(square)!)));
  const top = vocabulary.tokens[ranked.top];
  const position = positionAfter(trace);
  return {
    task,
    instance,
    prompt: from === null ? piece : namesEveryPiece(notation) ? piece + from : from,
    plies: trace.length,
    piece,
    top,
    legalCount: question.legal.length,
    legal: ranked.legal,
    exact: exact === null ? null : top === exact,
    rPrecision: ranked.rPrecision,
    error: ranked.legal || from === null ? null : classifyEnd(position, unwrap(parseSquare(from)), top).error,
    inCheck: position.inCheck(),
    pathLength: from === null ? null : kingMoves(from, top),
  };
}

/** King moves from one square to another on an empty board; null where the second is none. */
function kingMoves(from: string, to: string): number | null {
  const [start, end] = [parseSquare(from), parseSquare(to)];
  if (!start.ok || !end.ok) return null;
  const files = Math.abs((start.value & 7) - (end.value & 7));
  return Math.max(files, Math.abs((start.value >> 3) - (end.value >> 3)));
}

/** Means over the instances of one task (macro mean, as the authors take it), with 95% intervals. */
export function taskReport(given: readonly Answer[], task: TaskName): TaskReport {
  const answers = given.filter((answer) => answer.task === task);
  const lgm = proportion(answers.filter((answer) => answer.legal).length, answers.length);
  const exact = answers.filter((answer) => answer.exact !== null);
  const exm: Estimate = proportion(exact.filter((answer) => answer.exact).length, exact.length);
  const rprec = shareEstimate(answers.map((answer) => answer.rPrecision));
  return {
    exm: exm.mean,
    lgm: lgm.mean,
    rprec: rprec.mean,
    n: answers.length,
    ci95: { exm: exm.ci95, lgm: lgm.ci95, rprec: rprec.ci95 },
  };
}

/** Counts of the authors' four error classes among the wrong answers of an End task. */
export function errorCounts(answers: readonly Answer[], task: TaskName): Record<ErrorClass, number> {
  const counts = { unreachable: 0, syntax: 0, 'path obstruction': 0, 'pseudo legal': 0 };
  for (const answer of answers) if (answer.task === task && answer.error !== null) counts[answer.error]++;
  return counts;
}

/** Exact-move accuracy that a uniformly random legal answer expects: the mean of 1 / |legal| (paper, Tables 5 and 6). */
export function randomLegalExact(instances: readonly Instance[], task: 'end-actual' | 'start-actual'): number | null {
  if (instances.length === 0) return null;
  return instances.reduce((sum, one) => sum + 1 / questionOf(one, task).legal.length, 0) / instances.length;
}
