import { describe, expect, it } from 'vitest';
import { parameterShapes } from '../src/models/model.ts';
import { NotHere } from './side.ts';
import { openSide, sideEntries } from './sides.ts';
import { workloads, type Workload } from './workloads.ts';

const reference = 'blindfold-tfjs';
// How many threads there are changes no bit of a step: src/engine/runtimes/wasm/engine.test.ts.
const others = ['stock-wasm', 'jax-js-wasm-1', 'pytorch-1', 'blindfold-wasm-2'];

/** A workload with its model made small: what is tested is the sides' arithmetic. */
function small(name: string): Workload {
  const workload = workloads.find((candidate) => candidate.name === name)!;
  const shrunk = { ...workload.model, layers: 2, width: 32, context: 10 };
  const model = shrunk.kind === 'gpt2' ? { ...shrunk, heads: 2 } : shrunk;
  return { ...workload, model, parameters: parameterShapes(model), rows: 2, columns: 10 };
}

/** Losses of three steps, each side in a process of its own; null where the machine lacks what it needs. */
async function losses(name: string, workload: Workload): Promise<number[] | null> {
  try {
    const side = await openSide(
      sideEntries.find((entry) => entry.name === name)!,
      workload,
    );
    const taken = await side.steps(3);
    await side.dispose();
    return taken.losses;
  } catch (error) {
    if (error instanceof NotHere) return null;
    throw error;
  }
}

describe.each(['gpt-4x128-t128', 'lstm-2x256-t256'])('a small %s', (name) => {
  const workload = small(name);
  const expected = losses(reference, workload);

  for (const other of others)
    it(`has the same losses by ${other} as by ${reference} (needs both)`, async ({ skip }) => {
      const [wanted, found] = [await expected, await losses(other, workload)];
      if (wanted === null || found === null) return skip();
      // The first tests the forward pass, the next two every gradient and the update with its decay.
      found.forEach((loss, step) => expect(loss).toBeCloseTo(wanted[step], 4));
      expect(found[2]).toBeLessThan(found[0]);
    });
});
