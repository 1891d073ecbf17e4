/** A map from values to pixels, with the values to write along the axis. */
export interface Scale {
  (value: number): number;
  ticks: number[];
}

/** From `low` to `high`, widened to round figures at both ends. */
export function linearScale(low: number, high: number, from: number, to: number, wanted = 5): Scale {
  const step = stepOf(high - low || Math.abs(high) || 1, wanted);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  const scale = (value: number): number => from + ((value / step - first) / (last - first)) * (to - from);
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  return Object.assign(scale, { ticks });
}

/** For quantities that fall by factors; `low` and `high` above 0. */
export function logScale(low: number, high: number, from: number, to: number): Scale {
  const [bottom, top] = high > low ? [low / 1.1, high * 1.1] : [low / 2, high * 2];
  const scale = (value: number): number => from + (Math.log(value / bottom) / Math.log(top / bottom)) * (to - from);
  const factors = top / bottom > 50 ? [1, 3] : top / bottom > 4 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(bottom)); power <= Math.log10(top); power++)
    for (const factor of factors) {
      const tick = Number((factor * 10 ** power).toPrecision(6));
      if (tick >= bottom && tick <= top) ticks.push(tick);
    }
  return Object.assign(scale, { ticks });
}

/** 1, 2 or 5 times a power of ten, so that about `wanted` steps make the span. */
function stepOf(span: number, wanted: number): number {
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999) ?? 10 * power;
}
