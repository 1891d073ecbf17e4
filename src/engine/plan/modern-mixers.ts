import type { AttentionNames, ConvolutionNames, ModernLayout } from '../../models/modern.ts';
import { projected, type Piece } from './modern-pieces.ts';
import type { Buffer } from './plan.ts';
import type { PlanBuilder } from './plan-builder.ts';

/**
 * Attention on normed rows, added to `residual`. The matrices of queries, keys and values lie next to each other and are
 * multiplied as one. What later tokens read of earlier ones are their rotated keys, and their values.
 */
export function attended(
  builder: PlanBuilder,
  { width: d, heads, window, rotaryBase: base, epsilon }: ModernLayout,
  names: AttentionNames,
  x: Buffer,
  residual: Buffer,
): Piece {
  const mixed = names.shift === null ? null : shifted(builder, x, names.shift);
  const projection = projected(builder, mixed?.out ?? x, names.query, 3 * d);
  const qkv = projection.out;
  const turned = builder.activation(`${names.query}, rotated queries keys values`, 3 * d);
  const statistics = builder.activation(`${names.query}, head statistics`, 2 * heads);
  const [queryWeight, keyWeight] = [builder.weight(names.queryNorm), builder.weight(names.keyNorm)];
  const out = builder.activation(`${names.query}, attended`, d);
  const logSum = builder.activation(`${names.query}, log sums`, heads);
  builder.forward.push(
    { kernel: 'rotary', qkv, heads, base, epsilon, queryWeight, keyWeight, out: turned, statistics },
    { kernel: 'attention', qkv: turned, heads, window, out, logSum, dropout: null },
  );
  builder.history.push(turned);
  const after = projected(builder, out, names.out, d, residual);
  return {
    out: after.out,
    backward: (dResult) => {
      const dOut = after.backward(dResult);
      const dQkv = builder.activation(`${names.query}, queries keys values, gradient`, 3 * d);
      const [dQueryWeight, dKeyWeight] = [builder.gradient(names.queryNorm), builder.gradient(names.keyNorm)];
      const shared = { dOut: dQkv, qkv, heads, base, statistics };
      builder.backward.push(
        { kernel: 'attentionGradient', qkv: turned, heads, window, out, logSum, dOut, dQkv, dropout: null },
        { kernel: 'rotaryWeightGradient', ...shared, dQueryWeight, dKeyWeight },
        { kernel: 'rotaryGradient', ...shared, queryWeight, keyWeight, dQkv },
      );
      const dMixed = projection.backward(dQkv);
      return mixed ? mixed.backward(dMixed) : dMixed;
    },
  };
}

/** A shift of normed rows, which later tokens read. */
function shifted(builder: PlanBuilder, x: Buffer, name: string): Piece {
  const out = builder.activation(`${name}, shifted`, x.columns);
  const weight = builder.weight(name);
  builder.forward.push({ kernel: 'shift', x, weight, out });
  builder.history.push(x);
  return {
    out,
    backward: (dOut) => {
      const dX = builder.activation(`${name}, gradient`, x.columns);
      builder.backward.push(
        { kernel: 'shiftWeightGradient', dOut, x, dWeight: builder.gradient(name) },
        { kernel: 'shiftGradient', dOut, weight, dX },
      );
      return dX;
    },
  };
}

/** A short convolution on normed rows, added to `residual`. Later tokens read the B and x of earlier ones. */
export function convolved(
  builder: PlanBuilder,
  { width: d }: ModernLayout,
  names: ConvolutionNames,
  x: Buffer,
  residual: Buffer,
): Piece {
  const projection = projected(builder, x, names.into, 3 * d);
  const bcx = projection.out;
  const out = builder.activation(`${names.convolution}, convolved`, d);
  const weight = builder.weight(names.convolution);
  builder.forward.push({ kernel: 'shortConvolution', bcx, weight, out });
  builder.history.push(bcx);
  const after = projected(builder, out, names.out, d, residual);
  return {
    out: after.out,
    backward: (dResult) => {
      const dOut = after.backward(dResult);
      const dBcx = builder.activation(`${names.convolution}, gradient`, 3 * d);
      builder.backward.push(
        { kernel: 'shortConvolutionWeightGradient', dOut, bcx, dWeight: builder.gradient(names.convolution) },
        { kernel: 'shortConvolutionGradient', dOut, bcx, weight, dBcx },
      );
      return projection.backward(dBcx);
    },
  };
}
