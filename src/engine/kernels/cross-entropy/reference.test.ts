import { describe, expect, it } from 'vitest';
import { batchOf, parityCase, tokens } from '../parity-case.ts';
import { runReference } from '../run-reference.ts';
import { validSets } from './cases.ts';

const plain = batchOf([[9], [1], [4]], { vocabulary: 9 });

describe.each([
  ['towards targets', plain],
  ['towards sets', { ...plain, valid: validSets(plain, 9, 0.4) }],
  ['towards targets within sets', { ...plain, valid: validSets(plain, 9, 0.4), validWeight: 2 }],
])('the reference of cross-entropy %s', (_, batch) => {
  const vocabulary = 9;
  const logits = tokens(vocabulary);
  const loss = tokens(1);
  const { call, contents, context } = parityCase('slopes', { kernel: 'crossEntropy', logits, loss }, { batch });
  const run = (move = -1, by = 0) => {
    const values = new Map([...contents].map(([id, array]) => [id, Float64Array.from(array)]));
    if (move >= 0) values.get(logits.id)![move] += by;
    runReference(call, values, context);
    const sum = values.get(loss.id)!.reduce((a, b) => a + b, 0);
    return { mean: sum / batch.targetCount, gradient: values.get(logits.id)! };
  };

  it('leaves the gradient of the mean loss', () => {
    const { gradient } = run();
    gradient.forEach((found, i) => {
      const slope = (run(i, 1e-5).mean - run(i, -1e-5).mean) / 2e-5;
      expect(Math.abs(found - slope)).toBeLessThan(1e-9);
    });
  });

  it('counts no row that has no target', () => {
    const free = batch.targets.indexOf(-1);
    expect(free).toBeGreaterThanOrEqual(0);
    expect([...run().gradient.subarray(free * vocabulary, (free + 1) * vocabulary)]).toEqual(
      new Array(vocabulary).fill(0),
    );
  });
});

it('against a set is the mean of what each member would lose alone; beside a target, the sum of their chances', () => {
  const logits = tokens(9);
  const loss = tokens(1);
  const losses = (batch: typeof plain): Float64Array => {
    const { call, contents, context } = parityCase('sets', { kernel: 'crossEntropy', logits, loss }, { batch });
    const values = new Map([...contents].map(([id, array]) => [id, Float64Array.from(array)]));
    runReference(call, values, context);
    return values.get(loss.id)!;
  };
  const valid = validSets(plain, 9, 0.4);
  const found = losses({ ...plain, valid });
  const alone = Array.from({ length: 9 }, (_, v) => losses({ ...plain, targets: plain.targets.map(() => v) }));
  plain.targets.forEach((target, n) => {
    const members = alone.filter((_, v) => (valid[n] >> v) & 1).map((one) => one[n]);
    const wanted = target < 0 ? 0 : members.reduce((a, b) => a + b, 0) / members.length;
    expect(found[n]).toBeCloseTo(wanted, 10);
  });
  const target = losses(plain);
  losses({ ...plain, valid, validWeight: 2 }).forEach((loss, n) => {
    const chance = alone.reduce((sum, one, v) => sum + ((valid[n] >> v) & 1) * Math.exp(-one[n]), 0);
    expect(loss).toBeCloseTo(plain.targets[n] < 0 ? 0 : target[n] - 2 * Math.log(chance), 10);
  });
});
