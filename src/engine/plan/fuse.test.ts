import { expect, it } from 'vitest';
import { buildPlan } from './build-plan.ts';
import { fuse } from './fuse.ts';

it('makes three more calls a layer of a shift: its norm, itself and its gradient; the sums of its weight join the rest', () => {
  const calls = (layers: number, shift: number) => {
    const model = { layers, width: 16, heads: 2, mlp: 24, context: 24, vocabulary: 13 } as const;
    const plan = buildPlan({ kind: 'qwen3', ...model, window: null, rotaryBase: 100, slots: null, shift }, true);
    return fuse([...plan.forward, ...plan.backward], [plan.loss!]);
  };
  const [plain, shifted] = [calls(4, 0), calls(4, 3)].map((list) => list.map(({ kernel }) => kernel));
  expect(shifted.length - plain.length).toBe(12);
  expect(plain).not.toContain('norm');
  for (const kernel of ['norm', 'shift', 'shiftGradient'])
    expect(shifted.filter((name) => name === kernel)).toHaveLength(4);
  const gradients = calls(4, 3).filter((call) => call.kernel === 'weightGradients');
  expect(gradients.flatMap(({ shifts }) => shifts)).toHaveLength(4);
  expect(gradients).toHaveLength(plain.filter((name) => name === 'weightGradients').length);
});
