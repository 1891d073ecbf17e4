import { tellingDomain } from '../../../workers/measure/domain-of-files.ts';
import { fail, failureOf, type Failure, type Result } from '../../base/result.ts';
import { isIllegal, type ModelTurn } from '../../studies/play/model-turn.ts';
import { firstChoice, offeredModels, type DroppedModel } from '../probe/model-choice.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { cutAt, eventsOf, playable, statesOf, undone, type Game, type Player } from './game.ts';
import { PlayAddress } from './play-address.ts';
import type { PlayModel } from './play-model.ts';
import { PlayingModels } from './playing-models.ts';
import { whyNoMove } from './status.ts';
import { StrengthState } from './strength.svelte.ts';
import { Turns } from './turns.svelte.ts';

/** Between the moves of two models, so that one can follow; milliseconds. */
const PACE = 450;

/** A game between a person and a model, two models, or two people. */
export class PlayState {
  players = $state<[Player, Player]>(['you', 'none']);
  /** Null where the page's game is not played by two sides. */
  game = $state.raw<Game | null>(null);
  /** The move that is looked at, from 1; 0 is the beginning. */
  at = $state(0);
  temperature = $state<0 | 1>(0);
  seed = $state(1);
  stopsAtIllegal = $state(false);
  /** Whether two models go on by themselves. */
  running = $state(false);
  thinking = $state(false);
  /** Whether moves or a position are being read: the way to a position may take a second to find. */
  reading = $state(false);
  flipped = $state(false);
  /** The illegal choice at which the game has stopped. */
  stopped = $state.raw<ModelTurn | null>(null);
  /** Why a model could not move, a game not be read, a file not be opened. */
  failure = $state.raw<Failure | null>(null);
  /** Why the last thing tried on the board did nothing. */
  refusal = $state('');
  dropped = $state.raw<DroppedModel | null>(null);
  readonly strength: StrengthState = new StrengthState(this);
  readonly turns: Turns = new Turns(this);
  readonly address: PlayAddress = new PlayAddress(this);
  readonly lab: Lab;
  readonly #models: PlayingModels;
  /** Counts changes by hand, so that a late move of an earlier game is dropped. */
  #changes = 0;
  #going = false;

  constructor(lab: Lab) {
    this.lab = lab;
    this.#models = new PlayingModels(lab);
  }

  states = $derived(this.game === null ? [] : statesOf(this.game));
  events = $derived(this.game === null ? new Uint16Array() : eventsOf(this.game));
  /** Where the moves end. */
  last = $derived(this.states.length - 1);
  ending = $derived(this.game === null ? null : this.game.domain.play.ending(this.states[this.last]));
  /** The side to move after all moves. */
  side = $derived<0 | 1>(this.game === null ? 0 : this.game.domain.play.toMove(this.states[this.last]));
  readonly bothModels = $derived(this.players.every((player) => player !== 'you'));
  models = $derived.by(() => offeredModels(this.lab, this.dropped));

  isPerson(side: 0 | 1): boolean {
    return this.players[side] === 'you';
  }

  /** As a game names a side's player. */
  nameOf(side: 0 | 1): string {
    const player = this.players[side];
    if (player === 'you') return 'You';
    const name = this.models.find(({ choice }) => choice === player)?.label ?? 'no model';
    return name[0].toUpperCase() + name.slice(1);
  }

  /** The page is looked at, or its game is another. */
  async arrive(): Promise<void> {
    const { lab } = this;
    const { domain } = lab;
    await lab.runs.refresh();
    if (domain !== lab.domain) return;
    if (this.game?.domain.name !== domain) {
      this.#change();
      this.#models.restOthers([]);
      this.strength.found = [];
      const found = playable(domain);
      this.game = found && { domain: found, opening: new Uint16Array(), plies: [] };
      this.at = 0;
      this.players = ['you', firstChoice(lab)];
    }
    await this.#takeAddress();
    void this.#go();
  }

