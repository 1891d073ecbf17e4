/**
 * The board-blind floor: the commonest destination given the start square and the side to move, counted
 * on the training games. It knows no board at all, and yet most of its answers from a start square that
 * does hold a movable piece are legal about half of the time; only above this line does a model track pieces.
 */
export interface Bigram {
  /** Destination square for (side 0 or 1, start square), or -1 where no game moved from there. */
  destination(side: number, from: number): number;
}

/** Counts destinations in traces of packed chess moves (from | to << 6 | promotion << 12). */
export function countBigram(traces: Iterable<ArrayLike<number>>): Bigram {
  const counts = new Uint32Array(2 * 64 * 64);
  for (const trace of traces)
    for (let ply = 0; ply < trace.length; ply++) counts[(ply & 1) * 4096 + (trace[ply] & 4095)]++;
  const best = new Int8Array(128).fill(-1);
  for (let side = 0; side < 2; side++)
    for (let from = 0; from < 64; from++) {
      let most = 0;
      for (let to = 0; to < 64; to++) {
        const n = counts[side * 4096 + from + to * 64];
        if (n > most) {
          most = n;
          best[side * 64 + from] = to;
        }
      }
    }
  return { destination: (side, from) => best[side * 64 + from] };
}
