import { expect, test } from 'vitest';
import { sampleConfig } from '../../../fixtures/sample-run.ts';
import { presets } from '../../config/presets.ts';
import { curveFigure, measuresOf, type RunCurve } from './curve-figure.ts';
import { numbersCsv, numbersJson } from './run-numbers.ts';

const score = (mean: number) => ({ mean, n: 8, ci95: [0, 1] as [number, number] });

function curve(id: string, scored: readonly string[], changes: Partial<RunCurve> = {}): RunCurve {
  const evaluation = (step: number) => ({
    ...{ step, devPerplexity: 40 - step },
    scores: { testbed: Object.fromEntries(scored.map((name) => [name, score(step / 10)])) },
  });
  return {
    run: {
      ...{ id, name: 'Twin', config: presets[0].config, status: 'finished', step: 4, parameters: 1, backend: 'wasm' },
      ...{ createdAt: 1, updatedAt: 1, loss: 2, evaluation: null },
    },
    ...{ step: 4, tokensSeen: 400, losses: Float32Array.of(4, 3, 2, 1), evaluations: [evaluation(0), evaluation(4)] },
    ...changes,
  };
}

test('only what all chosen runs have is offered', () => {
  const both = ['end-legal-short', 'end-legal-long'];
  const keys = (...curves: RunCurve[]) => measuresOf(curves).map(({ key }) => key);
  expect(keys(curve('a', both), curve('b', both))).toEqual([
    ...['loss', 'perplexity', 'testbed end-legal-short', 'testbed end-legal-long'],
  ]);
  expect(keys(curve('a', both), curve('b', both.slice(1)))).toEqual(['loss', 'perplexity', 'testbed end-legal-long']);
  // A perplexity a move beside one a token is none that can be shared.
  const token = curve('c', both);
  token.run = { ...token.run, config: { ...sampleConfig, domain: 'noughts', notation: 'cells' } };
  const units = [measuresOf([curve('a', both)]), measuresOf([token])].map((found) => found[1]?.title);
  expect(keys(curve('a', both), token).includes('perplexity')).toBe(units[0] === units[1]);
});

test('losses towards different targets are said not to compare, and their scores not', () => {
  const told = curve('a', ['end-legal-long']);
  const alone = curve('b', ['end-legal-long']);
  alone.run = { ...alone.run, config: { ...told.run.config, pieceWeight: 0 } };
  const said = (curves: RunCurve[], at: number) => {
    const measure = measuresOf(curves)[at];
    return curveFigure(curves, { measure, axis: 'steps', smoothing: 0 }).description.includes('different targets');
  };
  expect([said([told, alone], 0), said([told, alone], 2), said([told, told], 0)]).toEqual([true, false, false]);
});

test('curves of one name are told apart, and stand against steps or tokens', () => {
  const curves = [curve('a', ['end-legal-long']), curve('b', ['end-legal-long'], { step: 2, tokensSeen: 500 })];
  const [loss, , legal] = measuresOf(curves);
  const steps = curveFigure(curves, { measure: loss, axis: 'steps', smoothing: 0 });
  expect(steps.series.map(({ name }) => name)).toEqual(['Twin', 'Twin (2)']);
  expect(steps.series[0].points.map(({ x, y }) => [x, y])).toEqual([
    ...[
      [1, 4],
      [2, 3],
      [3, 2],
      [4, 1],
    ],
  ]);
  const tokens = curveFigure(curves, { measure: loss, axis: 'tokens', smoothing: 0 });
  expect(tokens.series.map(({ points }) => points[1].x)).toEqual([200, 500]);
  expect(tokens.description).toContain('The tokens of a step are the mean of its run');
  const scores = curveFigure(curves, { measure: legal, axis: 'steps', smoothing: 0 });
  expect(scores.series[0].points).toEqual([
    { x: 0, y: 0, ci95: [0, 100] },
    { x: 4, y: 40, ci95: [0, 100] },
  ]);
});

test('a smoothed loss ends at the mean of its last steps', () => {
  const losses = Float32Array.from({ length: 1000 }, (_, i) => i % 2);
  const curves = [curve('a', [], { losses, step: 1000 })];
  const [measure] = measuresOf(curves);
  const [{ points }] = curveFigure(curves, { measure, axis: 'steps', smoothing: 0.1 }).series;
  expect(points.length).toBeLessThanOrEqual(500);
  expect(points.at(-1)).toEqual({ x: 1000, y: 0.5, ci95: null });
});

test('the numbers of a run as JSON and as CSV', () => {
  const { run, ...numbers } = curve('a', ['end-legal-long']);
  expect(JSON.parse(numbersJson(run, numbers))).toMatchObject({
    ...{ record: { id: 'a', name: 'Twin' }, config: JSON.parse(JSON.stringify(run.config)) },
    ...{ curve: { step: 4, tokensSeen: 400, firstStep: 1, losses: [4, 3, 2, 1] }, evaluations: numbers.evaluations },
  });
  expect(numbersCsv(numbers).split('\r\n')).toEqual([
    ...['step,loss,perplexity,testbed end-legal-long', '0,,40,0', '1,4,,', '2,3,,', '3,2,,', '4,1,36,0.4', ''],
  ]);
});
