import * as v from 'valibot';
import { issueText } from '../../config/issue-text.ts';
import { Budget } from '../../base/budget.ts';
import { parseJson } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { VerbWriter, type Movement, type Recorded, type VerbGame } from './verb-writer.ts';

const player = v.looseObject({ id: v.number() });
const base = v.nullish(v.string());

const PlayEvent = v.looseObject({
  details: v.looseObject({
    code: v.nullish(v.string()),
    call: v.nullish(v.looseObject({ code: v.nullish(v.string()) })),
    eventType: v.nullish(v.string()),
  }),
  isPitch: v.nullish(v.boolean()),
  isSubstitution: v.nullish(v.boolean()),
  player: v.nullish(player),
  base: v.nullish(v.number()),
});

const Runner = v.looseObject({
  movement: v.looseObject({ start: base, end: base, outBase: base, isOut: v.nullish(v.boolean()) }),
  details: v.looseObject({ runner: player, playIndex: v.nullish(v.number()) }),
});

const Play = v.looseObject({
  result: v.looseObject({
    type: v.nullish(v.string()),
    eventType: v.nullish(v.string()),
    awayScore: v.nullish(v.number()),
    homeScore: v.nullish(v.number()),
  }),
  about: v.looseObject({ inning: v.number(), isTopInning: v.boolean() }),
  count: v.looseObject({ outs: v.nullish(v.number()) }),
  matchup: v.looseObject({
    batter: player,
    postOnFirst: v.nullish(player),
    postOnSecond: v.nullish(player),
    postOnThird: v.nullish(player),
  }),
  runners: v.optional(v.array(Runner), []),
  playEvents: v.optional(v.array(PlayEvent), []),
});

const Feed = v.looseObject({
  gamePk: v.union([v.number(), v.string()]),
  gameData: v.looseObject({
    teams: v.looseObject({
      away: v.looseObject({ abbreviation: v.optional(v.string(), '') }),
      home: v.looseObject({ abbreviation: v.optional(v.string(), '') }),
    }),
  }),
  liveData: v.looseObject({ plays: v.looseObject({ allPlays: v.array(Play) }) }),
});

/**
 * A game of MLB's StatsAPI (the live feed of one game as JSON) as SPLAT verbs. Its own record is exact: inning, half,
 * outs, occupied bases and the score after every plate appearance.
 * Failures: `bad-statsapi`, naming the field.
 */
export function statsapiVerbs(text: string, name: string, budget = new Budget(name)): Result<VerbGame> {
  const value = parseJson(text, name, budget);
  if (!value.ok)
    return fail('bad-statsapi', `${name}: not whole JSON; download the game's feed again.`, { file: name });
  const feed = v.safeParse(Feed, value.value);
  if (!feed.success) {
    return fail(
      'bad-statsapi',
      `${name}: ${issueText(feed.issues, 'the file')}. A game's live feed of the StatsAPI is wanted.`,
      { file: name },
    );
  }
  const { gamePk, gameData, liveData } = feed.output;
  const { writer, records, score } = write(liveData.plays.allPlays);
  return ok({
    id: String(gamePk),
    away: gameData.teams.away.abbreviation,
    home: gameData.teams.home.abbreviation,
    ...{ tokens: writer.tokens, records, runs: score, problems: writer.problems },
  });
}

function write(plays: readonly v.InferOutput<typeof Play>[]) {
  const writer = new VerbWriter();
  const records: Recorded[] = [];
  let score: [number, number] = [0, 0];
  plays.forEach((play, index) => {
    const at = `play ${index + 1}`;
    writer.enter(at, play.about.inning, play.about.isTopInning ? 0 : 1);
    // The runner of extra innings is there before the batter.
    for (const event of play.playEvents)
      if (event.details.eventType === 'runner_placed' && event.player)
        writer.place(String(event.player.id), event.base ?? 2);
    writer.begin(String(play.matchup.batter.id));
    const last = Math.max(0, play.playEvents.length - 1);
    const steps = play.playEvents.length === 0 ? [null] : play.playEvents;
    steps.forEach((event, step) => {
      const kind = event?.isPitch ? PITCHES[event.details.call?.code ?? event.details.code ?? ''] : undefined;
      if (kind) writer.pitch(kind);
      if (event?.isSubstitution && event.details.eventType === 'offensive_substitution' && event.player && event.base)
        writer.substitute(String(event.player.id), event.base);
      const hit = step === last && HITS.has(play.result.eventType ?? '');
      if (hit) writer.hit();
      const moved = play.runners.filter(({ details }) => Math.min(last, details.playIndex ?? last) === step);
      if (event?.details.eventType !== 'runner_placed') writer.move(movementsOf(moved), !hit, at);
    });
    const { postOnFirst, postOnSecond, postOnThird } = play.matchup;
    records.push({
      ...{ at, tokens: writer.tokens.length, ...writer.now, outs: play.count.outs ?? null, count: null },
      // After the third out the feed has forgotten the runners.
      runners: play.count.outs === 3 ? null : [Boolean(postOnFirst), Boolean(postOnSecond), Boolean(postOnThird)],
    });
    writer.end();
    score = [play.result.awayScore ?? score[0], play.result.homeScore ?? score[1]];
  });
  return { writer, records, score };
}

const HITS = new Set(['single', 'double', 'triple', 'home_run']);

const PITCHES: Record<string, Parameters<VerbWriter['pitch']>[0] | undefined> = {
  ...Object.fromEntries(['B', '*B', 'I', 'P', 'V', 'VP', 'VC', 'VB', 'VS'].map((code) => [code, 'ball'])),
  ...Object.fromEntries(['A', 'AC', 'AB', 'C', 'S', 'W', 'Q', 'M', 'T', 'O', 'K'].map((code) => [code, 'strike'])),
  ...Object.fromEntries(['F', 'R'].map((code) => [code, 'foul'])),
  L: 'foul bunt',
};

const BASE_NUMBERS: Record<string, number> = { '1B': 1, '2B': 2, '3B': 3, score: 4, '4B': 4 };

/** Runners from the lead runner to the batter; one who moves in several stages moves once, from the first to the last. */
function movementsOf(runners: readonly v.InferOutput<typeof Runner>[]): Movement[] {
  const moves = new Map<number, Movement>();
  for (const { movement, details } of runners) {
    const from = BASE_NUMBERS[movement.start ?? ''] ?? 0;
    const out = movement.isOut === true;
    const to = BASE_NUMBERS[(out ? movement.outBase : movement.end) ?? ''] ?? from;
    const before = moves.get(details.runner.id);
    if (before) moves.set(details.runner.id, { from: before.from, to, out: before.out || out });
    else moves.set(details.runner.id, { from, to: out ? Math.max(to, 1) : to, out });
  }
  return [...moves.values()].sort((a, b) => b.from - a.from);
}
