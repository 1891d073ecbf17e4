import type { Random } from '../base/random.ts';

/**
 * Random rows [rows, columns] that are orthogonal within each block of `columns` of them, every one as long as a
 * standard normal vector of its width, so that each alone is distributed as one (Choromanski et al. 2021, "Rethinking
 * Attention with Performers", section 2.4). By Gram and Schmidt, twice in float64, of normal draws.
 */
export function orthogonalRows(rows: number, columns: number, random: Random): Float32Array {
  const all = new Float32Array(rows * columns);
  const draw = () => Float64Array.from({ length: columns }, () => random.normal());
  let block: Float64Array[] = [];
  for (let row = 0; row < rows; row++) {
    if (block.length === columns) block = [];
    let fresh = draw();
    for (let pass = 0; pass < 2; pass++)
      for (const other of block) {
        const along = dot(fresh, other);
        fresh = fresh.map((x, i) => x - along * other[i]);
      }
    const length = Math.sqrt(dot(fresh, fresh));
    const unit = fresh.map((x) => x / length);
    block.push(unit);
    const wanted = draw();
    const scale = Math.sqrt(dot(wanted, wanted));
    all.set(
      unit.map((x) => x * scale),
      row * columns,
    );
  }
  return all;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
