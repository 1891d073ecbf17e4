import { unwrap } from '../../base/result.ts';
import { bringsTokens } from '../../config/brought-tokens.ts';
import { startOf, type RunConfig } from '../../config/run-config.ts';
import { grammarOf, notationOf } from '../../domains/domains.ts';
import { tokensAnEvent } from '../../domains/example-game.ts';
import { TEXT } from '../../domains/text-notation.ts';
import { isCompiled, parameterCount, trainingFlopsPerToken } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import { readsSquares } from '../testbed/reads-squares.ts';

/** What a step computes on. */
type Device = 'webgpu' | 'wasm' | 'cpu';

/**
 * Guesses for a first run, operations a second, multiply-adds counted as two; measured speeds replace them. Measured in
 * tiny models on WASM: the compiled engine 3.4e10 on one thread and 7e10 on two, whichever its kind; the reference
 * engine, which alone has the Reformer and the Performer, 1e10 on one thread beside other work and 2e10 without. WebGPU
 * is a guess indeed. The compiled engine's on WASM is that of one thread.
 */
const GUESSED: Record<'compiled' | 'reference', Record<Device, number>> = {
  compiled: { webgpu: 3e11, wasm: 3.4e10, cpu: 6e8 },
  reference: { webgpu: 5e10, wasm: 1.6e10, cpu: 6e8 },
};
/** A question is asked in mid-game: half of it comes before, on average, and a few tokens ask and answer. */
const QUESTION = 8;

/**
 * Tokens in a row, cut at the context. A chess move is a start and an end square and at times a piece name; what happens
 * in other games is some tokens an event. Two more begin and end it.
 */
export function rowLength(config: RunConfig, events: number): number {
  const anEvent = bringsTokens(config)
    ? broughtTokens(config)
    : readsSquares(config)
      ? 2 + unwrap(notationOf(config)).nameShare
      : tokensAnEvent(config);
  const row = config.questions === null ? events * anEvent + 2 : (events * anEvent) / 2 + QUESTION;
  return Math.min(config.model.context, row);
}

/** Pieces of a word of a game in text, such as " e2e4" in GPT-2's. */
const PIECES = 4;

/** Tokens an event in a model's own tokens: a whole move is one. */
const broughtTokens = ({ domain, notation }: RunConfig): number =>
  notation === TEXT ? PIECES * tokensAnEvent({ domain, notation: 'splat' }) : 1;

/** Tokens of the vocabulary; those of a model that brings its own are told by the start that it is. */
export function vocabularySize(config: RunConfig): number {
  if (bringsTokens(config)) return startOf(config)?.rows ?? 1;
  return unwrap(notationOf(config)).vocabulary.size;
}

/** The model over its notation's vocabulary. @throws where the game has no such notation */
export function modelFor(config: RunConfig): ReturnType<typeof modelOf> {
  return modelOf(config, { size: vocabularySize(config), slots: grammarOf(config) });
}

/** Numbers that a run's model learns. */
export const parametersOf = (config: RunConfig): number => parameterCount(modelFor(config));

/** Tokens of one step, about; `events` is the mean length of the games. */
export const tokensAStep = (config: RunConfig, events: number): number => config.batch * rowLength(config, events);

/** Floating-point operations of a run's steps so far, by the rows that they have read. */
export function operationsOf(config: RunConfig, steps: number, tokens: number): number {
  return steps === 0 ? 0 : tokens * trainingFlopsPerToken(modelFor(config), tokens / (steps * config.batch));
}

/** Floating-point operations of one step. `events` is the mean length of the games. */
export function operationsAStep(config: RunConfig, events: number): number {
  const length = rowLength(config, events);
  return config.batch * length * trainingFlopsPerToken(modelFor(config), length);
}

/**
 * Steps of a whole run; passes over the games counted as steps where it is as long as those.
 * @param trainGames training games that there are, before the run's limit
 */
export function stepsOf({ schedule, data, batch }: RunConfig, trainGames: number): number {
  const games = Math.min(data.limit ?? trainGames, trainGames);
  return schedule.epochs === null ? schedule.steps : schedule.epochs * Math.max(1, Math.ceil(games / batch));
}

/** Floating-point operations of whole runs, before they start. @param games of the training split: mean length and count */
export function operationsOfRuns(configs: readonly RunConfig[], games: { events: number; count: number }): number {
  return configs.reduce((sum, config) => sum + stepsOf(config, games.count) * operationsAStep(config, games.events), 0);
}

/** Operations a second at which a device trains such a model, before it was ever measured. `threads` are of WASM. */
export function guessedSpeed({ model }: RunConfig, device: Device, threads: number): number {
  const compiled = isCompiled(model.kind);
  return GUESSED[compiled ? 'compiled' : 'reference'][device] * (compiled && device === 'wasm' ? threads : 1);
}
