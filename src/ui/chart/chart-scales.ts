/** A map from values to pixels, with the figures to write along the axis. */
export interface Scale {
  (value: number): number;
  ticks: number[];
  invert(pixel: number): number;
}

export function linearScale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
  wanted = 4,
): Scale {
  const span = high - low || 1;
  const scale = (value: number): number => from + ((value - low) / span) * (to - from);
  return Object.assign(scale, {
    ticks: linearTicks(low, high, wanted),
    invert: (pixel: number) => low + ((pixel - from) / (to - from)) * span,
  });
}

/** For quantities that fall by factors, perplexity above all. Both ends must be above 0. */
export function logScale([low, high]: readonly [number, number], range: readonly [number, number]): Scale {
  const inner = linearScale([Math.log(low), Math.log(high)], range);
  const scale = (value: number): number => inner(Math.log(Math.max(value, low)));
  return Object.assign(scale, { ticks: logTicks(low, high), invert: (pixel: number) => Math.exp(inner.invert(pixel)) });
}

/** Round figures (1, 2 or 5 times a power of ten) within the range. */
function linearTicks(low: number, high: number, wanted: number): number[] {
  const rough = (high - low) / wanted;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999)!;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step - 1e-9); tick * step <= high + step * 1e-9; tick++)
    ticks.push(Number((tick * step).toPrecision(12)));
  return ticks;
}

function logTicks(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const factor of high / low > 30 ? [1, 3] : [1, 2, 5]) {
      const tick = factor * 10 ** power;
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  return ticks;
}
