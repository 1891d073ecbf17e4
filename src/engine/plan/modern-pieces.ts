import type { ModernLayout } from '../../models/modern.ts';
import type { Buffer } from './plan.ts';
import type { PlanBuilder } from './plan-builder.ts';

/** Part of a modern network, its forward calls written: what comes out, and how the backward calls go on. */
export interface Piece {
  out: Buffer;
  /** Writes the calls for the gradients of the weights and of the input, which it returns. */
  backward: (dOut: Buffer) => Buffer;
}

/** An RMSNorm of rows; `around` is the gradient that went round it. */
export function normed(
  builder: PlanBuilder,
  { width, epsilon }: ModernLayout,
  x: Buffer,
  name: string,
): { out: Buffer; backward: (dOut: Buffer, around: Buffer | null) => Buffer } {
  const kind = 'rms';
  const out = builder.activation(`${name}, normalised`, width);
  const statistics = builder.activation(`${name}, statistics`, 2);
  const weight = builder.weight(name);
  builder.forward.push({ kernel: 'norm', kind, epsilon, x, weight, bias: null, out, statistics });
  return {
    out,
    backward: (dOut, residual) => {
      const dX = builder.activation(`${name}, gradient`, width);
      const dWeight = builder.gradient(name);
      builder.backward.push(
        { kernel: 'normWeightGradient', dOut, x, statistics, dWeight, dBias: null },
        { kernel: 'normGradient', kind, dOut, x, weight, statistics, residual, dX },
      );
      return dX;
    },
  };
}

/** By the matrix of this name, its neighbours included where there are more columns than it has rows. */
export function projected(
  builder: PlanBuilder,
  x: Buffer,
  name: string,
  columns: number,
  residual: Buffer | null = null,
): Piece {
  const out = builder.activation(name, columns);
  const weight = builder.weight(name, columns);
  builder.forward.push({
    ...{ kernel: 'linear', x, weight, transposed: true, bias: null, bias2: null, activation: null, before: null },
    ...{ residual, out },
  });
  return {
    out,
    backward: (dOut) => {
      const dX = builder.activation(`${name}, gradient`, x.columns);
      const dWeight = builder.gradient(name, columns);
      builder.backward.push(
        { kernel: 'weightGradient', x, dOut, transposed: true, dWeight, dBias: null, dBias2: null },
        { kernel: 'linearGradient', dOut, weight, transposed: true, before: null, add: false, dX },
      );
      return dX;
    },
  };
}

/** SwiGLU on rows, added to `residual`. The matrices of gate and up lie next to each other and are multiplied as one. */
export function fedForward(
  builder: PlanBuilder,
  { width, mlp }: ModernLayout,
  { gate, down }: ModernLayout['layers'][number],
  x: Buffer,
  residual: Buffer,
): Piece {
  const gateUp = projected(builder, x, gate, 2 * mlp);
  const gated = builder.activation(`${gate}, gated`, mlp);
  builder.forward.push({ kernel: 'gatedUnit', gateUp: gateUp.out, out: gated });
  const out = projected(builder, gated, down, width, residual);
  return {
    out: out.out,
    backward: (dOut) => {
      const dGated = out.backward(dOut);
      const dGateUp = builder.activation(`${gate}, gate and up, gradient`, 2 * mlp);
      builder.backward.push({ kernel: 'gatedUnitGradient', gateUp: gateUp.out, dOut: dGated, dGateUp });
      return gateUp.backward(dGateUp);
    },
  };
}
