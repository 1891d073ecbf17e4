import { readPlay, type Movement, type Play } from './play.ts';
import type { GameEvent, GameFile } from './records.ts';

/** What the file itself says where a plate appearance begins. */
export interface Appearance {
  /** Line of its first play. */
  line: number;
  /** How many verb tokens stand before it. */
  at: number;
  inning: number;
  half: number;
  /** Balls and strikes before the last pitch, as the file counts them; null where it does not. */
  count: [number, number] | null;
  /** How many tokens stand before that last pitch; -1 where pitches are not told. */
  countAt: number;
}

export interface VerbTrace {
  /** SPLAT tokens from <sog> on: "<newbatter>", "(id_100)", "<strike>", ... */
  tokens: string[];
  appearances: Appearance[];
  /** Runs of visitors and home team by the advances of the file alone. */
  runs: [number, number];
  /** Plays that could not be read or that contradict the ones before: line and what is wrong, in words. */
  problems: { line: number; words: string }[];
}

const BASES = ['(plate)', '(first)', '(second)', '(third)', '(score)'];
/** The plate, then first to third: who stands there. */
type Bases = [string | null, string | null, string | null, string | null];

/**
 * A game as the verbs of SPLAT (Demeter and Downey 2021): pitches, then a hit, then runners from the lead runner to the
 * batter, then <atbat>. One plate appearance has one batter, the one who ends it: a pinch hitter who comes in between
 * takes it over from its first pitch. A runner placed by rule reaches second in an appearance of his own, since no
 * verb puts anyone there. Runners put out by a force or while running are <caught_stealing>, as in the authors' data.
 */
export function verbTrace(game: GameFile): VerbTrace {
  const trace: VerbTrace = { tokens: ['<sog>'], appearances: [], runs: [0, 0], problems: [] };
  const ids = new Map<string, string>();
  const idOf = (player: string): string => {
    let id = ids.get(player);
    if (id === undefined) ids.set(player, (id = `(id_${100 + ids.size})`));
    return id;
  };
  const lineUps = game.starters.map((order) => [...order]);
  const bases: Bases = [null, null, null, null];
  let outs = 0;
  let half = { inning: 1, half: 0 };
  const put = (...tokens: string[]): void => void trace.tokens.push(...tokens);
  const problem = (line: number, words: string): void => void trace.problems.push({ line, words });

  /** Between halves nobody is on base; a half that did not have its three outs is a contradiction. */
  const enter = (event: GameEvent & { kind: 'play' }): void => {
    if (event.inning === half.inning && event.half === half.half) return;
    if (outs !== 3) problem(event.line, `inning ${half.inning} ended with ${outs} outs`);
    half = { inning: event.inning, half: event.half };
    bases.fill(null);
    outs = 0;
  };

  const substitute = (event: GameEvent & { kind: 'sub' }): void => {
    const old = lineUps[event.team][event.order];
    lineUps[event.team][event.order] = event.player;
    const base = old === undefined || old === event.player ? -1 : bases.indexOf(old, 1);
    if (base < 1 || event.team !== half.half) return;
    bases[base] = event.player;
    put('<sub>', idOf(event.player), idOf(old));
  };

  const move = (movement: Movement, play: Play, line: number): void => {
    const { from, to, out } = movement;
    const who = bases[from];
    if (who === null) {
      problem(line, `nobody stands on ${BASES[from]} to be moved`);
      return;
    }
    if (!out && from === to) return;
    bases[from] = null;
    if (out) {
      outs++;
      put(from > 0 && !play.hit ? '<caught_stealing>' : '<out>', BASES[from]);
      return;
    }
    put('<advance>', BASES[from], BASES[to]);
    if (to === 4) trace.runs[half.half]++;
    else if (bases[to] !== null) problem(line, `two runners stand on ${BASES[to]}`);
    if (to < 4) bases[to] = who;
  };

  for (const { events, batter } of plateAppearances(game.events)) {
    const first = events.find((event) => event.kind === 'play');
    if (!first) {
      for (const event of events) if (event.kind === 'sub') substitute(event);
      continue;
    }
    enter(first);
    for (const event of events)
      if (event.kind === 'placed') {
        put('<newbatter>', idOf(event.player), '<advance>', '(plate)', BASES[event.base], '<atbat>');
        bases[event.base] = event.player;
      }
    const appearance: Appearance = { line: first.line, at: 0, ...half, count: null, countAt: -1 };
    trace.appearances.push(appearance);
    let begun = false;
    let pitches = '';
    const begin = (): void => {
      if (begun) return;
      begun = true;
      appearance.at = trace.tokens.length;
      put('<newbatter>', idOf(batter));
      bases[0] = batter;
    };
    for (const event of events) {
      if (event.kind === 'placed') continue;
      if (event.kind === 'sub') {
        substitute(event);
        continue;
      }
      begin();
      const play = readPlay(event.event);
      if (play === null) {
        problem(event.line, `"${event.event.slice(0, 40)}" is no play of Retrosheet's`);
        continue;
      }
      // Signs between pitches (throws to bases, a runner going) may be told differently the second time.
      const told = event.pitches.replace(/[^A-Z]/g, '');
      const fresh = pitchVerbs(told.slice(sharedStart(pitches, told)));
      // A record of no play (NP) repeats nothing.
      if (told !== '') pitches = told;
      const { tokens, last } = withThirdStrike(fresh, trace.tokens, appearance.at);
      if (play.ends && /^\d\d$/.test(event.count) && event.pitches !== '') {
        appearance.count = [Number(event.count[0]), Number(event.count[1])];
        appearance.countAt = trace.tokens.length + (last ? tokens.length - 1 : tokens.length);
      }
      put(...tokens);
      if (play.hit) put('<hit>');
      for (const movement of withForced(play.movements, bases)) move(movement, play, event.line);
    }
    if (!begun) {
      trace.appearances.pop();
      continue;
    }
    put('<atbat>');
    bases[0] = null;
  }
  return trace;
}

