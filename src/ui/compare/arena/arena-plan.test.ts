import { expect, test } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { presetNamed } from '../../../config/presets.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { operationsAStep, parametersOf, tokensAStep } from '../../../studies/compute/step-cost.ts';
import { GIGA, withParameters, type Budget } from '../../../studies/compute/equal-compute.ts';
import { paired, planned, type Pair } from './arena-plan.ts';

const preset = (name: string): RunConfig => presetNamed(name)!.config;
const EVENTS = 80;
const nanoAndLstm: Pair<RunConfig> = [preset('nano'), preset('lstm')];

/** Of each run of a budget: its steps, tokens and FLOPs by the estimate. */
function costs(configs: Pair<RunConfig>, budget: Budget, speeds: Pair<number> | null = null) {
  const runs = unwrap(planned(unwrap(paired(configs, budget.equal)), budget, EVENTS, speeds));
  return runs.map((run) => {
    const { steps } = run.schedule;
    return { steps, tokens: steps * tokensAStep(run, EVENTS), flops: steps * operationsAStep(run, EVENTS) };
  });
}

test('equal tokens are the same steps on the same batches, whatever the right model brings', () => {
  const plain = { ...preset('plain'), seed: 7, data: { games: 'mine', manifest: '', limit: 5 } };
  const [left, right] = unwrap(paired([preset('deep'), plain], 'tokens'));
  for (const field of ['domain', 'data', 'notation', 'batch', 'seed', 'objective', 'evaluation'] as const)
    expect(right[field]).toEqual(left[field]);
  expect(right.model.context).toBe(left.model.context);
  expect([right.model.kind, right.optimizer]).toEqual(['gpt2', plain.optimizer]);
  const [a, b] = costs([preset('deep'), plain], { equal: 'tokens', amount: 1e6 });
  expect(a.steps).toBe(b.steps);
  expect(Math.abs(a.tokens - 1e6)).toBeLessThanOrEqual(tokensAStep(left, EVENTS) / 2);
});

test('equal FLOPs are equal to within half a step of each', () => {
  const amount = 500;
  const configs = unwrap(paired(nanoAndLstm, 'flops'));
  const found = costs(nanoAndLstm, { equal: 'flops', amount });
  expect(found[0].steps).toBeGreaterThan(2 * found[1].steps);
  for (const [at, { flops }] of found.entries()) {
    const step = operationsAStep(configs[at], EVENTS);
    expect(Math.abs(flops - amount * GIGA)).toBeLessThanOrEqual(step / 2);
  }
});

test('equal seconds follow from the speed of each', () => {
  const found = costs(nanoAndLstm, { equal: 'seconds', amount: 20 }, [30, 12.5]);
  expect(found.map(({ steps }) => steps)).toEqual([600, 250]);
});

test.each(['lstm', 'plain', 'qwen3-tiny', 'tiny', 'performer-tiny'])(
  'the width of %s is found at which it has about as many parameters as another model',
  (name) => {
    const [left, right] = unwrap(paired([preset('nano'), preset(name)], 'parameters'));
    expect(Math.abs(parametersOf(right) / parametersOf(left) - 1)).toBeLessThan(0.15);
    // No neighbour is nearer.
    const again = unwrap(withParameters(right, parametersOf(left)));
    expect(again.model.width).toBe(right.model.width);
  },
);

test('the gated unit keeps its share of the width', () => {
  const tiny = preset('tiny');
  const half = { ...tiny, model: { ...tiny.model, width: 64, mlp: 64 } as RunConfig['model'] };
  expect(unwrap(withParameters(tiny, parametersOf(half)))).toEqual(half);
});

test('a budget of no training at all, or a size that no width has, is refused with what to do', () => {
  const none = planned(nanoAndLstm, { equal: 'tokens', amount: 1 }, EVENTS);
  expect(!none.ok && none.error).toMatchObject({ code: 'too-little', message: expect.stringContaining('more') });
  const endless = planned(nanoAndLstm, { equal: 'tokens', amount: 1e15 }, EVENTS);
  expect(!endless.ok && endless.error.code).toBe('too-many-steps');
  const small = withParameters(preset('lstm'), 10);
  expect(!small.ok && small.error.message).toContain('another model');
});

test('both runs begin with random weights, go to their last step, and are evaluated ten times on the way', () => {
  const started = { ...preset('nano'), from: { id: 'run-1', name: 'Another' } };
  const patient = { ...preset('lstm'), schedule: { ...preset('lstm').schedule, epochs: 3, patience: 1 } };
  const configs = unwrap(paired([started, patient], 'tokens'));
  for (const run of unwrap(planned(configs, { equal: 'tokens', amount: 1e6 }, EVENTS))) {
    expect(run).toMatchObject({
      from: null,
      questions: null,
      schedule: { epochs: null, patience: null, keep: 'last' },
    });
    expect(run.schedule.steps / run.evaluation.every).toBeCloseTo(10, 0);
  }
});
