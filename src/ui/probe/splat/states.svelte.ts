import { failureOf, type Result } from '../../../base/result.ts';
import { domainNamed, DOMAINS, notationOf, type AnyDomain } from '../../../domains/domains.ts';
import type { StateMap } from '../../../studies/splat/state-map.ts';
import { stateMap } from '../../../studies/splat/state-map-study.ts';
import { runOf } from '../model-choice.ts';
import type { MeasureState } from '../measure.svelte.ts';
import { firstGames } from '../../session/first-games.ts';
import { builtInGames } from '../../session/experiment/game-setup.ts';
import { exampleLine } from '../../../domains/example-game.ts';
import { readTrace } from '../../session/asking/trace-reading.ts';
import { describeEvent } from '../../../domains/record-lines.ts';

/** Events that are asked about unless a person wants more: every state is a question for each variable. */
const EVENTS = 60;
/** Tokens behind the events: [sep], the question and its argument. */
const ASKING = 3;
/** Games of a set that one is taken from. */
const CHOICE = 300;

/** A game whose every state the model is asked for, and the event that is looked at. */
export class StatesState {
  text = $state('');
  games = $state('embedded');
  /** First and last event asked about; a `to` of null leaves it to the page. */
  from = $state(0);
  to = $state<number | null>(null);
  map = $state.raw<StateMap | null>(null);
  /** The map's first event in its game, and what each of its events does, in words. */
  begins = $state(0);
  descriptions = $state.raw<string[]>([]);
  at = $state(0);
  /** True while a game is being fetched. */
  choosing = $state(false);
  domain = $derived.by((): AnyDomain => {
    const found = domainNamed(this.#measure.domain);
    return found.ok ? found.value : DOMAINS[0];
  });
  reading = $derived(readTrace(this.domain, this.text));
  /** Most events that the model can be asked about, as far as is known. */
  room = $derived(this.#room());
  readonly #measure: MeasureState;
  #games: Record<string, string[] | undefined> = {};
  #example = 1;
  /** The game that the page has found by itself. */
  #found = $state.raw('');
  /** Whether this model's map has been asked for, also where it came to nothing. */
  #asked = false;

  constructor(measure: MeasureState) {
    this.#measure = measure;
  }

  get last(): number {
    return this.to ?? Math.min(this.from + EVENTS, this.room);
  }

  forget(): void {
    this.map = null;
    this.#asked = false;
    const { domain, lab } = this.#measure;
    if (this.text !== '' && readTrace(this.domain, this.text).failure !== null) this.text = '';
    if (lab.games.named(this.games)?.domain !== domain) this.games = builtInGames(domain);
    this.from = 0;
    this.to = null;
    this.at = 0;
  }

  /** What an address says of it (session/address.ts): nothing of a game that the page has found. */
  get link(): string {
    return this.text === this.#found || this.reading.failure !== null ? '' : this.text;
  }

  /** Takes a game from an address. */
  open(line: string): Result<unknown> {
    const found = domainNamed(this.#measure.lab.domain);
    const read = found.ok ? found.value.traces.parse(line) : found;
    if (!read.ok || line === this.text) return read;
    this.take(line);
    this.map = null;
    this.#asked = false;
    return read;
  }

  /** Looks at an example by itself, once for each model, so that the page does not begin empty. */
  async begin(): Promise<void> {
    if (this.text === '') this.invent(0);
    if (!this.#asked && this.map === null) await this.run();
  }

  /** Takes another game; the map of the one before stays until it is asked. */
  take(text: string): void {
    this.text = text;
    this.from = 0;
    this.to = null;
  }

  invent(further = 1): void {
    this.#found = exampleLine(this.domain, (this.#example += further));
    this.take(this.#found);
  }

  async run(): Promise<void> {
    this.#asked = true;
    const { text: line, from, last: to, reading } = this;
    const outcome = await this.#measure.ask(stateMap, { line, from, to });
    if (outcome === null) return;
    const map = outcome.answer;
    this.descriptions = map.events.map(
      (event, i) => describeEvent(this.domain, reading.states[from + i], reading.events[from + i]) ?? event,
    );
    this.map = map;
    this.begins = from;
    this.at = map.events.length;
  }

  look(at: number): void {
    this.at = Math.max(0, Math.min(this.map?.events.length ?? 0, Math.round(at)));
  }

  /** A game of the set at random, from those held out from training. */
  async another(): Promise<void> {
    this.choosing = true;
    try {
      const games = (this.#games[this.games] ??= await this.#read(this.games));
      if (games.length > 0) this.take((this.#found = games[Math.floor(Math.random() * games.length)]));
      else
        this.#measure.fail(stateMap.name, {
          code: 'no-games',
          message: 'This set holds no games out; choose another, or write a game here.',
        });
    } catch (error) {
      this.#measure.fail(stateMap.name, failureOf(error));
    } finally {
      this.choosing = false;
    }
  }

  async #read(key: string): Promise<string[]> {
    const { domain } = this;
    const games = await firstGames(this.#measure.lab.workers, key, ['test', 'dev'], CHOICE);
    return games.map((trace) => domain.traces.format(trace));
  }

  /** Where the context is known, the events that fit it with a question behind them; else all of them. */
  #room(): number {
    const { events } = this.reading;
    const config = runOf(this.#measure.lab, this.#measure.chosen)?.config;
    const notation = config && notationOf(config);
    if (!notation?.ok) return events.length;
    const fits = (many: number): boolean =>
      notation.value.encode(events.subarray(0, many), { random: null, closed: false }).length + ASKING <=
      config!.model.context;
    let [some, tooMany] = [0, events.length + 1];
    while (tooMany - some > 1) {
      const middle = (some + tooMany) >> 1;
      if (fits(middle)) some = middle;
      else tooMany = middle;
    }
    return some;
  }
}
