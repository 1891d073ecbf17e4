import { seededRandom, shuffle, type Random } from '../../../base/random.ts';
import type { Suite } from '../suite.ts';
import {
  BalancedPairs,
  type Context,
  type Contrast,
  type GamePoint,
  type SuiteItem,
  type SuiteRule,
} from './contrast.ts';

/** What the builder must know of a game. */
export interface SuiteGame<State> {
  /** The domain's name. */
  domain: string;
  rules: readonly SuiteRule<State>[];
  /** Points of one game at which the rules are asked. */
  points(trace: ArrayLike<number>, random: Random): Iterable<GamePoint<State>>;
  write(events: readonly number[]): string;
  /** How many pairs of a suite may have the same two continuations: games with few events need many. */
  repeats: number;
  /** The tokens of a text in the notation with the finest tokens. */
  tokens(text: string): string[];
}

export interface BuildOptions {
  /** Items a suite; even. */
  items: number;
  seed: number;
  /** Said in each suite: where the games come from. */
  source: string;
  /** Called after each game with how many rules still want items. */
  progress?: (games: number, open: number) => void;
}

/** Contrasts of one rule that one point adds, at most: those first by a hash, so that the same ones wait everywhere. */
const CONTRASTS_A_POINT = 12;

/**
 * One balanced suite for each rule of a game, from as many games as it takes. Rules for which the games do not suffice
 * have fewer items. Text is the same for the same games and seed.
 */
export function buildSuites<State>(
  game: SuiteGame<State>,
  games: Iterable<ArrayLike<number>>,
  { items, seed, source, progress }: BuildOptions,
): Suite[] {
  const books = game.rules.map((rule) => ({ rule, found: new BalancedPairs(game.repeats) }));
  // Twice as many as wanted, so that the first games are not the only ones.
  const wants = ({ found }: (typeof books)[number]): boolean => found.pairs.length < items;
  let number = 0;
  for (const trace of games) {
    const open = books.filter(wants);
    if (open.length === 0) break;
    for (const point of game.points(trace, seededRandom('suite points', seed, number)))
      for (const { rule, found } of open) askRule(game, rule, found, point, `${number}`, seed);
    number++;
    progress?.(number, open.length);
  }
  return books.map(({ rule, found }) => {
    const order = shuffle([...found.pairs.keys()], seededRandom('suite items', seed, rule.name));
    const chosen = order.slice(0, items / 2).flatMap((at) => found.pairs[at]);
    return suiteOf(game, rule, chosen, source);
  });
}

function askRule<State>(
  game: SuiteGame<State>,
  rule: SuiteRule<State>,
  found: BalancedPairs,
  point: GamePoint<State>,
  name: string,
  seed: number,
): void {
  const contrasts = rule.contrasts?.(point) ?? [];
  const verdict = rule.verdict?.(point) ?? null;
  const balance = rule.balance?.(point) ?? null;
  if (contrasts.length === 0 && verdict === null && balance === null) return;
  const text = rule.text
    ? rule.text(point.events, seededRandom('suite text', seed, name, rule.name))
    : game.write(point.events);
  if (text === null) return;
  const tokens = game.tokens(text);
  const context: Context = { game: name, text, tokens: tokens.length, last: tokens[tokens.length - 1] };
  for (const contrast of fewest(contrasts))
    if (balance) found.addUnbalanced(context, contrast);
    else found.addContrast(context, contrast);
  if (balance) found.addBalance(context, balance);
  if (verdict) found.addVerdict(context, { ...verdict, continuations: byHash(verdict.continuations, (text) => text) });
}

function fewest(contrasts: Contrast[]): Contrast[] {
  return byHash(contrasts, ({ fits, fails }) => [fits, fails].sort().join(' ')).slice(0, CONTRASTS_A_POINT);
}

function byHash<One>(many: readonly One[], nameOf: (one: One) => string): One[] {
  return many
    .map((one) => ({ one, rank: hash(nameOf(one)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

/** FNV-1a with a last mix, so that neighbouring words lie apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0;
}

function suiteOf<State>(game: SuiteGame<State>, rule: SuiteRule<State>, items: SuiteItem[], source: string): Suite {
  const condition = (name: string, { text, answer }: SuiteItem['fits']) => ({
    condition_name: name,
    regions: [
      { region_number: 1, content: text },
      { region_number: 2, content: answer },
    ],
  });
  return {
    meta: {
      name: `${game.domain}_${rule.name}`,
      title: rule.title,
      metric: 'sum',
      domain: game.domain,
      tags: [...rule.tags],
      reference: '',
      author: 'Blindfold',
      comment: `${rule.comment} ${source}`,
    },
    region_meta: { '1': 'game', '2': 'answer' },
    predictions: [{ type: 'formula', formula: '(2;%fits%) < (2;%fails%)', comment: rule.comment }],
    items: items.map(({ fits, fails }, i) => ({
      item_number: i + 1,
      conditions: [condition('fits', fits), condition('fails', fails)],
    })),
  };
}
