import { fail, ok, unwrap, type Result } from '../../../base/result.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import type { Corpus } from '../../../data/corpus.ts';
import type { Notation } from '../../../domains/domain.ts';
import { domainNamed, type AnyDomain } from '../../../domains/domains.ts';
import { endedEarly, pauseOf, type Pace } from '../../asking/cancellation.ts';
import { StateIndex } from './nearest-state.ts';
import { QuestionBatches } from './question-batches.ts';
import { trainingBatches } from './training-batches.ts';

/** States compared with at most; a run of many epochs has far more lines. */
export const MOST_STATES = 300_000;

/** Lines between pauses. */
const LINES_A_PART = 2000;

/** The states in which a fine-tuned model was asked its questions. */
export interface FineTuningStates {
  index: StateIndex;
  /** Lines whose states are in the index, and lines of the whole run, counted as full batches. */
  lines: { compared: number; learned: number };
}

/**
 * The states at the questions of a run's fine-tuning lines, made again from its config and its training games: batches
 * are a pure function of the seed. Where there are more lines than `most`, those of steps spread evenly over the run, so
 * that distances to them are never too small but may be too large. `corpus`: the training split that the run learned
 * from, whole; `notation`: that of the model, which one that brings its tokens does not name; `steps`: those it took, where it ended before its config's last. Fails with `not-fine-tuned`, `cancelled`,
 * and as trainingBatches does.
 */
export function fineTuningStates(
  config: RunConfig,
  corpus: Corpus,
  options: Pace & { notation?: Notation; steps?: number; most?: number; onShare?: (share: number) => void } = {},
): Promise<Result<FineTuningStates>> {
  const { steps = config.schedule.steps, most = MOST_STATES, onShare } = options;
  const pause = pauseOf(options);
  return endedEarly(async () => {
    const domain = unwrap(domainNamed(config.domain));
    const notation = options.notation ?? unwrap(domain.notation(config.notation));
    const batches = unwrap(trainingBatches(config, corpus.first(config.data.limit), notation));
    if (!(batches instanceof QuestionBatches))
      return fail('not-fine-tuned', 'This model has learned games alone, so there are no questions to compare with.');
    const read = stateReader(domain);
    const learned = steps * config.batch;
    const every = Math.max(1, learned / most);
    const states = new Uint16Array(Math.min(most, learned) * read.variables);
    let compared = 0;
    let since = 0;
    for (let step = 0; step < steps; step += every) {
      const lines = batches.linesOf(Math.floor(step));
      for (const { prefix } of lines) {
        const state = read.values(prefix);
        if (state && compared * read.variables < states.length) states.set(state, compared++ * read.variables);
      }
      since += lines.length;
      if (since < LINES_A_PART) continue;
      since = 0;
      onShare?.(step / steps);
      await pause();
    }
    const index = new StateIndex(states.subarray(0, compared * read.variables), read.variables);
    return ok({ index, lines: { compared, learned } });
  });
}

/** Reads states as the places of their variables' values. */
export interface StateReader {
  /** How many there are of them. */
  variables: number;
  /** [variables] after these events of a game; null where the rules forbid one, as now and then in the authors' lines. */
  values(prefix: Uint16Array): Uint16Array | null;
}

/**
 * The variables of a game that the paper's world state has: those all of whose values are tokens of "splat", so that they
 * can be asked for. Of chess these are the 64 squares; whose turn it is, castling rights and en passant are not.
 */
export function stateReader(domain: AnyDomain): StateReader {
  const { vocabulary } = unwrap(domain.notation('splat'));
  const variables = domain.variables.filter(({ values }) =>
    values.every((value) => vocabulary.id(value) !== undefined),
  );
  const places = variables.map(({ values }) => new Map(values.map((value, at) => [value, at])));
  return {
    variables: variables.length,
    values: (prefix) => {
      let state = domain.initial();
      try {
        for (const event of prefix) state = domain.apply(state, event);
      } catch (error) {
        if (error instanceof RangeError) return null;
        throw error;
      }
      return Uint16Array.from(variables, (variable, at) => places[at].get(variable.of(state))!);
    },
  };
}
