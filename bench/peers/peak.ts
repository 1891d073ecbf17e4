/** Sides of the two square matrices whose product bounds a peer. */
export const PEAK_SIZE = 1024;

const RUNS = 15;
const LONGEST = 5000;

/**
 * FLOP/s of the fastest of some runs of `product`, one product of two [PEAK_SIZE, PEAK_SIZE] matrices, waited for; on a
 * slow device fewer runs, five seconds in all.
 */
export async function fastestProduct(product: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  let best = Infinity;
  for (let run = 0; run < RUNS && (run < 2 || performance.now() - begun < LONGEST); run++) {
    const started = performance.now();
    await product();
    best = Math.min(best, performance.now() - started);
  }
  return (2 * PEAK_SIZE ** 3 * 1000) / best;
}
