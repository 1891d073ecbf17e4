import type { Side } from './side.ts';
import type { Workload } from './workloads.ts';

/** What the harness asks of a side's process or page; one JSON line each way. peers/pytorch.py answers the same. */
export type Request =
  | { do: 'prepare'; workload: Workload }
  | { do: 'steps'; count: number }
  | { do: 'peak' }
  | { do: 'dispose' };

/**
 * Answers for one side. Steps are timed here, beside the side, so that the way to the harness costs nothing; up to
 * `runAhead` of them are begun before the loss of an earlier one has come.
 */
export async function answer(side: Side, request: Request): Promise<object> {
  if (request.do === 'prepare') {
    await side.prepare(request.workload);
    return { threads: side.threads, device: side.device };
  }
  if (request.do === 'peak') return { peak: await side.measurePeak() };
  if (request.do === 'dispose') {
    await side.dispose();
    return {};
  }
  const losses: number[] = [];
  const begun: Promise<number>[] = [];
  const started = performance.now();
  for (let i = 0; i < request.count; i++) {
    begun.push(side.step());
    if (begun.length > side.runAhead) losses.push(await begun.shift()!);
  }
  losses.push(...(await Promise.all(begun)));
  await side.settle?.();
  return { losses, milliseconds: performance.now() - started };
}
