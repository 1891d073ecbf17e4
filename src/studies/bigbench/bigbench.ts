import * as v from 'valibot';
import { fail, ok, type Result } from '../../base/result.ts';
import { proportion } from '../../base/statistics.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import type { BigbenchTask } from './bigbench-task.ts';
import { endedEarly, pauseOf, type Pace } from '../asking/cancellation.ts';
import { topTokens } from '../asking/metrics.ts';
import { askPrompts, endPrompt, fitsPrompt } from '../asking/prompting.ts';
import { interval, share, whole } from '../stored-numbers.ts';

const strings = v.array(v.string());

/** Scores on one chess_state_tracking file of BIG-bench (Srivastava et al. 2022; Toshniwal et al. made the task). */
export const BigbenchReportSchema = v.object({
  /** Examples that were asked. */
  n: whole,
  /** Share of examples whose likeliest next token is among the targets. */
  accuracy: share,
  ci95: interval,
  /** What a uniformly random legal move of that piece would score on exact moves: the mean of 1 / |targets|. */
  random: share,
  /** Examples longer than the model's context, which are left out of all figures. */
  tooLong: whole,
  /** `example` is the 0-based place in the file, `right` whether `top` is among the targets. */
  answers: v.array(
    v.object({ example: whole, input: v.string(), top: v.string(), right: v.boolean(), targets: strings }),
  ),
  /**
   * Examples, asked or not, whose targets are not what this project's rules say: targets that are not legal, and legal
   * end squares that are no targets.
   */
  disagreements: v.array(v.object({ example: whole, input: v.string(), notLegal: strings, notTargets: strings })),
});
export type BigbenchReport = v.InferOutput<typeof BigbenchReportSchema>;

/**
 * Asks where the last piece of each example goes, as an End question: the likeliest token of the full vocabulary after
 * muting counts. Fails with `nothing-fits` where the model's context holds no example, and with `cancelled`.
 */
export function bigbench(
  engine: Engine,
  notation: Notation,
  task: BigbenchTask,
  options: Pace & { rowsPerBatch?: number; onShare?: (share: number) => void } = {},
): Promise<Result<BigbenchReport>> {
  return endedEarly(async () => {
    const { context } = engine.model;
    const asked = task.examples.flatMap(({ moves }, i) => (fitsPrompt(moves, notation, context) ? [i] : []));
    if (asked.length === 0)
      return fail(
        'nothing-fits',
        `${task.name}: no example fits the model's context of ${context} tokens; take a file of shorter games.`,
      );
    const answers: BigbenchReport['answers'] = [];
    await askPrompts(
      engine,
      notation,
      asked.map((i) => {
        const { moves, piece, from } = task.examples[i];
        return { trace: moves, prompts: [endPrompt(notation, piece, from)] };
      }),
      { rowsPerBatch: options.rowsPerBatch ?? 8, pause: pauseOf(options), onShare: options.onShare },
      (at, _, logits) => {
        const { input, targets } = task.examples[asked[at]];
        const top = notation.vocabulary.tokens[topTokens(logits, 1)[0]];
        answers[at] = { example: asked[at], input, top, right: targets.includes(top), targets };
      },
    );
    const right = proportion(answers.filter((answer) => answer.right).length, answers.length);
    return ok({
      n: answers.length,
      accuracy: right.mean!,
      ci95: right.ci95!,
      random: answers.reduce((sum, { targets }) => sum + 1 / targets.length, 0) / answers.length,
      tooLong: task.examples.length - asked.length,
      answers,
      disagreements: disagreementsOf(task),
    });
  });
}

function disagreementsOf({ examples }: BigbenchTask): BigbenchReport['disagreements'] {
  return examples.flatMap(({ input, targets, legal }, example) => {
    const notLegal = targets.filter((target) => !legal.includes(target));
    const notTargets = legal.filter((end) => !targets.includes(end));
    return notLegal.length + notTargets.length > 0 ? [{ example, input, notLegal, notTargets }] : [];
  });
}