  async #takeAddress(): Promise<void> {
    const changes = this.#changes;
    const asked = await this.address.take((domain, text) => this.#read(domain, text));
    if (asked === null || changes !== this.#changes) return;
    const { setup, failures } = asked;
    this.players = setup.players;
    this.temperature = setup.temperature;
    this.seed = setup.seed;
    this.#begin(setup.opening);
    for (const failure of failures) this.lab.notices.report(failure);
  }

  choose(side: 0 | 1, player: Player): void {
    this.#change();
    this.players = side === 0 ? [player, this.players[1]] : [this.players[0], player];
    if (this.players[0] !== 'you' && this.players[1] === 'you') this.flipped = true;
    else if (this.players[0] === 'you') this.flipped = false;
    this.#models.restOthers(this.players);
    void this.#go();
  }

  /** Takes a model's files, to play the first side that is a model's already. */
  async bring(name: string, files: DroppedModel['files']): Promise<void> {
    const { workers } = this.lab;
    try {
      const domain = await workers.guard(workers.measure.domainOf(tellingDomain(files)), 'measure');
      if (domain !== null && domain !== this.lab.domain) {
        this.failure = fail('other-game', `${name} is a model of ${domain}; choose that game above first.`).error;
        return;
      }
      this.#models.rest('files');
      this.dropped = { name, files, domain: this.lab.domain };
      this.choose(this.players[1] === 'you' && this.players[0] !== 'you' ? 0 : 1, 'files');
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  /** A person's move; false where it is refused. */
  play(event: number): boolean {
    const { game } = this;
    if (game === null || !this.mayMove()) return false;
    this.#change();
    this.#append(game, event, null);
    void this.#go();
    return true;
  }

  /** Whether a person may move on the board that is looked at; else the reason is on show. */
  mayMove(): boolean {
    this.refusal = whyNoMove(this);
    return this.refusal === '';
  }

  look(at: number): void {
    this.at = Math.max(0, Math.min(this.last, at));
    this.refusal = '';
  }

  undo(): void {
    const { game } = this;
    if (game === null) return;
    this.#change();
    if (this.stopped === null) this.game = undone(game, (side) => this.isPerson(side));
    this.stopped = null;
    this.at = this.last;
    this.running = false;
    // Where a model has the first move, it makes it again.
    if (!this.bothModels) void this.#go();
  }

  /** Goes on from the position that is looked at; what came after it is gone. */
  branch(): void {
    if (this.game === null) return;
    this.#change();
    this.stopped = null;
    this.game = cutAt(this.game, this.at);
    this.at = this.last;
    void this.#go();
  }

  newGame(): void {
    this.#begin(this.game?.opening ?? new Uint16Array());
  }

  /** Begins behind other moves: a line, a file or a position. */
  async start(text: string): Promise<void> {
    if (this.game === null) return;
    this.#change();
    const changes = this.#changes;
    const read = await this.#read(this.game.domain.name, text);
    if (changes !== this.#changes) return;
    if (read.ok) this.#begin(read.value);
    else this.failure = read.error;
  }

  async #read(domain: string, text: string): Promise<Result<Uint16Array>> {
    const { workers } = this.lab;
    this.reading = true;
    try {
      return await workers.guard(workers.analyse.readGame(domain, text));
    } catch (error) {
      return { ok: false, error: failureOf(error) };
    } finally {
      this.reading = false;
    }
  }

  #begin(opening: Uint16Array): void {
    if (this.game === null) return;
    this.#change();
    this.stopped = null;
    this.running = false;
    this.#models.restOutdated();
    this.game = { ...this.game, opening, plies: [] };
    this.at = this.last;
    void this.#go();
  }

  /** Starts or pauses a game between two models. */
  toggle(): void {
    this.#change();
    this.running = !this.running;
    if (this.running) {
      this.at = this.last;
      void this.#go();
    }
  }

  /** After an illegal choice: the legal move that the model finds likeliest is played. */
  goOn(): void {
    const { stopped, game } = this;
    if (stopped === null || game === null) return;
    this.#change();
    this.stopped = null;
    this.#append(game, stopped.played.event, stopped);
    this.running = this.bothModels;
    void this.#go();
  }

  /** Other settings: what is being thought about is asked anew. */
  reset(): void {
    this.#change();
    void this.#go();
  }

  modelOf(player: Player): PlayModel {
    return this.#models.of(player, this.dropped);
  }

  #change(): void {
    this.#changes++;
    this.failure = null;
    this.refusal = '';
  }

  #append(game: Game, event: number, turn: ModelTurn | null): void {
    const follows = this.at === this.last;
    this.game = { ...game, plies: [...game.plies, { event, turn }] };
    if (follows) this.at = this.last;
  }

  /** Lets models move until a person is to. */
  async #go(): Promise<void> {
    if (this.#going) return;
    this.#going = true;
    try {
      while (this.#modelMoves()) {
        const changes = this.#changes;
        const { game } = this;
        if (game === null) break;
        this.thinking = true;
        const line = game.domain.traces.format(this.events);
        const turn = await this.modelOf(this.players[this.side]).turn(line, this.temperature, this.seed);
        if (changes !== this.#changes) continue;
        if (!turn.ok) {
          this.failure = turn.error;
          this.running = false;
          break;
        }
        if (this.stopsAtIllegal && isIllegal(turn.value.choice)) {
          this.stopped = turn.value;
          this.running = false;
          break;
        }
        this.#append(game, turn.value.played.event, turn.value);
        if (this.bothModels) {
          this.thinking = false;
          await new Promise((resolve) => setTimeout(resolve, PACE));
        }
      }
    } finally {
      this.#going = false;
      this.thinking = false;
      if (this.ending !== null) this.running = false;
    }
  }

  #modelMoves(): boolean {
    if (this.game === null || this.ending !== null || this.stopped !== null || this.failure !== null) return false;
    const player = this.players[this.side];
    return player !== 'you' && player !== 'none' && (!this.bothModels || this.running);
  }
}
