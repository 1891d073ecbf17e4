import type { Batch } from '../../../base/batch.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { Batches } from '../../../data/batches.ts';
import type { Corpus } from '../../../data/corpus.ts';
import type { Notation } from '../../../domains/domain.ts';
import { QuestionBatches } from './question-batches.ts';
import { questionsFor } from '../questions/questions.ts';

/** What a run learns from, step by step. */
export interface TrainingBatches {
  /** The batch of a step, a pure function of (seed, step); steps count from 0. */
  batch(step: number): Batch;
  /** Steps of one pass over the games, or over the questions asked of them. */
  readonly stepsPerEpoch: number;
  /** The numbers of the games whose rows the step's batch has, a row each. */
  gamesOf(step: number): Uint32Array;
  /** Events that the step's rows tell of, as far as is known without making them: how large its batch is beside others. */
  eventsIn(step: number): number;
}

/** Batches of the first epoch, those with most events, whose tokens are counted, and what is added to the most. */
const COUNTED = 4;
const MARGIN = 1.1;

/**
 * Tokens that hardly a batch of the run exceeds: as many as the first epoch's largest, and a tenth,
 * since later epochs group the games anew and draw piece names and questions anew.
 */
export function tokensOfLargest(batches: TrainingBatches): number {
  const events = Array.from({ length: batches.stepsPerEpoch }, (_, step) => batches.eventsIn(step));
  const largest = [...events.keys()].sort((a, b) => events[b] - events[a]).slice(0, COUNTED);
  const tokens = largest.map((step) => batches.batch(step).tokens.length);
  return Math.ceil(MARGIN * Math.max(...tokens));
}

/**
 * The batches that a run's config describes: whole games, or lines with questions about them where it has `questions`.
 * The steps of the config are not read, so that they may be settled by `stepsPerEpoch` afterwards.
 * Fails with `no-games`, `whole-moves`, `games-too-short`, and as `questionsFor` does.
 */
export function trainingBatches(config: RunConfig, corpus: Corpus, notation: Notation): Result<TrainingBatches> {
  const { batch: games, seed, objective, legalWeight, predictNames, pieceWeight, model, questions: wanted } = config;
  if (corpus.length === 0) return fail('no-games', 'There are no games to train on; give at least one.');
  if (notation.name.startsWith('moves') && notation.brought === undefined)
    return fail(
      'whole-moves',
      'Whole moves are learned in the tokens of the model that a run starts from; start it from such a model, or choose the notation uci, rap:P, ap or splat.',
    );
  const { context } = model;
  if (wanted === null)
    return ok(
      new Batches(corpus, notation, { games, seed, context, objective, legalWeight, predictNames, pieceWeight }),
    );
  const questions = questionsFor(config.domain, wanted.own);
  if (!questions.ok) return questions;
  const batches = new QuestionBatches(corpus, notation, questions.value, { ...wanted, games, seed, context });
  if (batches.stepsPerEpoch > 0) return ok(batches);
  return fail(
    'games-too-short',
    `None of the ${corpus.length} games is long enough to be asked about by a model that reads ${context} tokens; give longer games, or a longer context.`,
  );
}
