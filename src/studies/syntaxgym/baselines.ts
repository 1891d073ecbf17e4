import { ok, type Result } from '../../base/result.ts';
import { seededRandom } from '../../base/random.ts';
import type { Notation } from '../../domains/domain.ts';
import { formulasOf } from './check-suite.ts';
import { computeSurprisals } from './compute-surprisals.ts';
import { accuracy, evaluate } from './evaluate.ts';
import { evaluateFormula, isTrue, type Reference } from './formula.ts';
import { ngramModel, type NgramContext } from './models/ngram-model.ts';
import type { SuiteModel } from './suite-model.ts';
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

/** N-grams counted in games (models/ngram-model.ts). */
export type NgramBaselines = Readonly<Record<NgramContext, SuiteModel>>;

const TIE_DRAWS = 50;
const CHANCE_DRAWS = 2000;
/** Bits, of a drawn surprisal. */
const LARGEST = 10;
/** Bits: far less than any difference that counts tell. */
const TIE = 1e-7;

/** Counts games once, for any number of suites. */
export function ngramBaselines(notation: Notation, games: Iterable<ArrayLike<number>>): NgramBaselines {
  const known = [...games];
  return { bigram: ngramModel(notation, 'bigram', known), position: ngramModel(notation, 'position', known) };
}

/**
 * What a suite over moves comes to without a board. Where a baseline finds two regions equally surprising, as it must
 * where they are the same move after other games, the tie is broken at random and the figure is the mean over such
 * draws; so a balanced suite has its chance.
 */
export async function baselinesOf(suite: Suite, models: NgramBaselines): Promise<Result<Baselines>> {
  const found = { bigram: 0, position: 0 };
  for (const context of ['bigram', 'position'] as const) {
    const computed = await computeSurprisals(suite, models[context]);
    if (!computed.ok) return computed;
    const random = seededRandom('ties', suite.meta.name, context);
    for (let draw = 0; draw < TIE_DRAWS; draw++) {
      const drawn = evaluate(computed.value.suite, (value) => value + TIE * random.next());
      found[context] += accuracy(drawn).mean ?? 0;
    }
  }
  const [bigram, position] = [found.bigram, found.position].map((sum) => sum / TIE_DRAWS);
  return ok({ bigram, position, chance: chanceOf(suite) });
}

/**
 * The share of items for which all predictions hold where every region's surprisal is drawn alike. Each draw counts
 * with its mirror image, so that one inequality comes to exactly a half.
 */
export function chanceOf(suite: Suite): number {
  const random = seededRandom('chance', suite.meta.name);
  const formulas = formulasOf(suite);
  if (formulas.length === 0) return 0;
  const names = conditionNames(suite);
  const count = regionNames(suite).length;
  let held = 0;
  for (let draw = 0; draw < CHANCE_DRAWS; draw++) {
    const drawn = new Map(names.map((name) => [name, Array.from({ length: count }, () => LARGEST * random.next())]));
    for (const mirrored of [false, true]) {
      const valueOf = ({ region, condition }: Reference): number => {
        const regions = drawn.get(condition)!;
        const chosen = region === '*' ? regions : [regions[region - 1]];
        return chosen.reduce((sum, value) => sum + (mirrored ? LARGEST - value : value), 0);
      };
      if (formulas.every(({ formula }) => isTrue(evaluateFormula(formula, valueOf)))) held++;
    }
  }
  return held / (2 * CHANCE_DRAWS);
}
