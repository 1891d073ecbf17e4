import { describe, expect, it } from 'vitest';
import { smallEngine } from '../../../fixtures/small-engine.ts';
import { tinyGpt2 } from '../../../fixtures/sample-run.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { presets } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { Corpus } from '../../data/corpus.ts';
import { chess } from '../../domains/chess/chess.ts';
import { notationOf } from '../../domains/domains.ts';
import { initialParameters } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import { perplexity } from '../asking/perplexity.ts';
import { evaluateRun, makeRunWatch, measuresNothing } from '../evaluate-run.ts';
import type { LivePanel } from '../live.ts';
import { testbed } from './study.ts';
import { askTasks } from './tasks.ts';
import { makeInstances } from './instances.ts';
import { baselines } from './live.ts';
import { INSTANCE_SEED } from '../../config/instance-seed.ts';

const lines = [
  'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6',
  'd2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7',
  'c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5',
];
const corpus = Corpus.from(lines.map((line) => unwrap(chess.traces.parse(line))));
const games = { train: corpus.first(1), dev: corpus, probe: corpus };
const config: RunConfig = {
  ...presets[0].config,
  ...{ domain: 'chess', notation: 'rap:15', questions: null, evaluation: { every: 10, games: 3, instances: 24 } },
  model: tinyGpt2({ width: 32, context: 64 }),
};
const notation = unwrap(notationOf(config));
const labels = (panel: LivePanel, score: string) =>
  panel.references.filter(({ values }) => score in values).map(({ label }) => label);

describe('a run of the testbed', () => {
  it('is scored by the tasks on its instances, and by perplexity a move', async () => {
    const watch = unwrap(await makeRunWatch(config, notation, games));
    expect(measuresNothing(watch)).toBe(false);
    const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
    const parameters = initialParameters(model, seededRandom('w'));
    const engine = await smallEngine(model, parameters);
    const { step, devPerplexity, scores } = unwrap(await evaluateRun(engine, watch, { step: 1 }));
    expect(step).toBe(1);
    const held = unwrap(await perplexity(engine, [...corpus], notation, { rowsPerBatch: 8 }));
    expect(devPerplexity).toBeCloseTo(held.perplexity, 6);
    const instances = await makeInstances(games.probe, {
      ...{ range: [5, 50], n: 24, seed: INSTANCE_SEED, avoid: games.train },
    });
    expect(instances.length).toBeGreaterThan(0);
    const answers = await askTasks(engine, notation, instances, {
      tasks: ['end-actual', 'start-actual'],
      rowsPerBatch: 8,
    });
    for (const [task, name] of [['end-actual', 'end'] as const, ['start-actual', 'start'] as const])
      for (const measure of ['legal', 'exact'] as const) {
        const right = answers.filter((answer) => answer.task === task && answer[measure]).length;
        expect(scores.testbed[`${name}-${measure}-short`]).toMatchObject({
          mean: right / instances.length,
          n: instances.length,
        });
      }
    const spelt = answers.filter(({ task, error }) => task === 'end-actual' && error !== 'unreachable').length;
    expect(scores.testbed['end-spelt-short'].mean).toBe(spelt / instances.length);
    // None of the games has 51 plies.
    expect(scores.testbed['end-legal-long']).toEqual({ mean: null, n: 0, ci95: null });
    engine.dispose();
    const panel = watch.studies[0].watch.panel();
    expect(panel.views[0].note).toContain(`in ${instances.length} positions`);
    const drawn = panel.views.flatMap(({ charts }) => charts).flatMap((chart) => chart.scores);
    expect(drawn.map(({ name }) => name).sort()).toEqual(Object.keys(scores.testbed).sort());
  });

  it('finds nothing to ask where no game fits', async () => {
    const watch = unwrap(await makeRunWatch(config, notation, { ...games, probe: games.train }));
    expect(measuresNothing(watch)).toBe(true);
  });

  it('has lines for what knows no board, and for a random legal answer, which is always legal', async () => {
    const panel = unwrap(await makeRunWatch(config, notation, games)).studies[0].watch.panel();
    expect(labels(panel, 'end-exact-short')).toEqual(['no board', 'random legal']);
    expect(labels(panel, 'end-legal-short')).toEqual(['no board']);
    expect(labels(panel, 'start-exact-short')).toEqual(['random legal']);
    expect(labels(panel, 'start-legal-short')).toEqual([]);
  });

  it('counts the bigram’s commonest destination on the instances', async () => {
    const instances = await makeInstances(games.probe, { range: [5, 50], n: 24, seed: INSTANCE_SEED });
    const sets = { short: instances, long: [] };
    const [{ values }] = baselines(sets, {
      destination: (_side, from) => (from === 6 ? 21 : -1),
    });
    const asked = instances.filter((one) => one.starting_square === 'g1');
    const played = asked.filter((one) => one.ending_square === 'f3').length;
    expect(values['end-exact-short']).toBeCloseTo(played / instances.length, 9);
    expect(values['end-exact-long']).toBe(0);
  });

  it('has the paper’s values before its games are read, of long prefixes alone', () => {
    const panel = testbed.live!.panel(config, 15_000);
    expect(labels(panel, 'end-legal-long')).toEqual(['Train-S']);
    expect(labels(panel, 'end-legal-short')).toEqual([]);
    expect(panel.views.map(({ note }) => note.includes('Train-S'))).toEqual([false, true]);
    expect(testbed.live!.panel(config, 30_000).references).toEqual([]);
  });

  it('says why UCI has no Start curve', () => {
    const empties = (notation: string) =>
      testbed.live!.panel({ ...config, notation }, null).views[0].charts.map(({ empty }) => empty);
    expect(empties('uci')).toEqual([undefined, 'UCI has no piece names to ask with']);
    expect(empties('rap:15')).toEqual([undefined, undefined]);
  });
});
