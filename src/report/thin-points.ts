/**
 * Which of `count` points to draw where several fall into one column of pixels: the first, the least, the greatest and
 * the last. A curve of thousands of points looks the same with them alone. Columns must not fall; indices come in order.
 */
export function thinPoints(count: number, column: (at: number) => number, value: (at: number) => number): number[] {
  const kept: number[] = [];
  let from = 0;
  while (from < count) {
    const here = column(from);
    let [least, most, end] = [from, from, from + 1];
    for (; end < count && column(end) === here; end++) {
      if (value(end) < value(least)) least = end;
      if (value(end) > value(most)) most = end;
    }
    for (const at of [from, Math.min(least, most), Math.max(least, most), end - 1])
      if (at !== kept.at(-1)) kept.push(at);
    from = end;
  }
  return kept;
}
