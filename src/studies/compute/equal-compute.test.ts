import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { expandSweep, parseSweep, type SweepEqual } from '../../config/sweep.ts';
import { withEqualCompute } from './equal-compute.ts';
import { operationsAStep, operationsOfRuns, parametersOf, tokensAStep } from './step-cost.ts';

const games = { events: 80, count: 1000 };

/** Runs of three kinds and two notations. */
const expanded = (changes: object = {}) => {
  const sweep = { version: 1, bases: ['nano', 'lstm', 'plain'], notations: ['uci', 'ap'], steps: 300, ...changes };
  return unwrap(expandSweep(unwrap(parseSweep(sweep)), games.count));
};
const equalised = (equal: SweepEqual, changes?: object) => unwrap(withEqualCompute(expanded(changes), equal, games));

test.each([
  ['flops', operationsAStep],
  ['tokens', tokensAStep],
] as const)('every run of a sweep has the %s of the first, to within half a step of its own', (equal, costOf) => {
  const runs = equalised(equal);
  const [first] = runs;
  expect(first.config.schedule.steps).toBe(300);
  expect(runs.map(({ name }) => name)).toEqual(expanded().map(({ name }) => name));
  for (const { config } of runs) {
    const step = costOf(config, games.events);
    expect(Math.abs(config.schedule.steps * step - 300 * costOf(first.config, games.events))).toBeLessThanOrEqual(
      step / 2,
    );
  }
  const total = operationsOfRuns(
    runs.map(({ config }) => config),
    games,
  );
  if (equal === 'flops') expect(total / operationsOfRuns([first.config], games) / runs.length).toBeCloseTo(1, 1);
  else expect(new Set(runs.map(({ config }) => config.schedule.steps)).size).toBeGreaterThan(1);
});

test('with equal parameters every model has about those of the first, and its tokens', () => {
  const runs = equalised('parameters', { notations: ['uci'] });
  const [first] = runs.map(({ config }) => config);
  for (const { config } of runs) {
    expect(Math.abs(parametersOf(config) / parametersOf(first) - 1)).toBeLessThan(0.15);
    const tokens = config.schedule.steps * tokensAStep(config, games.events);
    expect(Math.abs(tokens / (300 * tokensAStep(first, games.events)) - 1)).toBeLessThan(0.01);
  }
});

test('with equal parameters the first run stays as it is, whatever its width', () => {
  const [{ config }] = expanded({ bases: ['nano'], notations: ['uci'] });
  for (const model of [
    { ...config.model, width: 66, heads: 3 },
    { ...config.model, width: 64, mlp: 100 },
  ]) {
    const odd = { ...config, model } as typeof config;
    const [first, second] = equalised('parameters', { bases: [odd, 'nano'], notations: ['uci'] });
    expect(first.config.model).toEqual(model);
    expect(Math.abs(parametersOf(second.config) / parametersOf(odd) - 1)).toBeLessThan(0.15);
  }
});

test('passes over the games of the first are counted in steps, and none ends early', () => {
  const runs = equalised('flops', { steps: null, epochs: 3, limits: [100] });
  const { batch } = runs[0].config;
  expect(runs[0].config.schedule).toMatchObject({ steps: 3 * Math.ceil(100 / batch) });
  for (const { config } of runs) expect(config.schedule).toMatchObject({ epochs: null, patience: null, keep: 'last' });
});

test('games that are not known yet give no budget', () => {
  const early = withEqualCompute(expanded({ steps: null, epochs: 3 }), 'flops', { events: 80, count: null });
  expect(!early.ok && early.error.code).toBe('no-games');
});

test('a budget that is no training for a run is refused with its name', () => {
  const refused = withEqualCompute(
    expanded({ bases: ['nano', 'gpt2-medium'], notations: [], steps: 5 }),
    'flops',
    games,
  );
  expect(!refused.ok && refused.error).toMatchObject({
    code: 'too-little',
    message: expect.stringMatching(/^gpt2-medium.*less than two steps/),
  });
});
