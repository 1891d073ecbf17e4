import type { AttentionNames, ConvolutionNames, ModernLayout } from '../../models/modern.ts';
import { attending, inTurn, projected, type Piece } from './pieces.ts';
import type { Buffer } from './plan.ts';
import type { PlanBuilder } from './plan-builder.ts';

/**
 * Attention on normed rows, added to `residual`. The matrices of queries, keys and values lie next to each other and are
 * multiplied as one. What later tokens read of earlier ones are their rotated keys, and their values.
 */
export function attended(
  builder: PlanBuilder,
  layout: ModernLayout,
  names: AttentionNames,
  x: Buffer,
  residual: Buffer,
): Piece {
  const { width: d } = layout;
  const mixed = names.shift === null ? [] : [shifted(builder, x, names.shift)];
  const projection = projected(builder, mixed[0]?.out ?? x, names.query, 3 * d);
  const turned = rotated(builder, layout, names, projection.out);
  const attention = attending(builder, turned.out, layout, null);
  const after = projected(builder, attention.out, names.out, d, { residual });
  return inTurn(...mixed, projection, turned, attention, after);
}

/** Each head's queries and keys, normed and turned by their positions. */
function rotated(
  builder: PlanBuilder,
  { heads, rotaryBase: base, epsilon }: ModernLayout,
  names: AttentionNames,
  qkv: Buffer,
): Piece {
  const out = builder.activation(`${names.query}, rotated queries keys values`, qkv.columns);
  const statistics = builder.activation(`${names.query}, head statistics`, 2 * heads);
  const [queryWeight, keyWeight] = [builder.weight(names.queryNorm), builder.weight(names.keyNorm)];
  builder.forward.push({ kernel: 'rotary', qkv, heads, base, epsilon, queryWeight, keyWeight, out, statistics });
  return {
    out,
    backward: (dOut) => {
      const [dQueryWeight, dKeyWeight] = [builder.gradient(names.queryNorm), builder.gradient(names.keyNorm)];
      const shared = { dOut, qkv, heads, base, statistics };
      builder.backward.push(
        { kernel: 'rotaryWeightGradient', ...shared, dQueryWeight, dKeyWeight },
        // In place of the gradient that comes in, which nobody else reads.
        { kernel: 'rotaryGradient', ...shared, queryWeight, keyWeight, dQkv: dOut },
      );
      return dOut;
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

/** A short convolution on normed rows, added to `residual`. */
export function convolved(
  builder: PlanBuilder,
  { width: d }: ModernLayout,
  names: ConvolutionNames,
  x: Buffer,
  residual: Buffer,
): Piece {
  const projection = projected(builder, x, names.into, 3 * d);
  const convolution = shortConvolution(builder, projection.out, names.convolution);
  return inTurn(projection, convolution, projected(builder, convolution.out, names.out, d, { residual }));
}

/** By the taps of this name. Later tokens read the B and x of earlier ones. */
function shortConvolution(builder: PlanBuilder, bcx: Buffer, name: string): Piece {
  const out = builder.activation(`${name}, convolved`, bcx.columns / 3);
  const weight = builder.weight(name);
  builder.forward.push({ kernel: 'shortConvolution', bcx, weight, out });
  builder.history.push(bcx);
  return {
    out,
    backward: (dOut) => {
      const dBcx = builder.activation(`${name}, gradient`, bcx.columns);
      builder.backward.push(
        { kernel: 'shortConvolutionWeightGradient', dOut, bcx, dWeight: builder.gradient(name) },
        { kernel: 'shortConvolutionGradient', dOut, bcx, weight, dBcx },
      );
      return dBcx;
    },
  };
}
