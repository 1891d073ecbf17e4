import type { Engine } from '../../engine/engine.ts';
import { nextToken } from '../asking/next-token.ts';
import type { PlayedGame, WrittenEvent } from './move-reader.ts';

/** A move that a model may write, or what stands in its place, with the probability of all its tokens. */
export interface Choice extends WrittenEvent {
  probability: number;
}

/** Questions that finding the first choices may cost: a model that has learned nothing finds everything likely. */
const MOST_ASKED = 60;

/** The next move of a game as a model sees it, token by token; each distribution is asked for once. */
export class NextMove {
  readonly #known = new Map<string, Promise<Float32Array>>();

  constructor(
    private readonly engine: Engine,
    private readonly game: PlayedGame,
    private readonly moves: Uint16Array,
    private readonly state: unknown,
    private readonly prefix: readonly number[],
  ) {}

  /** Probabilities [V] after the first tokens of the move. */
  after(tokens: readonly number[]): Promise<Float32Array> {
    const key = tokens.join();
    const known = this.#known.get(key);
    if (known) return known;
    const asked = nextToken(this.engine, this.game.notation, [...this.prefix, ...tokens]).then(({ root }) => root);
    this.#known.set(key, asked);
    return asked;
  }

  judge(tokens: readonly number[]): WrittenEvent | null {
    const names = this.game.notation.vocabulary.tokens;
    return this.game.judge(
      this.moves,
      this.state,
      tokens.map((token) => names[token]),
    );
  }

  /**
   * The `count` likeliest moves, best first: the likeliest beginning is written on until so many are whole, so that none
   * is missed. `allowed` keeps to some beginnings.
   */
  async likeliest(count: number, allowed?: (tokens: readonly number[]) => boolean): Promise<Choice[]> {
    const open: { tokens: number[]; probability: number }[] = [{ tokens: [], probability: 1 }];
    const found: Choice[] = [];
    while (found.length < count && open.length > 0) {
      const best = open.reduce((a, b) => (b.probability > a.probability ? b : a));
      open.splice(open.indexOf(best), 1);
      const whole = best.tokens.length === 0 ? null : this.judge(best.tokens);
      if (whole !== null) {
        found.push({ ...whole, probability: best.probability });
        continue;
      }
      if (allowed === undefined && this.#known.size >= MOST_ASKED) break;
      const probabilities = await this.after(best.tokens);
      for (let token = 0; token < probabilities.length; token++) {
        const tokens = [...best.tokens, token];
        const probability = best.probability * probabilities[token];
        if (allowed ? allowed(tokens) : probability > 0) open.push({ tokens, probability });
      }
    }
    return found;
  }

  /** The legal move that the model finds likeliest; null where there is none. */
  async likeliestLegal(): Promise<Choice | null> {
    const { domain, notation } = this.game;
    const beginnings = new Set<string>();
    for (const event of domain.legal(this.state)) {
      const line = notation.encode([...this.moves, event], { random: null, closed: false });
      const tokens = line.slice(this.prefix.length);
      for (let length = 1; length <= tokens.length; length++) beginnings.add(tokens.slice(0, length).join());
    }
    const [best] = await this.likeliest(1, (tokens) => beginnings.has(tokens.join()));
    return best ?? null;
  }
}
