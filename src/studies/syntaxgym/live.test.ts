import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { smallEngine } from '../../../fixtures/small-engine.ts';
import { tinyGpt2 } from '../../../fixtures/sample-run.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { presets } from '../../config/presets.ts';
import { parseRunConfig } from '../../config/run-config.ts';
import { Corpus } from '../../data/corpus.ts';
import { notationOf } from '../../domains/domains.ts';
import { initialParameters } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import { livePanels, makeRunWatch, panelsOf } from '../evaluate-run.ts';
import { computeSurprisals } from './compute-surprisals.ts';
import { accuracy, evaluate } from './evaluate.ts';
import { liveSuitesPath, syntaxgymLive } from './live.ts';
import { engineModel } from './models/engine-model.ts';
import { gameReader } from './models/game-tokenizer.ts';
import type { Suite } from './suite.ts';

const games = { train: Corpus.from([]), dev: Corpus.from([]), probe: Corpus.from([]) };
const config = unwrap(
  parseRunConfig({
    ...presets[0].config,
    notation: 'uci',
    model: tinyGpt2({ context: 352 }),
  }),
);
const notation = unwrap(notationOf(config));
const shipped = (path: string) => readFile(new URL(`../../../public/${path}`, import.meta.url), 'utf8');

it('scores a run by each shipped suite of its game, as the suites themselves would', async () => {
  const suites = (JSON.parse(await shipped(liveSuitesPath('chess'))) as Suite[])
    .slice(0, 2)
    .map((suite) => ({ ...suite, items: suite.items.slice(0, 4) }));
  const watch = unwrap(await syntaxgymLive.prepare(config, notation, games, async () => JSON.stringify(suites)));
  const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
  const parameters = initialParameters(model, seededRandom('weights'));
  const engine = await smallEngine(model, parameters);
  const scores = unwrap(await watch.evaluate(engine));
  for (const suite of suites) {
    const computed = unwrap(await computeSurprisals(suite, engineModel(engine, gameReader(notation), 'the same')));
    expect(scores[suite.meta.name]).toEqual(accuracy(evaluate(computed.suite)));
    expect(scores[suite.meta.name].n).toBe(4);
  }
  for (const label of ['bigram', 'position'] as const)
    expect(watch.panel().references.find((line) => line.label === label)?.values).toEqual(
      Object.fromEntries(suites.map(({ meta }) => [meta.name, meta.baselines![label]])),
    );
  engine.dispose();
});

it.each(['chess', 'baseball'])('has a curve for every shipped suite of %s', async (domain) => {
  const run = { ...config, domain, notation: domain === 'chess' ? 'uci' : 'splat' };
  const panels = livePanels(run, null);
  expect(panels.map(({ study }) => study)).toContain('syntaxgym');
  const panel = panels.find(({ study }) => study === 'syntaxgym')!;
  const drawn = panel.views.flatMap(({ charts }) => charts.flatMap(({ scores }) => scores.map(({ name }) => name)));
  const suites = JSON.parse(await shipped(liveSuitesPath(domain))) as Suite[];
  expect(drawn.sort()).toEqual(suites.map(({ meta }) => meta.name).sort());
});

it('draws nothing for a game without suites, or where the lab has come without them', async () => {
  const noughts = { ...config, domain: 'noughts', notation: 'splat' };
  expect(livePanels(noughts, null).filter(({ study }) => study === 'syntaxgym')).toEqual([]);
  const watch = unwrap(await makeRunWatch(config, notation, games, () => Promise.reject(new Error('404'))));
  expect(panelsOf(watch).map(({ study }) => study)).not.toContain('syntaxgym');
});
