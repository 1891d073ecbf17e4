import * as v from 'valibot';
import { fail, ok } from '../../base/result.ts';
import { INSTANCE_SEED } from '../../config/instance-seed.ts';
import { count } from '../../report/labels.ts';
import { PREFIX_RANGES, prefixRanges } from './prefix-ranges.ts';
import { numberSetting, switchSetting } from '../setting-fields.ts';
import type { GamesSet, Study } from '../study.ts';
import { assess } from './assess.ts';
import { AssessmentSchema, type Assessment } from './assessment.ts';
import { testbedLive } from './live.ts';
import { makeMaterial } from './material.ts';
import { readsSquares } from './reads-squares.ts';
import { publishedFor } from './published/published-for.ts';
import { gamesFacts, GamesFactsSchema, type GamesFacts } from './report/report-input.ts';
import { testbedHeadline } from './report/headline.ts';
import { testbedReport } from './report/html.ts';
import { questionsIn, recordedAssessment } from './recorded.ts';

const rangeNames = Object.fromEntries(PREFIX_RANGES.map((range) => [range, prefixRanges[range].join(' to ')]));

export const testbedSettings = v.object({
  instances: numberSetting('Positions of each kind', 100, { min: 1, max: 100_000 }),
  ranges: v.optional(
    v.pipe(
      v.array(v.picklist(PREFIX_RANGES)),
      v.minLength(1),
      v.title('After how many plies'),
      v.metadata({ labels: rangeNames }),
    ),
    ['long', 'short'],
  ),
  perplexityGames: numberSetting('Games for perplexity', 100, { min: 0, max: 1_000_000 }),
  randomPlay: switchSetting('Random play too', false),
  seed: numberSetting(null, INSTANCE_SEED, { min: 0, max: Number.MAX_SAFE_INTEGER }),
});
export type TestbedSettings = v.InferOutput<typeof testbedSettings>;

/** The chess testbed: perplexity and the four tasks, with every answer kept. */
export const testbed: Study<TestbedSettings, Assessment> = {
  name: 'testbed',
  title: 'Chess testbed',
  source: 'Toshniwal, Wiseman, Livescu and Gimpel, “Chess as a Testbed for Language Model State Tracking”, AAAI 2022',
  description:
    'The model is asked about positions from games that it never saw: where does this piece go, and where does such a piece stand? A model that tracks the board answers every question legally; one without a board answers as often as chance allows.',
  appliesTo: readsSquares,
  refusal:
    'This model reads whole verbs (SPLAT) or text, and here moves are asked for square by square. Ask it SPLAT’s questions, or choose another model.',
  settings: testbedSettings,
  games: 'probe',
  async assess(engine, { notation, about }, games, settings, measuring) {
    measuring.onProgress?.({ label: 'Choosing the positions to probe', share: 0 });
    const material = await makeMaterial(games!, { ...settings, ...measuring });
    if (!material.ok) return material;
    if (material.value.sets.every((set) => set.instances.length === 0))
      return fail(
        'no-held-out-games',
        'These games leave none to probe with: every one is too short, or its opening is among the training games. Take a set with at least a hundred games.',
      );
    const scores = await assess(engine, notation, material.value, measuring);
    return scores.ok ? ok({ version: 1, subject: about, ...scores.value }) : scores;
  },
  live: testbedLive,
  publishedFor,
  stored: {
    schema: AssessmentSchema,
    games: { of: 'asked', schema: GamesFactsSchema, count: gamesFactsOf },
    // Table 9 and Figure 3 have room for one set.
    report: (assessments, games) =>
      testbedReport({ assessments, games: games.length === 1 ? (games[0] as GamesFacts) : null }),
    headline: testbedHeadline,
    recorded: recordedAssessment,
    label({ sets }) {
      const most = Math.max(0, ...sets.filter(({ recorded }) => recorded?.of === undefined).map(questionsIn));
      const asked = PREFIX_RANGES.filter((range) => sets.some((set) => set.range === range));
      const random = sets.some(({ source }) => source === 'random play') ? ', random play too' : '';
      const plies = asked.map((range) => prefixRanges[range].join('–')).join(' and ');
      return `${count(most)} positions of each kind after ${plies} plies${random}`;
    },
  },
};

/** Table 9 and Figure 3 tell of the games themselves. */
export function gamesFactsOf(set: GamesSet): GamesFacts {
  const { name, train, dev, test, probe } = set;
  return gamesFacts(name, {
    train,
    dev,
    ...(test.length > 0 ? { test } : {}),
    // Without games of its own, the split "probe" is another one.
    ...(probe === test || probe === dev ? {} : { probe }),
  });
}
