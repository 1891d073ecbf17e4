import { expect, it } from 'vitest';
import { SNAPSHOT_BUDGET, snapshotPlan } from './snapshot-plan.ts';

const plan = (steps: number, every: number, parameters: number) =>
  snapshotPlan({ schedule: { steps } as never, evaluation: { every } as never }, parameters);

it('spaces steps evenly in the logarithm, from the first weights to before the last', () => {
  const { steps, bytes } = plan(100_000, 1, 1e6);
  expect(steps).toHaveLength(24);
  expect(steps[0]).toBe(0);
  expect(steps[1]).toBe(10);
  const ratios = steps.slice(2).map((step, i) => step / steps[i + 1]);
  for (const ratio of ratios) expect(ratio).toBeCloseTo((100_000 / 10) ** (1 / 23), 1);
  expect(steps.at(-1)! * ratios.at(-1)!).toBeGreaterThan(95_000);
  expect(bytes).toBe(24 * 2e6);
});

it('takes steps that have scores, once there are any', () => {
  const { steps } = plan(2000, 100, 1e6);
  for (const step of steps) expect(step < 100 || step % 100 === 0).toBe(true);
  expect(steps).toContain(300);
  expect(steps.length).toBeGreaterThan(15);
  expect(new Set(steps).size).toBe(steps.length);
});

it('has fewer of a larger model, within the budget, and none where they would show no course', () => {
  for (const parameters of [1e3, 1e6, 4e6, 1.6e7, 2.2e7, 1e9]) {
    const { steps, bytes } = plan(5000, 250, parameters);
    expect(bytes).toBeLessThanOrEqual(SNAPSHOT_BUDGET);
    expect(bytes).toBe(2 * parameters * steps.length);
  }
  expect(plan(100_000, 1, 8e6).steps).toHaveLength(8);
  expect(plan(100_000, 1, 1e9).steps).toEqual([]);
});

it('is as short as the run', () => {
  expect(plan(1, 1, 1e6).steps).toEqual([0]);
  expect(plan(3, 100, 1e6).steps).toEqual([0, 1, 2]);
});
