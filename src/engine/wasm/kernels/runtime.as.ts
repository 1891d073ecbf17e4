/**
 * What every kernel knows besides its own call: the batch, the optimiser's settings, where scratch memory lies, and how
 * threads share work. All of it lives in one block of the shared memory, written by the host before a run
 * (src/engine/wasm/runtime-block.ts has the same table); every thread runs its own instance of this module.
 */
const BLOCK: usize = 1024;

@inline function word(index: i32): i32 {
  return load<i32>(BLOCK + (<usize>index << 2));
}
@inline function real(index: i32): f32 {
  return load<f32>(BLOCK + (<usize>index << 2));
}

export const WAKE: usize = BLOCK;
const ARRIVED: usize = BLOCK + 4;
const GENERATION: usize = BLOCK + 8;

@inline export function threads(): i32 { return word(3); }
@inline export function program(): usize { return <usize>word(4); }
@inline export function firstRow(): i32 { return word(8); }
/** Packed tokens of the batch. */
@inline export function count(): i32 { return word(9); }
@inline export function segmentCount(): i32 { return word(10); }
@inline export function tokenOf(row: i32): i32 { return load<i32>(<usize>word(11) + (<usize>row << 2)); }
@inline export function positionOf(row: i32): i32 { return load<i32>(<usize>word(12) + (<usize>row << 2)); }
@inline export function slotOf(row: i32): i32 { return load<i32>(<usize>word(13) + (<usize>row << 2)); }
@inline export function targetOf(row: i32): i32 { return load<i32>(<usize>word(14) + (<usize>row << 2)); }
@inline export function paddedOf(row: i32): i32 { return load<i32>(<usize>word(15) + (<usize>row << 2)); }
/** Four words of a segment: first row, length, first row of its history, its length. */
@inline export function segment(index: i32): usize { return <usize>word(16) + (<usize>index << 4); }
@inline export function batchRows(): i32 { return word(17); }
@inline export function batchColumns(): i32 { return word(18); }
@inline export function targetCount(): i32 { return word(19); }
/** Memory shared by all threads for one call: packed panels. */
@inline export function shared(): usize { return <usize>word(20); }
/** Memory of one thread. */
@inline export function scratch(thread: i32): usize { return <usize>word(21) + <usize>thread * <usize>word(22); }
@inline export function partials(): usize { return <usize>word(23); }
@inline export function seedHash(): u32 { return <u32>word(24); }
/** The sets of tokens to learn towards, one of `words` each packed token; 0 where there are none. */
@inline export function validSets(): usize { return <usize>word(25); }
@inline export function learningRate(): f32 { return real(32); }
@inline export function beta1(): f32 { return real(33); }
@inline export function beta2(): f32 { return real(34); }
@inline export function epsilon(): f32 { return real(35); }
@inline export function weightDecay(): f32 { return real(36); }
@inline export function clipNorm(): f32 { return real(37); }
@inline export function muonRate(): f32 { return real(38); }
@inline export function momentum(): f32 { return real(39); }
@inline export function muonDecay(): f32 { return real(40); }
/** 1 - beta ^ step of the two moments. */
@inline export function correction1(): f32 { return real(41); }
@inline export function correction2(): f32 { return real(42); }

/** Words of an instruction; the first is its operation, the next three count claimed work, the rest are arguments. */
export const INSTRUCTION: usize = 32;

@inline export function argument(call: usize, index: i32): i32 {
  return load<i32>(call + (<usize>(index + 4) << 2));
}
@inline export function pointer(call: usize, index: i32): usize {
  return <usize>argument(call, index);
}
@inline export function realArgument(call: usize, index: i32): f32 {
  return load<f32>(call + (<usize>(index + 4) << 2));
}

/** The next piece of a call's work that no thread has taken; which thread takes which decides nothing. */
@inline export function claim(call: usize, phase: i32): i32 {
  return atomic.add<i32>(call + 4 + (<usize>phase << 2), 1);
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
  const all = threads();
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
