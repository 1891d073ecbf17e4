import { LOCATIONS } from '../../domains/baseball/events.ts';

const BASES = LOCATIONS.map((location) => `(${location})`);

/** A movement of one runner: 0 is the batter, 1 to 3 the bases, 4 home. */
export interface Movement {
  from: number;
  to: number;
  out: boolean;
}

/** What a source says of the moment at which a plate appearance begins or ends; null where it says nothing. */
export interface Recorded {
  /** Line or place in the source, for people. */
  at: string;
  /** How many tokens stand before that moment. */
  tokens: number;
  inning: number;
  /** 0 top, 1 bottom. */
  half: number;
  outs: number | null;
  /** Whether first, second and third are occupied. */
  runners: [boolean, boolean, boolean] | null;
  /** Balls and strikes. */
  count: [number, number] | null;
}

/** A game as SPLAT verbs with what its source has on record, so that a replay of the verbs can be held against it. */
export interface VerbGame {
  id: string;
  away: string;
  home: string;
  /** SPLAT tokens from <sog> on: "<newbatter>", "(id_100)", "<strike>", ... */
  tokens: string[];
  records: Recorded[];
  /** Runs of visitors and home team by the source's own account. */
  runs: [number, number];
  /** What could not be read, or contradicts what went before: where, and what, in words. */
  problems: { at: string; text: string }[];
}

/**
 * Writes a game in the verbs of SPLAT (Demeter and Downey 2021): pitches, then a hit, then runners from the lead runner
 * to the batter, then <atbat>. Players are numbered in the order in which they first appear. Runners put out by a force
 * or while running are <caught_stealing>, as in the authors' data; both verbs have one effect.
 */
export class VerbWriter {
  readonly tokens: string[] = ['<sog>'];
  readonly problems: VerbGame['problems'] = [];
  readonly runs: [number, number] = [0, 0];
  /** Who stands at the plate and on first to third. */
  readonly bases: (string | null)[] = [null, null, null, null];
  outs = 0;
  now = { inning: 1, half: 0 };
  #ids = new Map<string, string>();
  #strikes = 0;

  problem(at: string, text: string): void {
    this.problems.push({ at, text });
  }

  /** Goes on to the half that a source has at this place, where it is another. */
  enter(at: string, inning: number, half: number): void {
    if (inning === this.now.inning && half === this.now.half) return;
    if (this.outs !== 3) this.problem(at, `inning ${this.now.inning} ended with ${this.outs} outs`);
    this.begins({ inning, half });
  }

  /** Between halves nobody is on base. */
  begins(half: { inning: number; half: number }): void {
    this.now = half;
    this.bases.fill(null);
    this.outs = 0;
  }

  begin(batter: string): void {
    this.tokens.push('<newbatter>', this.#id(batter));
    this.bases[0] = batter;
    this.#strikes = 0;
  }

  /**
   * Sources now and then have a pitch after the third strike, which no plate appearance can take: it is left out. Balls
   * are not capped, since umpires have miscounted.
   * @param kind a foul bunt is a strike even as the third
   */
  pitch(kind: 'ball' | 'strike' | 'foul' | 'foul bunt'): void {
    if (this.#strikes >= 3) return;
    const verb = kind !== 'foul bunt' ? kind : this.#strikes >= 2 ? 'strike' : 'foul';
    this.tokens.push(`<${verb}>`);
    if (verb === 'strike' || (verb === 'foul' && this.#strikes < 2)) this.#strikes++;
  }

  hit(): void {
    this.tokens.push('<hit>');
  }

  /** Movements of one moment. @param forcedOut runners put out are <caught_stealing> rather than <out> */
  move(movements: readonly Movement[], forcedOut: boolean, at: string): void {
    for (const { from, to, out } of movements) {
      const who = this.bases[from];
      if (who === null) this.problem(at, `nobody stands on ${BASES[from]} to be moved`);
      else if (out) {
        this.bases[from] = null;
        this.outs++;
        this.tokens.push(from > 0 && forcedOut ? '<caught_stealing>' : '<out>', BASES[from]);
      } else if (from !== to) {
        this.bases[from] = null;
        this.tokens.push('<advance>', BASES[from], BASES[to]);
        if (to === 4) this.runs[this.now.half]++;
        else {
          if (this.bases[to] !== null) this.problem(at, `two runners stand on ${BASES[to]}`);
          this.bases[to] = who;
        }
      }
    }
  }

  /** A runner takes another's place on a base. */
  substitute(player: string, base: number): void {
    const old = this.bases[base];
    if (old === null || old === player) return;
    this.bases[base] = player;
    this.tokens.push('<sub>', this.#id(player), this.#id(old));
  }

  /** A runner placed by rule reaches his base in an appearance of his own, since no verb puts anyone there. */
  place(player: string, base: number): void {
    this.tokens.push('<newbatter>', this.#id(player), '<advance>', '(plate)', BASES[base], '<atbat>');
    this.bases[base] = player;
  }

  end(): void {
    this.tokens.push('<atbat>');
    this.bases[0] = null;
  }

  #id(player: string): string {
    let id = this.#ids.get(player);
    if (id === undefined) this.#ids.set(player, (id = `(id_${100 + this.#ids.size})`));
    return id;
  }
}
