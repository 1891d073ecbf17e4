import { tellingDomain } from '../../../workers/measure/domain-of-files.ts';
import { fail, failureOf, type Failure, type Result } from '../../base/result.ts';
import { isIllegal, type ModelTurn } from '../../studies/play/model-turn.ts';
import { firstChoice, offeredModels, type DroppedModel, type ModelChoice } from '../probe/model-choice.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { cutAt, endingOf, eventsOf, illegalWishes, playable, statesOf, undone, type Game } from './game.ts';
import { readLink, writeLink } from './link.ts';
import { PlayModel } from './play-model.ts';
import { StrengthState } from './strength.svelte.ts';

/** Who plays a side. */
export type Player = 'you' | ModelChoice;

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
  /** The illegal wish at which the game has stopped. */
  stopped = $state.raw<ModelTurn | null>(null);
  /** Why a model could not move, a game not be read, a file not be opened. */
  failure = $state.raw<Failure | null>(null);
  /** Why the last thing tried on the board did nothing. */
  refusal = $state('');
  dropped = $state.raw<DroppedModel | null>(null);
  readonly strength: StrengthState = new StrengthState(this);
  readonly lab: Lab;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing on the page shows which workers there are
  readonly #models = new Map<Player, PlayModel>();
  /** Counts changes by hand, so that a late move of an earlier game is dropped. */
  #changes = 0;
  #going = false;
  /** What an address asked for, until the page is looked at. */
  #asked: URLSearchParams | null = null;
  #seen: URLSearchParams | null = null;

  constructor(lab: Lab) {
    this.lab = lab;
  }

  states = $derived(this.game === null ? [] : statesOf(this.game));
  events = $derived(this.game === null ? new Uint16Array() : eventsOf(this.game));
  /** Where the moves end. */
  last = $derived(this.states.length - 1);
  ending = $derived(this.game === null ? null : endingOf(this.game, this.states[this.last]));
  /** The side to move after all moves. */
  side = $derived<0 | 1>(this.game === null ? 0 : this.game.domain.play.toMove(this.states[this.last]));
  /** Illegal wishes of each side, that at which the game has stopped among them. */
  illegal = $derived.by((): [number, number] => {
    const counts = this.game === null ? ([0, 0] as [number, number]) : illegalWishes(this.game);
    if (this.stopped !== null) counts[this.side]++;
    return counts;
  });
  /** Moves that models made, of each side, with a wish at which the game has stopped. */
  asked = $derived.by((): [number, number] => {
    const counts: [number, number] = [0, 0];
    const { game } = this;
    for (const [i, { turn }] of (game?.plies ?? []).entries())
      if (turn !== null) counts[game!.domain.play.toMove(this.states[game!.opening.length + i])]++;
    if (this.stopped !== null) counts[this.side]++;
    return counts;
  });
  /** What a model wished in the position that is looked at: the game has stopped there, or went on with its move. */
  wishHere = $derived.by((): ModelTurn | null => {
    if (this.stopped !== null && this.at === this.last) return this.stopped;
    return this.#turnAt(this.at) === null ? this.#turnAt(this.at + 1) : null;
  });
  /** The turn of a model that is told about: that here, that which led here, or the one before a person's last move. */
  turn = $derived(
    (this.stopped !== null && this.at === this.last ? this.stopped : this.#turnAt(this.at)) ??
      this.wishHere ??
      this.#turnAt(this.at - 1),
  );
  readonly bothModels = $derived(this.players.every((player) => player !== 'you'));
  models = $derived.by(() => offeredModels(this.lab, this.dropped));

  #turnAt(move: number): ModelTurn | null {
    const { game } = this;
    return game?.plies[move - 1 - game.opening.length]?.turn ?? null;
  }

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
      this.#restAll();
      this.strength.found = [];
      const found = playable(domain);
      this.game = found && { domain: found, opening: new Uint16Array(), plies: [] };
      this.at = 0;
      this.players = ['you', firstChoice(lab)];
    }
    const asked = this.#asked;
    this.#asked = null;
    if (asked !== null) await this.#take(asked);
    void this.#go();
  }

  /** Takes what an address says, once the page is looked at, and once only: another game is not what it was about. */
  ask(params: URLSearchParams): void {
    if (params === this.#seen) return;
    this.#seen = params;
    if (params.size > 0 && params.toString() !== new URLSearchParams(this.link).toString()) this.#asked = params;
  }

  /** What an address says of this game. */
  get link(): string {
    return this.game === null ? '' : writeLink({ ...this.#setup, game: this.game });
  }

  get #setup() {
    const { players, temperature, seed } = this;
    return { players, temperature, seed, usual: ['you', firstChoice(this.lab)] as [Player, Player] };
  }

  async #take(params: URLSearchParams): Promise<void> {
    const { game, lab } = this;
    if (game === null) return;
    const usual: [Player, Player] = ['you', firstChoice(lab)];
    const changes = this.#changes;
    const { setup, failures } = await readLink(params, game.domain, this.models, usual, (domain, text) =>
      this.#read(domain, text),
    );
    if (changes !== this.#changes) return;
    this.players = setup.players;
    this.temperature = setup.temperature;
    this.seed = setup.seed;
    this.#begin(setup.opening);
    for (const failure of failures) lab.notices.report(failure);
  }

  choose(side: 0 | 1, player: Player): void {
    this.#change();
    this.players = side === 0 ? [player, this.players[1]] : [this.players[0], player];
    if (this.players[0] !== 'you' && this.players[1] === 'you') this.flipped = true;
    else if (this.players[0] === 'you') this.flipped = false;
    for (const [other, model] of this.#models)
      if (!this.players.includes(other)) {
        model.rest();
        this.#models.delete(other);
      }
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
      this.#models.get('files')?.rest();
      this.#models.delete('files');
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
    const sides = this.game?.domain.play.sides ?? ['', ''];
    this.refusal =
      this.ending !== null
        ? 'The game is over. Start a new one, or take moves back.'
        : this.at < this.last
          ? 'This is an earlier position. Go to the last move, or choose Go on from here.'
          : !this.isPerson(this.side)
            ? `It is the move of ${sides[this.side]}, whom a model plays.`
            : '';
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
    for (const [player, model] of this.#models) if (model.outdated) this.#rest(player, model);
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

  /** After an illegal wish: the legal move that the model finds likeliest is played. */
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
    const known = this.#models.get(player);
    if (known) return known;
    const model = new PlayModel(this.lab, player as ModelChoice, this.dropped);
    this.#models.set(player, model);
    return model;
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
        if (this.stopsAtIllegal && isIllegal(turn.value.wish)) {
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

  #rest(player: Player, model: PlayModel): void {
    model.rest();
    this.#models.delete(player);
  }

  #restAll(): void {
    for (const [player, model] of this.#models) this.#rest(player, model);
  }
}