/** Where the batter takes first, a runner there who is not told of goes on to second, and so on. */
function withForced(movements: readonly Movement[], bases: Readonly<Bases>): Movement[] {
  const all = [...movements];
  for (let base = 1; base < 4; base++) {
    const comes = all.some(({ from, to, out }) => from === base - 1 && to === base && !out);
    if (!comes || bases[base] === null || all.some(({ from }) => from === base)) break;
    all.push({ from: base, to: base + 1, out: false });
  }
  return all.sort((a, b) => b.from - a.from);
}

interface PlateAppearance {
  events: GameEvent[];
  batter: string;
}

/** Events grouped up to the play that ends a plate appearance, or up to the end of a half. */
function* plateAppearances(events: readonly GameEvent[]): Generator<PlateAppearance> {
  let group: GameEvent[] = [];
  let last: (GameEvent & { kind: 'play' }) | null = null;
  for (const event of events) {
    if (event.kind === 'play') {
      if (last !== null && (last.inning !== event.inning || last.half !== event.half)) {
        // Substitutions and placed runners between halves belong to the half that begins.
        const at = group.lastIndexOf(last) + 1;
        yield { events: group.slice(0, at), batter: last.batter };
        group = group.slice(at);
      }
      last = event;
    }
    group.push(event);
    if (event.kind === 'play' && readPlay(event.event)?.ends) {
      yield { events: group, batter: event.batter };
      group = [];
      last = null;
    }
  }
  if (group.length > 0) yield { events: group, batter: last?.batter ?? '' };
}

/** Length of what two pitch sequences share: each play of an appearance repeats the pitches before it. */
function sharedStart(before: string, now: string): number {
  let length = 0;
  while (length < before.length && before[length] === now[length]) length++;
  return length;
}

const PITCHES: Record<string, string> = {
  ...Object.fromEntries([...'BIPV'].map((code) => [code, '<ball>'])),
  ...Object.fromEntries([...'ACKMOQST'].map((code) => [code, '<strike>'])),
  ...Object.fromEntries([...'FR'].map((code) => [code, '<foul>'])),
  // A foul bunt is a strike even as the third.
  L: 'L',
};

/** Pitches as verbs; throws to bases, balls put in play and hit batters are none. */
function pitchVerbs(sequence: string): { verbs: string[]; last: boolean } {
  const verbs = [...sequence].flatMap((code) => PITCHES[code] ?? []);
  const codes = [...sequence].filter((code) => code !== 'N');
  return { verbs, last: codes.length > 0 && codes.at(-1)! in PITCHES };
}

/** Foul bunts turned into <foul> or, with two strikes, <strike>. */
function withThirdStrike(
  { verbs, last }: { verbs: string[]; last: boolean },
  before: readonly string[],
  from: number,
): { tokens: string[]; last: boolean } {
  let strikes = 0;
  const count = (verb: string): void => {
    if (verb === '<strike>') strikes++;
    if (verb === '<foul>' && strikes < 2) strikes++;
  };
  for (let i = from; i < before.length; i++) count(before[i]);
  const tokens = verbs.map((verb) => {
    const told = verb !== 'L' ? verb : strikes >= 2 ? '<strike>' : '<foul>';
    count(told);
    return told;
  });
  return { tokens, last };
}
