import { failureOf, type Result } from '../../../base/result.ts';
import { parsePrompt } from '../../../domains/chess/prompt.ts';
import { uciLine } from '../../../domains/chess/replay.ts';
import type { EndMap, GameMap } from '../../../studies/board-map/game-map.ts';
import { boardMap, endMap } from '../../../studies/board-map/study.ts';
import { firstGames } from '../../session/first-games.ts';
import type { MeasureState } from '../measure.svelte.ts';

/** A line of the Italian opening, to begin with. */
const EXAMPLE =
  'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d4 e5d4 c3d4 c5b4 b1c3 f6e4 e1g1 b4c3 d4d5 c3f6 f1e1 c6e7 e1e4 d7d6';
/** Before asking where the pieces would go: long enough that scrubbing asks nothing. */
const SETTLED = 150;

/** One game through the eyes of a model, and the ply that is looked at. */
export class BoardState {
  text = $state(EXAMPLE);
  map = $state.raw<GameMap | null>(null);
  ply = $state(0);
  /** Where every movable piece would go at the ply; null until it is known. */
  ends = $state.raw<EndMap | null>(null);
  /** The square of the piece whose destinations are on the board. */
  picked = $state<number | null>(null);
  /** True while a game is being fetched. */
  choosing = $state(false);
  readonly #measure: MeasureState;
  /** The game that is looked at without anybody asking for it. */
  #first = EXAMPLE;
  #known: (EndMap | undefined)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #games: Record<string, string[] | undefined> = {};
  /** Whether this model's map has been asked for, also where it came to nothing. */
  #asked = false;

  constructor(measure: MeasureState) {
    this.#measure = measure;
  }

  get plies(): number {
    return this.map?.moves.length ?? 0;
  }

  /** What an address says of it (session/address.ts): the game that was looked at last. */
  get link(): string {
    const game = this.map?.moves.join(' ') ?? '';
    return game === EXAMPLE ? '' : game;
  }

  /** Takes a game from an address, to be looked at once the model is open. */
  open(line: string): Result<unknown> {
    const read = parsePrompt(line);
    if (!read.ok || this.link === read.value.canonical) return read;
    this.text = this.#first = read.value.canonical;
    this.forget();
    if (this.#measure.subject !== null && this.#measure.job === null) void this.begin();
    return read;
  }

  forget(): void {
    this.map = null;
    this.#asked = false;
    this.#begin(0);
  }

  /** Looks at the example, or at what an address names, by itself, once for each model, so that the page does not begin empty. */
  async begin(): Promise<void> {
    if (!this.#asked && this.map === null && this.text === this.#first) await this.run();
  }

  async run(): Promise<void> {
    this.#asked = true;
    const game = this.text;
    const outcome = await this.#measure.ask(boardMap, { game });
    if (outcome === null) return;
    const map = (this.map = outcome.answer);
    this.#begin(map.moves.length);
  }

  /** Looks at the board after so many plies. */
  look(ply: number): void {
    const to = Math.max(0, Math.min(this.plies, Math.round(ply)));
    if (to === this.ply) return;
    this.ply = to;
    this.picked = null;
    this.#askSoon();
  }

  /** Looks at a game of a set, from those held out for probing, at random. */
  async another(key: string): Promise<void> {
    this.choosing = true;
    try {
      const games = (this.#games[key] ??= await this.#read(key));
      if (games.length === 0) {
        this.#measure.fail(boardMap.name, {
          code: 'no-games',
          message: 'This set holds no games out for probing; choose another, or write a game here.',
        });
        return;
      }
      this.text = games[Math.floor(Math.random() * games.length)];
      // What is on show is of another game.
      this.map = null;
      this.#begin(0);
      await this.run();
    } catch (error) {
      this.#measure.fail(boardMap.name, failureOf(error));
    } finally {
      this.choosing = false;
    }
  }

  async #read(key: string): Promise<string[]> {
    return (await firstGames(this.#measure.lab.workers, key, ['probe'], 300)).map(uciLine);
  }

  #begin(ply: number): void {
    clearTimeout(this.#timer);
    this.#known = [];
    this.ends = null;
    this.picked = null;
    this.ply = ply;
    if (this.map !== null) this.#askSoon();
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    const { ply, map } = this;
    this.ends = this.#known[ply] ?? null;
    if (this.ends !== null || map === null) return;
    this.#timer = setTimeout(async () => {
      const prompt = map.moves.slice(0, ply).join(' ');
      const outcome = await this.#measure.ask(endMap, { prompt });
      if (outcome === null || this.map !== map) return;
      const ends = outcome.answer;
      this.#known[ply] = ends;
      if (this.ply === ply) this.ends = ends;
    }, SETTLED);
  }
}
