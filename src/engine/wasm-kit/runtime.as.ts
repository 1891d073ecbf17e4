import { BLOCK, Instruction, RuntimeBlock } from './built/tables.as';

/**
 * What every kernel knows besides its own call (tables.ts): the batch, the optimiser's settings, where scratch memory
 * lies. The host writes it before a run; every thread runs its own instance of this module on the same memory.
 */
export const runtime = changetype<RuntimeBlock>(BLOCK);

export const WAKE: usize = BLOCK + offsetof<RuntimeBlock>('wake');
const ARRIVED: usize = BLOCK + offsetof<RuntimeBlock>('arrived');
const GENERATION: usize = BLOCK + offsetof<RuntimeBlock>('generation');

@inline export function tokenOf(row: i32): i32 { return load<i32>(runtime.tokens + (<usize>row << 2)); }
@inline export function positionOf(row: i32): i32 { return load<i32>(runtime.positions + (<usize>row << 2)); }
@inline export function slotOf(row: i32): i32 { return load<i32>(runtime.slots + (<usize>row << 2)); }
@inline export function targetOf(row: i32): i32 { return load<i32>(runtime.targets + (<usize>row << 2)); }
@inline export function paddedOf(row: i32): i32 { return load<i32>(runtime.padded + (<usize>row << 2)); }
/** Four words of a segment: first row, length, first row of its history, its length. */
@inline export function segment(index: i32): usize { return runtime.segments + (<usize>index << 4); }
/** Memory of one thread. */
@inline export function scratch(thread: i32): usize {
  return runtime.scratch + <usize>thread * <usize>runtime.scratchBytes;
}

/** The next piece of a call's work that no thread has taken; which thread takes which decides nothing. */
@inline export function claim(call: Instruction, phase: i32): i32 {
  return atomic.add<i32>(changetype<usize>(call) + offsetof<Instruction>('claimed0') + (<usize>phase << 2), 1);
}

/**
 * Sleeps while the word at `address` is `value`. The host's Atomics.wait rather than the instruction of the same name:
 * V8's baseline compiler (11.3) let threads through it too early.
 */
@external("env", "sleep")
export declare function sleep(address: usize, value: i32): void;

/** Spins this often before it sleeps: a wait of microseconds is the rule, a descheduled thread the exception. */
const SPINS = 4000;

/** All threads leave when the last has come. */
export function barrier(): void {
  const all = runtime.threads;
  if (all == 1) return;
  const generation = atomic.load<i32>(GENERATION);
  if (atomic.add<i32>(ARRIVED, 1) == all - 1) {
    atomic.store<i32>(ARRIVED, 0);
    atomic.store<i32>(GENERATION, generation + 1);
    atomic.notify(GENERATION, -1);
    return;
  }
  for (let spin = 0; spin < SPINS; spin++) if (atomic.load<i32>(GENERATION) != generation) return;
  while (atomic.load<i32>(GENERATION) == generation) sleep(GENERATION, generation);
}
