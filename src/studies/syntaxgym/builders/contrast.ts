import type { Random } from '../../../base/random.ts';

/** A rule of a game as a test suite: what it is called, and which continuations it tells apart at a point of a game. */
export interface SuiteRule<State> {
  /** In files and lists: small letters and underscores. */
  name: string;
  title: string;
  /** What a model must have learned to answer: a sentence. */
  comment: string;
  tags: readonly string[];
  /** Continuations of one text, of which the rule allows one. */
  contrasts?(point: GamePoint<State>): Contrast[];
  /** Continuations that the rule allows here, or forbids, all alike: where no other one takes their place. */
  verdict?(point: GamePoint<State>): Verdict | null;
  /** What is right and wrong at a point for any reason: where the reverse of a contrast is rare, such points balance it. */
  balance?(point: GamePoint<State>): Balance;
  /** The text before the continuation; left out where it is the game so far. Null where this point has none. */
  text?(events: readonly number[], random: Random): string | null;
}

/** A point of a game: the events so far and the state that they lead to. */
export interface GamePoint<State> {
  events: readonly number[];
  state: State;
}

export interface Contrast {
  fits: string;
  fails: string;
  /** True where something else than the rule forbids the second: it balances an item of the rule and makes none. */
  control?: boolean;
}

export interface Verdict {
  allowed: boolean;
  continuations: readonly string[];
}

export interface Balance {
  fits(answer: string): boolean;
  fails(answer: string): boolean;
}

/** The text of a game up to a point. */
export interface Context {
  /** Which game it is the beginning of: a pair comes from two. */
  game: string;
  text: string;
  /** How many tokens it has, and the last of them. */
  tokens: number;
  last: string;
}

/** One item: what fits is less surprising than what fails. */
export interface SuiteItem {
  fits: { text: string; answer: string };
  fails: { text: string; answer: string };
}

/** How often one game may occur in a suite. */
const PAIRS_A_GAME = 2;
/** Points that wait for their reverse under one key. */
const WAITING = 6;

/**
 * Collects points of games and makes pairs of items that balance each other: after texts of the same length in tokens,
 * with the same last token, the same two continuations with their roles exchanged. Whatever knows only the token before,
 * or only the place, finds the same one of the two less surprising in both items, and is right in one of them: chance,
 * whatever games it was counted on.
 */
export class BalancedPairs {
  readonly pairs: [SuiteItem, SuiteItem][] = [];
  private readonly contrasts = new Map<string, { context: Context; contrast: Contrast }[]>();
  /** By length and last token: contrasts that any reason may balance, and points that may balance them. */
  private readonly unbalanced = new Map<string, { context: Context; contrast: Contrast }[]>();
  private readonly balances = new Map<string, { context: Context; balance: Balance }[]>();
  private readonly verdicts = new Map<string, { context: Context; verdict: Verdict }[]>();
  private readonly uses = new Map<string, number>();

  /** `repeats`: how many pairs may have the same two continuations. */
  constructor(private readonly repeats: number) {}

  /** A contrast meets the same one reversed. */
  addContrast(context: Context, contrast: Contrast): void {
    const { fits, fails } = contrast;
    // A first token that both share hides the text before it from a bigram.
    const last = firstToken(fits) === firstToken(fails) ? '' : context.last;
    const reverse = this.contrasts.get(`${context.tokens}|${last}|${fails}|${fits}`) ?? [];
    const at = reverse.findIndex(
      (other) => !(other.contrast.control && contrast.control) && this.isFree(other.context, context, fits, fails),
    );
    if (at >= 0) return this.pair({ context, contrast }, reverse.splice(at, 1)[0].context);
    wait(this.contrasts, `${context.tokens}|${last}|${fits}|${fails}`, { context, contrast });
  }

  /** A contrast that is right the other way round at a point, for whatever reason, or waits for one. */
  addUnbalanced(context: Context, contrast: Contrast): void {
    const key = `${context.tokens}|${context.last}`;
    const points = this.balances.get(key) ?? [];
    const at = points.findIndex((point) => this.balancing(point, { context, contrast }));
    if (at >= 0) this.pair({ context, contrast }, points.splice(at, 1)[0].context);
    else wait(this.unbalanced, key, { context, contrast }, 8 * WAITING);
  }

  /** A point that reverses a waiting contrast, or waits for one. */
  addBalance(context: Context, balance: Balance): void {
    const key = `${context.tokens}|${context.last}`;
    const waiting = this.unbalanced.get(key) ?? [];
    const at = waiting.findIndex((one) => this.balancing({ context, balance }, one));
    if (at >= 0) this.pair(waiting.splice(at, 1)[0], context);
    else wait(this.balances, key, { context, balance });
  }

  private balancing(
    point: { context: Context; balance: Balance },
    { context, contrast: { fits, fails } }: { context: Context; contrast: Contrast },
  ): boolean {
    const reversed = point.balance.fits(fails) && point.balance.fails(fits);
    return reversed && this.isFree(point.context, context, fits, fails);
  }

  private pair({ context, contrast: { fits, fails } }: { context: Context; contrast: Contrast }, other: Context): void {
    this.use(other, context, fits, fails);
    const item = (text: string, first: string, second: string): SuiteItem => ({
      fits: { text, answer: first },
      fails: { text, answer: second },
    });
    this.pairs.push([item(context.text, fits, fails), item(other.text, fails, fits)]);
  }

  /** A point where two continuations are allowed meets one where both are forbidden. */
  addVerdict(context: Context, verdict: Verdict): void {
    const key = (allowed: boolean): string => `${context.tokens}|${context.last}|${allowed}`;
    const waiting = this.verdicts.get(key(!verdict.allowed)) ?? [];
    for (const [at, other] of waiting.entries()) {
      const shared = other.verdict.continuations.filter((text) => verdict.continuations.includes(text));
      const [a, b] = shared.slice(0, 2);
      if (shared.length < 2 || !this.isFree(other.context, context, a, b)) continue;
      waiting.splice(at, 1);
      this.use(other.context, context, a, b);
      const [allowed, forbidden] = verdict.allowed ? [context, other.context] : [other.context, context];
      const item = (first: string, second: string): SuiteItem => ({
        fits: { text: allowed.text, answer: first },
        fails: { text: forbidden.text, answer: second },
      });
      this.pairs.push([item(a, b), item(b, a)]);
      return;
    }
    wait(this.verdicts, key(verdict.allowed), { context, verdict });
  }

  private isFree(a: Context, b: Context, ...answers: string[]): boolean {
    const used = (name: string): number => this.uses.get(name) ?? 0;
    return (
      a.game !== b.game &&
      used(a.game) < PAIRS_A_GAME &&
      used(b.game) < PAIRS_A_GAME &&
      used(answers.sort().join('|')) < this.repeats
    );
  }

  private use(a: Context, b: Context, ...answers: string[]): void {
    for (const name of [a.game, b.game, answers.sort().join('|')]) this.uses.set(name, (this.uses.get(name) ?? 0) + 1);
  }
}

function wait<Waiting>(waiting: Map<string, Waiting[]>, key: string, one: Waiting, most = WAITING): void {
  const others = waiting.get(key);
  if (!others) waiting.set(key, [one]);
  else if (others.length < most) others.push(one);
}

/** The first token of a continuation: of a move in UCI its start square, of a verb the verb. */
function firstToken(text: string): string {
  return /^[a-h][1-8]/.exec(text)?.[0] ?? text.split(' ')[0];
}
