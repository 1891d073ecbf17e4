/**
 * The name that a misspelt one most likely means: the nearest by insertions, deletions, replacements and swaps of
 * neighbours (optimal string alignment), or one that it begins; null where none is near.
 */
export function nearestName(given: string, names: readonly string[]): string | null {
  const distances = names.map((name) => ({ name, distance: distanceBetween(given, name) }));
  const most = Math.max(1, Math.floor(given.length / 3));
  const near = distances.filter(({ distance }) => distance <= most).sort((a, b) => a.distance - b.distance);
  if (near.length > 0) return near[0].name;
  return (given.length >= 3 && names.find((name) => name.startsWith(given))) || null;
}

function distanceBetween(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[a.length][b.length];
}
