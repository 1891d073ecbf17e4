import type { CallContext } from '../../plan/kernel-device.ts';
import type { Rotary, RotaryGradient, RotaryWeightGradient } from '../../plan/plan.ts';
import type { References } from '../reference.ts';

export const rotaryReferences: References<'rotary' | 'rotaryGradient' | 'rotaryWeightGradient'> = {
  rotary({ qkv, out, statistics, queryWeight, keyWeight }, call, context) {
    const { heads, base } = call;
    const weights = [queryWeight, keyWeight];
    for (const { row, position, part, start, size } of parts(call, context)) {
      if (part >= 2 * heads) {
        for (let i = 0; i < size; i++) out[start + i] = qkv[start + i];
        continue;
      }
      let squares = 0;
      for (let i = 0; i < size; i++) squares += qkv[start + i] ** 2;
      const rstd = 1 / Math.sqrt(squares / size + call.epsilon);
      statistics[row * 2 * heads + part] = rstd;
      const weight = weights[part < heads ? 0 : 1];
      const scaled = new Float64Array(size);
      for (let i = 0; i < size; i++) scaled[i] = qkv[start + i] * rstd * weight[i];
      out.set(turned(scaled, position, base, 1), start);
    }
  },

  rotaryGradient({ dOut, qkv, statistics, queryWeight, keyWeight, dQkv }, call, context) {
    const { heads, base } = call;
    const weights = [queryWeight, keyWeight];
    for (const { row, position, part, start, size } of parts(call, context)) {
      if (part >= 2 * heads) {
        for (let i = 0; i < size; i++) dQkv[start + i] = dOut[start + i];
        continue;
      }
      const dScaled = turned(dOut.slice(start, start + size), position, base, -1);
      const rstd = statistics[row * 2 * heads + part];
      const weight = weights[part < heads ? 0 : 1];
      let along = 0;
      for (let i = 0; i < size; i++) along += (dScaled[i] * weight[i] * qkv[start + i] * rstd) / size;
      for (let i = 0; i < size; i++) dQkv[start + i] = rstd * (dScaled[i] * weight[i] - qkv[start + i] * rstd * along);
    }
  },

  rotaryWeightGradient({ dOut, qkv, statistics, dQueryWeight, dKeyWeight }, call, context) {
    const { heads, base } = call;
    const gradients = [dQueryWeight, dKeyWeight];
    for (const gradient of gradients) gradient.fill(0);
    for (const { row, position, part, start, size } of parts(call, context)) {
      if (part >= 2 * heads) continue;
      const dScaled = turned(dOut.slice(start, start + size), position, base, -1);
      const rstd = statistics[row * 2 * heads + part];
      const gradient = gradients[part < heads ? 0 : 1];
      for (let i = 0; i < size; i++) gradient[i] += dScaled[i] * qkv[start + i] * rstd;
    }
  },
};

/** Every head of every token: queries, then keys, then values; `start` is its first element. */
function* parts({ qkv, heads }: Rotary | RotaryGradient | RotaryWeightGradient, { batch }: CallContext) {
  const size = qkv.columns / 3 / heads;
  for (let n = 0; n < batch.count; n++)
    for (let part = 0; part < 3 * heads; part++) {
      const row = batch.firstRow + n;
      yield { row, position: batch.positions[n], part, start: row * qkv.columns + part * size, size };
    }
}

/** Pairs (i, i + half) turned by the position's angles, forwards (1) or back (-1). */
function turned(x: Float64Array, position: number, base: number, direction: 1 | -1): Float64Array {
  const half = x.length / 2;
  const out = new Float64Array(x.length);
  for (let i = 0; i < half; i++) {
    const angle = direction * position * base ** ((-2 * i) / x.length);
    out[i] = x[i] * Math.cos(angle) - x[i + half] * Math.sin(angle);
    out[i + half] = x[i + half] * Math.cos(angle) + x[i] * Math.sin(angle);
  }
  return out;
}
