import { ok, type Result } from '../../base/result.ts';
import { seededRandom, type Random } from '../../base/random.ts';
import type { Notation } from '../../domains/domain.ts';
import { formulasOf } from './check-suite.ts';
import { computeSurprisals } from './compute-surprisals.ts';
import { accuracy, evaluate } from './evaluate.ts';
import { evaluateFormula, isTrue } from './formula.ts';
import { ngramModel, type NgramContext } from './models/ngram-model.ts';
import { conditionNames, regionNames, type Suite } from './suite.ts';

/** Accuracies that need no knowledge of the game, between 0 and 1. */
export interface Baselines {
  /** Of the token before. */
  bigram: number;
  /** Of the place in the sentence. */
  position: number;
  /** Of nothing: every region's surprisal drawn at random. */
  chance: number;
}

const TIE_DRAWS = 50;
const CHANCE_DRAWS = 4000;
/** Bits: far less than any difference that counts tell. */
const TIE = 1e-7;

/**
 * What a suite over moves comes to without a board, for n-grams counted in `games`. Where a baseline finds two regions
 * equally surprising, as it must where they are the same move after other games, the tie is broken at random and the
 * figure is the mean over such draws; so a balanced suite has its chance.
 */
export async function baselinesOf(
  suite: Suite,
  notation: Notation,
  games: Iterable<ArrayLike<number>>,
): Promise<Result<Baselines>> {
  const known = [...games];
  const found: Partial<Record<NgramContext, number>> = {};
  for (const context of ['bigram', 'position'] as const) {
    const computed = await computeSurprisals(suite, ngramModel(notation, context, known));
    if (!computed.ok) return computed;
    const random = seededRandom('ties', suite.meta.name, context);
    const draws = Array.from(
      { length: TIE_DRAWS },
      () => accuracy(evaluate(computed.value.suite, (value) => value + TIE * random.next())).mean ?? 0,
    );
    found[context] = draws.reduce((sum, share) => sum + share, 0) / TIE_DRAWS;
  }
  return ok({ bigram: found.bigram!, position: found.position!, chance: chanceOf(suite) });
}

/** The share of items for which all predictions hold where every region's surprisal is drawn alike. */
export function chanceOf(suite: Suite): number {
  const random = seededRandom('chance', suite.meta.name);
  const formulas = formulasOf(suite);
  if (formulas.length === 0) return 0;
  const names = conditionNames(suite);
  const count = regionNames(suite).length;
  let held = 0;
  for (let draw = 0; draw < CHANCE_DRAWS; draw++) {
    const values = new Map(names.map((name) => [name, drawn(count, random)]));
    const holds = ({ formula }: (typeof formulas)[number]): boolean =>
      isTrue(
        evaluateFormula(formula, ({ region, condition }) => {
          const regions = values.get(condition)!;
          return region === '*' ? regions.reduce((sum, value) => sum + value, 0) : regions[region - 1];
        }),
      );
    if (formulas.every(holds)) held++;
  }
  return held / CHANCE_DRAWS;
}

const drawn = (count: number, random: Random): number[] => Array.from({ length: count }, () => 10 * random.next());
