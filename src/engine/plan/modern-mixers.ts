import type { AttentionNames, ConvolutionNames, ModernLayout } from '../../models/modern.ts';
import { projected, type Piece } from './modern-pieces.ts';
import type { Buffer } from './plan.ts';
import type { Tape } from './tape.ts';

/**
 * Attention on normed rows, added to `residual`. The matrices of queries, keys and values lie next to each other and are
 * multiplied as one. What later tokens read of earlier ones are their rotated keys, and their values.
 */
export function attended(
  tape: Tape,
  { width: d, heads, window, rotaryBase: base, epsilon }: ModernLayout,
  names: AttentionNames,
  x: Buffer,
  residual: Buffer,
): Piece {
  const mixed = names.shift === null ? null : shifted(tape, x, names.shift);
  const projection = projected(tape, mixed?.out ?? x, names.query, 3 * d);
  const qkv = projection.out;
  const turned = tape.activation(`${names.query}, rotated queries keys values`, 3 * d);
  const statistics = tape.activation(`${names.query}, head statistics`, 2 * heads);
  const [queryWeight, keyWeight] = [tape.weight(names.queryNorm), tape.weight(names.keyNorm)];
  const out = tape.activation(`${names.query}, attended`, d);
  const logSum = tape.activation(`${names.query}, log sums`, heads);
  tape.forward.push(
    { kernel: 'rotary', qkv, heads, base, epsilon, queryWeight, keyWeight, out: turned, statistics },
    { kernel: 'attention', qkv: turned, heads, window, out, logSum, dropout: null },
  );
  tape.history.push(turned);
  const after = projected(tape, out, names.out, d, residual);
  return {
    out: after.out,
    backward: (dResult) => {
      const dOut = after.backward(dResult);
      const dQkv = tape.activation(`${names.query}, queries keys values, gradient`, 3 * d);
      const [dQueryWeight, dKeyWeight] = [tape.gradient(names.queryNorm), tape.gradient(names.keyNorm)];
      const turns = { dOut: dQkv, qkv, heads, base, statistics };
      tape.backward.push(
        { kernel: 'attentionGradient', qkv: turned, heads, window, out, logSum, dOut, dQkv, dropout: null },
        { kernel: 'rotaryWeightGradient', ...turns, dQueryWeight, dKeyWeight },
        { kernel: 'rotaryGradient', ...turns, queryWeight, keyWeight, dQkv },
      );
      const dMixed = projection.backward(dQkv);
      return mixed ? mixed.backward(dMixed) : dMixed;
    },
  };
}

/** A shift of normed rows, which later tokens read. */
function shifted(tape: Tape, x: Buffer, name: string): Piece {
  const out = tape.activation(`${name}, shifted`, x.columns);
  const weight = tape.weight(name);
  tape.forward.push({ kernel: 'shift', x, weight, out });
  tape.history.push(x);
  return {
    out,
    backward: (dOut) => {
      const dX = tape.activation(`${name}, gradient`, x.columns);
      tape.backward.push(
        { kernel: 'shiftWeightGradient', dOut, x, dWeight: tape.gradient(name) },
        { kernel: 'shiftGradient', dOut, weight, dX },
      );
      return dX;
    },
  };
}

/** A short convolution on normed rows, added to `residual`. Later tokens read the B and x of earlier ones. */
export function convolved(
  tape: Tape,
  { width: d }: ModernLayout,
  names: ConvolutionNames,
  x: Buffer,
  residual: Buffer,
): Piece {
  const projection = projected(tape, x, names.into, 3 * d);
  const bcx = projection.out;
  const out = tape.activation(`${names.convolution}, convolved`, d);
  const weight = tape.weight(names.convolution);
  tape.forward.push({ kernel: 'shortConvolution', bcx, weight, out });
  tape.history.push(bcx);
  const after = projected(tape, out, names.out, d, residual);
  return {
    out: after.out,
    backward: (dResult) => {
      const dOut = after.backward(dResult);
      const dBcx = tape.activation(`${names.convolution}, gradient`, 3 * d);
      tape.backward.push(
        { kernel: 'shortConvolutionWeightGradient', dOut, bcx, dWeight: tape.gradient(names.convolution) },
        { kernel: 'shortConvolutionGradient', dOut, bcx, weight, dBcx },
      );
      return projection.backward(dBcx);
    },
  };
}
