import { interleave, median, type Measured } from './interleave.ts';
import { NotHere, type RunningSide } from './side.ts';
import { openSide, realGpu, type SideEntry } from './sides.ts';
import type { Workload } from './workloads.ts';

export interface TrainOptions {
  workloads: readonly Workload[];
  sides: readonly SideEntry[];
  rounds: number;
  /** A side's turn in a round, in seconds. */
  seconds: number;
  /** Sides were named by the person: an emulated GPU is then measured on every workload. */
  chosen: boolean;
  print: (row: object) => void;
  tell: (text: string) => void;
}

/** An emulation on the CPU takes half a minute a step on larger ones; one workload shows what it can do. */
const EMULATED_WORKLOAD = 'gpt-4x128-t128';

/**
 * The training suite: workload by workload, every side in turn. Rows of one workload are printed when it is done; the
 * matrix products that bound each side are measured beside its first workload.
 */
export async function benchTraining(options: TrainOptions): Promise<void> {
  const peaks = new Map<string, number | null>();
  for (const workload of options.workloads) {
    if (workload.needsGpu && !realGpu) {
      options.tell(`${workload.name}: passed over, there is no graphics card here`);
      continue;
    }
    const entries = options.sides.filter(
      ({ kind, name }) =>
        (!workload.needsGpu || kind === 'gpu') &&
        (kind === 'cpu' || realGpu || name.includes('cuda') || options.chosen || workload.name === EMULATED_WORKLOAD),
    );
    const open = new Map<string, RunningSide>();
    try {
      for (const { name, ...entry } of entries) {
        options.tell(`${workload.name}: starting ${name}`);
        try {
          open.set(name, await openSide({ name, ...entry }, workload));
        } catch (error) {
          const [why] = (error as Error).message.split('\n');
          options.tell(`${workload.name}: ${name} is ${error instanceof NotHere ? 'not here' : 'broken'}: ${why}`);
          if (!(error instanceof NotHere))
            options.print({ suite: 'train', workload: workload.name, engine: name, broken: why });
        }
      }
      const fresh = [...open].filter(([name]) => !peaks.has(name));
      // Before and after, so that a busy moment does not pass for the device's best.
      for (const [name, side] of fresh) peaks.set(name, await side.measurePeak().catch(() => null));
      const measured = await interleave(open, {
        rounds: options.rounds,
        milliseconds: options.seconds * 1000,
        onRound: (round, name) => options.tell(`${workload.name}: round ${round} of ${options.rounds}, ${name}`),
      });
      for (const [name, side] of fresh) {
        const again = await side.measurePeak().catch(() => null);
        const peak = Math.max(peaks.get(name) ?? 0, again ?? 0);
        peaks.set(name, peak || null);
        if (peak > 0) options.print(peakRow(name, side, peak));
      }
      for (const entry of entries)
        if (open.has(entry.name))
          options.print(row(workload, entry, open.get(entry.name)!, measured, peaks.get(entry.name) ?? null));
    } finally {
      for (const side of open.values()) await side.dispose();
    }
  }
}

function peakRow(engine: string, { threads, device }: RunningSide, peak: number): object {
  return { suite: 'train', workload: 'matmul', engine, threads, device, gflopPerSecond: round(peak / 1e9) };
}

/** One line of results. Rates count every token of the batch, for all sides the same. */
export function row(
  workload: Workload,
  { name, kind }: Pick<SideEntry, 'name' | 'kind'>,
  { threads, device }: Pick<RunningSide, 'threads' | 'device'>,
  measured: ReadonlyMap<string, Measured>,
  peak: number | null,
): object {
  const { runs, broken } = measured.get(name)!;
  const head = { suite: 'train', workload: workload.name, engine: name, threads, device };
  if (broken !== null) return { ...head, broken };
  const perBatch = 1000 * workload.rows * workload.columns;
  const rate = (milliseconds: readonly number[]) => perBatch / median(milliseconds);
  const stock = measured.get(kind === 'cpu' ? 'stock-wasm' : 'stock-webgpu');
  const gflops = (rate(runs) * workload.flopsPerToken) / 1e9;
  return {
    ...head,
    tokensPerSecond: round(rate(runs)),
    msPerStep: round(median(runs)),
    runs: runs.map((milliseconds) => round(perBatch / milliseconds)),
    ratioToStock: stock && stock.broken === null ? round(rate(runs) / rate(stock.runs)) : null,
    gflopPerSecond: round(gflops),
    ...(peak === null ? {} : { percentOfPeak: round((100 * gflops * 1e9) / peak) }),
  };
}

/** Four figures are more than any of these measurements holds. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}
