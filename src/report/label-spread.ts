/**
 * Where labels may stand so that none overlaps another: each as near its own height as the others allow,
 * `gap` pixels apart, within [top, bottom]. Returns heights in the order given. Labels that must share a
 * stretch are centred on it together (the pool of an isotonic regression), so that none drifts needlessly.
 */
export function spreadLabels(wanted: readonly number[], gap: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const pools: { sum: number; members: number[] }[] = [];
  for (const [rank, i] of order.entries()) {
    // Subtracting what stands above turns "at least gap apart" into "not falling".
    pools.push({ sum: wanted[i] - rank * gap, members: [i] });
    while (pools.length > 1 && mean(pools.at(-2)!) > mean(pools.at(-1)!)) {
      const last = pools.pop()!;
      const before = pools.at(-1)!;
      before.sum += last.sum;
      before.members.push(...last.members);
    }
  }
  const placed = new Array<number>(wanted.length);
  const highest = bottom - (wanted.length - 1) * gap;
  let rank = 0;
  for (const pool of pools) {
    const at = Math.max(top, Math.min(highest, mean(pool)));
    for (const i of pool.members) placed[i] = at + rank++ * gap;
  }
  return placed;
}

function mean(pool: { sum: number; members: number[] }): number {
  return pool.sum / pool.members.length;
}
