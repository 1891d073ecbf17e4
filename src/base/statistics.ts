/** A mean with its sample size and 95% interval. */
export interface Estimate {
  mean: number | null;
  n: number;
  /** [low, high], or null where n is 0. */
  ci95: [number, number] | null;
}

const Z95 = 1.959963984540054;

/** Share of successes with Wilson's score interval (Wilson 1927), which stays within [0, 1] near the ends. */
export function proportion(successes: number, n: number): Estimate {
  if (n === 0) return { mean: null, n: 0, ci95: null };
  const p = successes / n;
  const z2 = Z95 * Z95;
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  // At the ends the bounds are 0 and 1 in exact arithmetic; rounding would leave a few 1e-17.
  const low = successes === 0 ? 0 : Math.max(0, centre - half);
  const high = successes === n ? 1 : Math.min(1, centre + half);
  return { mean: p, n, ci95: [low, high] };
}

/** Mean of values with the normal approximation's interval, which knows no bounds. */
export function meanEstimate(values: ArrayLike<number>): Estimate {
  const n = values.length;
  if (n === 0) return { mean: null, n: 0, ci95: null };
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[i];
  const mean = sum / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (values[i] - mean) ** 2;
  const half = n > 1 ? Z95 * Math.sqrt(squares / (n - 1) / n) : 0;
  return { mean, n, ci95: [mean - half, mean + half] };
}

/** The same for shares: the interval is cut at 0 and 1, where no mean can lie beyond. */
export function shareEstimate(values: ArrayLike<number>): Estimate {
  const { mean, n, ci95 } = meanEstimate(values);
  return { mean, n, ci95: ci95 && [Math.max(0, ci95[0]), Math.min(1, ci95[1])] };
}

/** The q-quantile (0 to 1) by linear interpolation between order statistics; NaN for no values. */
export function quantile(values: ArrayLike<number>, q: number): number {
  if (values.length === 0) return NaN;
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}
