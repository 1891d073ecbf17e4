import { meanEstimate, proportion, type Estimate } from '../base/statistics.ts';
import { replay } from '../domains/chess/replay.ts';
import { Position } from '../domains/chess/position.ts';
import { parseSquare } from '../domains/chess/squares.ts';
import type { Notation } from '../domains/domain.ts';
import type { Engine } from '../engine/engine.ts';
import { unwrap } from '../base/result.ts';
import { classifyEnd, type ErrorClass } from './error-taxonomy.ts';
import type { Instance } from './instances.ts';
import { mute, rankAnswer } from './metrics.ts';

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
  /** The token that ends the prompt: a start square or a piece name. */
  prompt: string;
  /** The answer of the game itself; null for Other tasks, which have none. */
  exact: string | null;
  legal: readonly string[];
}

export function questionsOf(instance: Instance): Question[] {
  return [
    {
      task: 'end-actual',
      prompt: instance.starting_square,
      exact: instance.ending_square,
      legal: instance.legal_ending_square,
    },
    { task: 'end-other', prompt: instance.other_starting_square, exact: null, legal: instance.other_ending_square },
    {
      task: 'start-actual',
      prompt: instance.piece_type,
      exact: instance.starting_square,
      legal: instance.legal_starting_square,
    },
    {
      task: 'start-other',
      prompt: instance.start_other_piece_type,
      exact: null,
      legal: instance.start_other_starting_square,
    },
  ];
}

/** One answer, judged. */
export interface Judged {
  task: TaskName;
  instance: number;
  prefix: string;
  prompt: string;
  /** The model's likeliest token. */
  top: string;
  legal: boolean;
  exact: boolean | null;
  rPrecision: number;
  /** End tasks only: the authors' error class of a wrong answer. */
  error: ErrorClass | null;
}

/** Whether a model of this context can read an instance's prefix and one token more. */
export function fitsContext(instance: Instance, notation: Notation, context: number): boolean {
  const trace = unwrap(replay(instance.prefix));
  return notation.encode(trace, { random: null, closed: false }).length + 1 <= context;
}

/**
 * Asks a model the given tasks of each instance. Instances are answered a few at a time in the order of
 * their prefix lengths (less padding) and told in the order given.
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
): Promise<Judged[]> {
  const { vocabulary } = notation;
  const traces = instances.map((instance) => unwrap(replay(instance.prefix)));
  const order = instances.map((_, i) => i).sort((a, b) => traces[a].length - traces[b].length);
  const judged: Judged[][] = [];
  for (let at = 0; at < order.length; at += options.rowsPerBatch) {
    const rows = order.slice(at, at + options.rowsPerBatch);
    const questions = rows.map((i) => questionsOf(instances[i]).filter(({ task }) => options.tasks.includes(task)));
    const answers = await engine.leafLogits(
      rows.map((i) => notation.encode(traces[i], { random: null, closed: false })),
      questions.map((asked) => asked.map(({ prompt }) => vocabulary.id(prompt)!)),
    );
    rows.forEach((i, row) => {
      judged[i] = questions[row].map((question, q) => {
        const legal = new Set(question.legal.map((square) => vocabulary.id(square)!));
        const ranked = rankAnswer(mute(answers[row].leaves[q], notation.mutedInEvaluation), legal);
        const top = vocabulary.tokens[ranked.top];
        return {
          task: question.task,
          instance: i,
          prefix: instances[i].prefix,
          prompt: question.prompt,
          top,
          legal: ranked.legal,
          exact: question.exact === null ? null : top === question.exact,
          rPrecision: ranked.rPrecision,
          error: ranked.legal || !question.task.startsWith('end') ? null : errorOf(traces[i], question.prompt, top),
        };
      });
    });
    options.onInstances?.(Math.min(at + rows.length, order.length));
    await options.pause?.();
  }
  return judged.flat();
}

function errorOf(trace: Uint16Array, from: string, top: string): ErrorClass | null {
  const position = Position.initial();
  for (const move of trace) position.play(move);
  return classifyEnd(position, unwrap(parseSquare(from)), top).error;
}

export interface TaskReport {
  /** Exact-move accuracy; null for Other tasks. */
  exm: number | null;
  /** Legal-move accuracy. */
  lgm: number | null;
  rprec: number | null;
  n: number;
  /** 95% intervals of the three. */
  ci95: { exm: [number, number] | null; lgm: [number, number] | null; rprec: [number, number] | null };
}

/** Means over the instances of one task (macro mean, as the authors take it), with 95% intervals. */
export function taskReport(judged: readonly Judged[], task: TaskName): TaskReport {
  const answers = judged.filter((answer) => answer.task === task);
  const lgm = proportion(answers.filter((answer) => answer.legal).length, answers.length);
  const exact = answers.filter((answer) => answer.exact !== null);
  const exm: Estimate = proportion(exact.filter((answer) => answer.exact).length, exact.length);
  const rprec = meanEstimate(answers.map((answer) => answer.rPrecision));
  return {
    exm: exm.mean,
    lgm: lgm.mean,
    rprec: rprec.mean,
    n: answers.length,
    ci95: { exm: exm.ci95, lgm: lgm.ci95, rprec: rprec.ci95 },
  };
}

/** Counts of the authors' four error classes among the wrong answers of an End task. */
export function errorCounts(judged: readonly Judged[], task: TaskName): Record<ErrorClass, number> {
  const counts = { unreachable: 0, syntax: 0, 'path obstruction': 0, 'pseudo legal': 0 };
  for (const answer of judged) if (answer.task === task && answer.error !== null) counts[answer.error]++;
  return counts;
}

/** Exact-move accuracy that a uniformly random legal answer expects: the mean of 1 / |legal| (paper, Tables 5 and 6). */
export function randomLegalExact(instances: readonly Instance[], task: 'end-actual' | 'start-actual'): number | null {
  if (instances.length === 0) return null;
  const sum = instances.reduce((total, instance) => {
    const question = questionsOf(instance).find((candidate) => candidate.task === task)!;
    return total + 1 / question.legal.length;
  }, 0);
  return sum / instances.length;
}
