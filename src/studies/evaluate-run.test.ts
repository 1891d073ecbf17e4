import { afterEach, beforeEach, expect, it } from 'vitest';
import { scriptedEngine } from '../../fixtures/scripted-engine.ts';
import { listToy } from '../../fixtures/toy-study.ts';
import { unwrap } from '../base/result.ts';
import { presets } from '../config/presets.ts';
import type { RunConfig } from '../config/run-config.ts';
import { Corpus } from '../data/corpus.ts';
import { chess } from '../domains/chess/chess.ts';
import { notationOf } from '../domains/domains.ts';
import { evaluateRun, livePanels, makeRunWatch, measuresNothing, panelsOf } from './evaluate-run.ts';
import { headlines, summaryLine } from './score-summary.ts';

const game = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7';
const corpus = Corpus.from([unwrap(chess.traces.parse(game))]);
const games = { train: Corpus.from([]), dev: corpus, probe: corpus };
const configOf = (notation: string): RunConfig => ({
  ...presets[0].config,
  ...{ domain: 'chess', notation, evaluation: { every: 10, games: 3, instances: 4 } },
});

let takeOff: () => void;
beforeEach(() => (takeOff = listToy()));
afterEach(() => takeOff());

it.each([
  ['uci', ['testbed', 'toy']],
  ['splat', ['splat', 'toy']],
])('a study on the list is live beside the others for a run of %s', async (name, studies) => {
  const config = configOf(name);
  const notation = unwrap(notationOf(config));
  // Suites are files, and none are at hand here.
  expect(livePanels(config, null).map(({ study }) => study)).toEqual([studies[0], 'syntaxgym', studies[1]]);
  const watch = unwrap(await makeRunWatch(config, notation, games));
  expect(panelsOf(watch).map(({ study }) => study)).toEqual(studies);
  const engine = scriptedEngine(notation.vocabulary, () => ({}), 352);
  const evaluation = unwrap(await evaluateRun(engine, watch, { step: 3 }));
  expect(Object.keys(evaluation.scores)).toEqual(studies);
  expect(evaluation.scores.toy.entropy.mean).toBeCloseTo(
    Math.log2(notation.vocabulary.size - notation.mutedInEvaluation.length),
    3,
  );
  const all = headlines(livePanels(config, null), evaluation);
  expect(all.at(-1)).toMatchObject([{ title: 'entropy', unit: 'bits' }]);
  expect(summaryLine(livePanels(config, null), evaluation)).toMatch(/entropy \d+\.\d\d bits$/);
});

it('what one study finds nothing to ask in, another may', async () => {
  const config = configOf('uci');
  const notation = unwrap(notationOf(config));
  const without = { ...games, probe: Corpus.from([]) };
  expect(measuresNothing(unwrap(await makeRunWatch(config, notation, without)))).toBe(false);
  takeOff();
  expect(measuresNothing(unwrap(await makeRunWatch(config, notation, without)))).toBe(true);
  takeOff = listToy();
  const noDev = { ...games, dev: Corpus.from([]) };
  expect(measuresNothing(unwrap(await makeRunWatch(config, notation, noDev)))).toBe(true);
});

it('the line of an evaluation puts ranges of one score together', () => {
  const share = (mean: number | null) => ({ mean, n: 10, ci95: null });
  const scores = {
    testbed: {
      'end-legal-short': share(0.604),
      'end-exact-short': share(0.2),
      'start-legal-short': share(null),
      'end-legal-long': share(0.4),
      'start-legal-long': share(0.7),
    },
  };
  const panels = livePanels(configOf('rap:15'), null);
  expect(summaryLine(panels, { step: 1, devPerplexity: 2, scores })).toBe(
    'End legal 60% short, 40% long; Start legal - short, 70% long',
  );
  const splat = livePanels({ ...configOf('splat') }, null);
  const verbs = { splat: { 'legal-verbs': share(0.5) }, toy: { entropy: share(3) } };
  expect(summaryLine(splat, { step: 1, devPerplexity: 2, scores: verbs })).toBe('legal verbs 50%, entropy 3.00 bits');
});
