import type { RunningSide } from './side.ts';

/** What one side did over a run. */
export interface Measured {
  /** Milliseconds a step, one figure a round, in the order of the rounds. */
  runs: number[];
  /** Why no figure of it counts; null where all is well. */
  broken: string | null;
}

export interface InterleaveOptions {
  rounds: number;
  /** Each side takes steps for about this long in each round, at least one. */
  milliseconds: number;
  onRound?: (round: number, side: string) => void;
}

/** The first losses of two sides on the same weights and batch differ by no more than float32 makes them. */
const SAME_LOSS = 2e-3;
const WARM_UP = 2;

/**
 * Sides take turns, round by round, so that a noisy machine is noisy for all of them. Warm-up is left out, and tells how
 * many steps fill a turn. A side whose first loss is not the others', or whose loss does not fall, is broken: it is
 * measured to the end and then not believed.
 */
export async function interleave(
  sides: ReadonlyMap<string, RunningSide>,
  { rounds, milliseconds, onRound }: InterleaveOptions,
): Promise<Map<string, Measured>> {
  const turns = new Map<string, { count: number; losses: number[]; runs: number[]; failure: string | null }>();
  for (const [name, side] of sides) {
    const turn = { count: 1, losses: [] as number[], runs: [] as number[], failure: null as string | null };
    turns.set(name, turn);
    await guarded(turn, async () => {
      for (let i = 0; i < WARM_UP; i++) {
        const taken = await side.steps(1);
        turn.losses.push(...taken.losses);
        turn.count = Math.max(1, Math.floor(milliseconds / taken.milliseconds));
      }
    });
    onRound?.(0, name);
  }
  for (let round = 1; round <= rounds; round++)
    for (const [name, side] of sides) {
      const turn = turns.get(name)!;
      if (turn.failure !== null) continue;
      await guarded(turn, async () => {
        const taken = await side.steps(turn.count);
        turn.losses.push(...taken.losses);
        turn.runs.push(taken.milliseconds / turn.count);
      });
      onRound?.(round, name);
    }
  const firsts = [...turns.values()].filter(({ losses }) => losses.length > 0).map(({ losses }) => losses[0]);
  const usual = firsts.length > 0 ? median(firsts) : NaN;
  const results = new Map<string, Measured>();
  for (const [name, { losses, runs, failure }] of turns)
    results.set(name, { runs, broken: failure ?? whatIsWrong(losses, usual) });
  return results;
}

async function guarded(turn: { failure: string | null }, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    [turn.failure] = (error as Error).message.split('\n');
  }
}

/** Why a side with these losses is not believed, in words; null where it is. */
function whatIsWrong(losses: readonly number[], usual: number): string | null {
  const [first, last] = [losses[0], losses[losses.length - 1]];
  if (!losses.every(Number.isFinite)) return 'a loss is not a finite number';
  if (Math.abs(first - usual) > SAME_LOSS) return `its first loss is ${first} where the others' is ${usual}`;
  if (!(last < first)) return `its loss does not fall: ${first} at the start, ${last} after ${losses.length} steps`;
  return null;
}

/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
