import { readPlay } from './retrosheet-play.ts';
import type { GameEvent, GameFile } from './retrosheet-records.ts';
import { VerbWriter, type Movement, type Recorded, type VerbGame } from './verb-writer.ts';

/**
 * A game of Retrosheet's as SPLAT verbs. One plate appearance has one batter, the one who ends it: a pinch hitter who
 * comes in between takes it over from its first pitch. The file's own record is the inning and half of every play, three
 * outs a half, the count before the last pitch, and the advances that its plays tell.
 */
export function retrosheetVerbs(game: GameFile): VerbGame {
  const writer = new VerbWriter();
  const records: Recorded[] = [];
  const lineUps = game.starters.map((order) => [...order]);

  const substitute = ({ team, order, player }: GameEvent & { kind: 'sub' }): void => {
    const old = lineUps[team][order];
    lineUps[team][order] = player;
    const base = old === undefined ? -1 : writer.bases.indexOf(old, 1);
    if (base > 0 && team === writer.now.half) writer.substitute(player, base);
  };

  const isWalkOff = ({ now, runs }: VerbWriter): boolean => now.half === 1 && now.inning >= 9 && runs[1] > runs[0];

  for (const { events, batter } of plateAppearances(game.events)) {
    const first = events.find((event) => event.kind === 'play');
    if (first) writer.enter(where(first), first.inning, first.half);
    const { now } = writer;
    for (const event of events) if (event.kind === 'placed') writer.place(event.player, event.base);
    let begun = -1;
    let pitches = 0;
    let ended = false;
    for (const event of events) {
      if (event.kind === 'sub') substitute(event);
      if (event.kind !== 'play') continue;
      if (begun < 0) {
        begun = writer.tokens.length;
        records.push({ at: where(event), tokens: begun, ...now, outs: writer.outs, runners: null, count: null });
        writer.begin(batter);
      }
      const play = readPlay(event.event);
      if (play === null) {
        writer.problem(where(event), `"${event.event.slice(0, 40)}" is no play of Retrosheet's`);
        continue;
      }
      // Each record repeats the pitches before it, now and then corrected; one of no play (NP) may repeat none, and N is no pitch.
      const told = event.pitches.replace(/[^A-MO-Z]/g, '');
      const fresh = told.slice(pitches);
      pitches = Math.max(pitches, told.length);
      [...fresh].forEach((code, i) => {
        if (play.ends && i === fresh.length - 1 && /^\d\d$/.test(event.count))
          records.push({
            ...{ at: where(event), tokens: writer.tokens.length, ...now, outs: null, runners: null },
            count: [Number(event.count[0]), Number(event.count[1])],
          });
        const kind = PITCHES[code];
        if (kind) writer.pitch(kind);
      });
      if (play.hit) writer.hit();
      writer.move(withForced(play.movements, writer.bases), !play.hit, where(event));
      ended ||= play.ends;
    }
    // A game that rain ended leaves its last batter at the plate.
    if (begun >= 0 && (ended || writer.outs === 3 || isWalkOff(writer))) writer.end();
  }
  const { tokens, runs, problems } = writer;
  return { id: game.id, away: game.away, home: game.home, tokens, records, runs, problems };
}

const where = ({ line }: GameEvent): string => `line ${line}`;

/** Throws to bases, balls put in play and hit batters are no pitch verbs. */
const PITCHES: Record<string, Parameters<VerbWriter['pitch']>[0] | undefined> = {
  ...Object.fromEntries([...'BIPV'].map((code) => [code, 'ball'])),
  ...Object.fromEntries([...'ACKMOQST'].map((code) => [code, 'strike'])),
  ...Object.fromEntries([...'FR'].map((code) => [code, 'foul'])),
  L: 'foul bunt',
};

/** Where the batter takes first, a runner there who is not told of goes on to second, and so on. */
function withForced(movements: readonly Movement[], bases: readonly (string | null)[]): Movement[] {
  const all = [...movements];
  for (let base = 1; base < 4; base++) {
    const comes = all.some(({ from, to, out }) => from === base - 1 && to === base && !out);
    if (!comes || bases[base] === null || all.some(({ from }) => from === base)) break;
    all.push({ from: base, to: base + 1, out: false });
  }
  return all.sort((a, b) => b.from - a.from);
}

/** Events grouped up to the play that ends a plate appearance, or up to the end of a half. */
function* plateAppearances(events: readonly GameEvent[]): Generator<{ events: GameEvent[]; batter: string }> {
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
