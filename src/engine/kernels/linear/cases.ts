import type { Linear, LinearGradient } from '../../plan/plan.ts';
import {
  batches,
  batchOf,
  batchWithHistory,
  matrix,
  namedBatches,
  parityCase,
  tokens,
  type ParityCase,
} from '../parity-case.ts';

/** Inputs and outputs: odd, usual, wide, and heads of small and large vocabularies. */
const shapes = [
  [6, 6],
  [20, 60],
  [6, 77],
  [130, 520],
  [64, 192],
  [520, 130],
  [20, 144],
  [1, 3],
  [20, 4390],
] as const;

export function linearCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const [inputs, outputs] of shapes)
    for (const transposed of [false, true]) {
      const named = outputs > 1000 ? namedBatches.filter(([at]) => at === 'several rows') : namedBatches;
      for (const [at, batch] of named) {
        const name = `${inputs} to ${outputs}${transposed ? ', transposed' : ''}, ${at}`;
        list.push(
          parityCase(name, linear(inputs, outputs, { transposed }), { batch }),
          parityCase(name, linearGradient(inputs, outputs, { transposed }), { batch }),
          parityCase(name, weightGradient(inputs, outputs, transposed, 0), { batch }),
        );
      }
    }
  for (const [inputs, outputs] of [
    [6, 20],
    [130, 130],
  ]) {
    const batch = batches['several rows'];
    const name = `${inputs} to ${outputs}`;
    const both = linear(inputs, outputs, { bias: true, gelu: true, residual: true });
    list.push(
      parityCase(`${name}, bias`, linear(inputs, outputs, { bias: true }), { batch }),
      parityCase(`${name}, two biases`, linear(inputs, outputs, { bias: true, bias2: true, transposed: true }), {
        batch,
      }),
      parityCase(`${name}, GELU`, linear(inputs, outputs, { gelu: true }), { batch }),
      parityCase(`${name}, residual`, linear(inputs, outputs, { residual: true }), { batch }),
      parityCase(`${name}, bias, GELU and residual`, both, { batch }),
      parityCase(`${name}, later rows`, linear(inputs, outputs, { bias: true }), { batch: batchWithHistory }),
      parityCase(`${name}, through GELU`, linearGradient(inputs, outputs, { before: true }), { batch }),
      parityCase(`${name}, one bias`, weightGradient(inputs, outputs, false, 1), { batch }),
      parityCase(`${name}, two biases`, weightGradient(inputs, outputs, true, 2), { batch }),
    );
  }
  // More tokens than the products' blocks are deep.
  const batch = batchOf([[300], [7]]);
  list.push(parityCase('130 to 20, many tokens', weightGradient(130, 20, false, 0), { batch }));
  return list;
}

type Flags<K extends string> = { [key in K]?: boolean };

function linear(
  inputs: number,
  outputs: number,
  { transposed = false, ...has }: Flags<'transposed' | 'bias' | 'bias2' | 'gelu' | 'residual'>,
): Linear {
  return {
    kernel: 'linear',
    x: tokens(inputs),
    weight: transposed ? matrix(outputs, inputs) : matrix(inputs, outputs),
    transposed,
    bias: has.bias ? matrix(1, outputs) : null,
    bias2: has.bias2 ? matrix(1, outputs) : null,
    activation: has.gelu ? 'gelu' : null,
    before: has.gelu ? tokens(outputs) : null,
    residual: has.residual ? tokens(outputs) : null,
    out: tokens(outputs),
  };
}

function linearGradient(
  inputs: number,
  outputs: number,
  { transposed = false, before = false }: Flags<'transposed' | 'before'>,
): LinearGradient {
  return {
    kernel: 'linearGradient',
    dOut: tokens(outputs),
    weight: transposed ? matrix(outputs, inputs) : matrix(inputs, outputs),
    transposed,
    before: before ? tokens(inputs) : null,
    dX: tokens(inputs),
  };
}

function weightGradient(inputs: number, outputs: number, transposed: boolean, biases: number): ParityCase['call'] {
  return {
    kernel: 'weightGradient',
    x: tokens(inputs),
    dOut: tokens(outputs),
    transposed,
    dWeight: transposed ? matrix(outputs, inputs) : matrix(inputs, outputs),
    dBias: biases > 0 ? matrix(1, outputs) : null,
    dBias2: biases > 1 ? matrix(1, outputs) : null,
  };
}
