import { InputError, fail } from '../../base/result.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { moveTokens } from '../../domains/chess/notation/move-tokens.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { squaresContext, squaresEngine } from './squares-engine.ts';

/** A model and the notation that it is asked in: one whose tokens are whole moves answers in squares, others as they are. */
export function askedIn(engine: Engine, notation: Notation): { engine: Engine; notation: Notation } {
  if (notation.asked === undefined) return { engine, notation };
  const tokens = moveTokens(notation.vocabulary.tokens);
  if (tokens === null) throw new InputError(fail('other-vocabulary', 'The tokens of this model are no moves.').error);
  return { engine: squaresEngine(engine, tokens), notation: notation.asked };
}

/** The config of a run as studies read it, whose context counts tokens of the notation that they ask in. */
export function askedConfig(config: RunConfig, { asked }: Notation): RunConfig {
  if (asked === undefined) return config;
  return { ...config, model: { ...config.model, context: squaresContext(config.model.context) } };
}
