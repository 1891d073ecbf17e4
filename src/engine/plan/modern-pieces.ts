import type { ModernLayout } from '../../models/modern.ts';
import type { Buffer } from './plan.ts';
import type { Tape } from './tape.ts';

/** Part of a modern network, its forward calls written: what comes out, and how the backward calls go on. */
export interface Piece {
  out: Buffer;
  /** Writes the calls for the gradients of the weights and of the input, which it returns. */
  backward: (dOut: Buffer) => Buffer;
}

/** An RMSNorm of rows; `around` is the gradient that went round it. */
export function normed(
  tape: Tape,
  { width, epsilon }: ModernLayout,
  x: Buffer,
  name: string,
): { out: Buffer; backward: (dOut: Buffer, around: Buffer | null) => Buffer } {
  const kind = 'rms';
  const out = tape.activation(`${name}, normalised`, width);
  const statistics = tape.activation(`${name}, statistics`, 2);
  const weight = tape.weight(name);
  tape.forward.push({ kernel: 'norm', kind, epsilon, x, weight, bias: null, out, statistics });
  return {
    out,
    backward: (dOut, residual) => {
      const dX = tape.activation(`${name}, gradient`, width);
      const dWeight = tape.gradient(name);
      tape.backward.push(
        { kernel: 'normWeightGradient', dOut, x, statistics, dWeight, dBias: null },
        { kernel: 'normGradient', kind, dOut, x, weight, statistics, residual, dX },
      );
      return dX;
    },
  };
}

/** By the matrix of this name, its neighbours included where there are more columns than it has rows. */
export function projected(tape: Tape, x: Buffer, name: string, columns: number, residual: Buffer | null = null): Piece {
  const out = tape.activation(name, columns);
  const weight = tape.weight(name, columns);
  tape.forward.push({
    ...{ kernel: 'linear', x, weight, transposed: true, bias: null, bias2: null, activation: null, before: null },
    ...{ residual, out },
  });
  return {
    out,
    backward: (dOut) => {
      const dX = tape.activation(`${name}, gradient`, x.columns);
      const dWeight = tape.gradient(name, columns);
      tape.backward.push(
        { kernel: 'weightGradient', x, dOut, transposed: true, dWeight, dBias: null, dBias2: null },
        { kernel: 'linearGradient', dOut, weight, transposed: true, before: null, add: false, dX },
      );
      return dX;
    },
  };
}

/** SwiGLU on rows, added to `residual`. The matrices of gate and up lie next to each other and are multiplied as one. */
export function fedForward(
  tape: Tape,
  { width, mlp }: ModernLayout,
  { gate, down }: ModernLayout['layers'][number],
  x: Buffer,
  residual: Buffer,
): Piece {
  const gateUp = projected(tape, x, gate, 2 * mlp);
  const gated = tape.activation(`${gate}, gated`, mlp);
  tape.forward.push({ kernel: 'gatedUnit', gateUp: gateUp.out, out: gated });
  const out = projected(tape, gated, down, width, residual);
  return {
    out: out.out,
    backward: (dOut) => {
      const dGated = out.backward(dOut);
      const dGateUp = tape.activation(`${gate}, gate and up, gradient`, 2 * mlp);
      tape.backward.push({ kernel: 'gatedUnitGradient', gateUp: gateUp.out, dOut: dGated, dGateUp });
      return gateUp.backward(dGateUp);
    },
  };
}
