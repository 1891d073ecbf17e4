import { describe, expect, it } from 'vitest';
import { batchOf, parityCase, tokens } from '../parity-case.ts';
import { runTwin } from '../run-twin.ts';

describe('the twin of cross-entropy', () => {
  const vocabulary = 9;
  const batch = batchOf([[9], [1], [4]], { vocabulary });
  const logits = tokens(vocabulary);
  const loss = tokens(1);
  const { call, contents, context } = parityCase('slopes', { kernel: 'crossEntropy', logits, loss }, { batch });
  const run = (move = -1, by = 0) => {
    const values = new Map([...contents].map(([id, array]) => [id, Float64Array.from(array)]));
    if (move >= 0) values.get(logits.id)![move] += by;
    runTwin(call, values, context);
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
