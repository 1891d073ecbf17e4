import { adamw, gradientNorm } from '../../operations/adamw/adamw.as';
import { attention, attentionGradient } from '../../operations/attention/attention.as';
import { crossEntropy } from '../../operations/cross-entropy/cross-entropy.as';
import { dropout } from '../../operations/dropout/dropout.as';
import { embed, embedGradient } from '../../operations/embed/embed.as';
import { gatedUnit, gatedUnitGradient } from '../../operations/gated-unit/gated-unit.as';
import { linear, linearGradient, weightGradient } from '../../operations/linear/linear.as';
import { muon } from '../../operations/muon/muon.as';
import { norm, normGradient, normWeightGradient } from '../../operations/norm/norm.as';
import { previousRows, recurrence, recurrenceGradient } from '../../operations/recurrence/recurrence.as';
import { rotary, rotaryGradient, rotaryWeightGradient } from '../../operations/rotary/rotary.as';
import { shift, shiftGradient, shiftWeightGradient } from '../../operations/shift/shift.as';
import {
  shortConvolution,
  shortConvolutionGradient,
  shortConvolutionWeightGradient,
} from '../../operations/short-convolution/short-convolution.as';
import { barrier, INSTRUCTION, program, sleep, WAKE } from './runtime.as';

/** Told by thread 0 after each call, when all threads are done with it. */
@external("env", "finished")
declare function finished(operation: i32): void;

/** Walks the program once; every thread of a run does. An operation of 0 ends it. src/engine/wasm/program.ts numbers them. */
export function run(thread: i32): void {
  let call = program();
  let operation = load<i32>(call);
  while (operation != 0) {
    switch (operation) {
      case 1: embed(call); break;
      case 2: embedGradient(call); break;
      case 3: norm(call); break;
      case 4: normGradient(call); break;
      case 5: normWeightGradient(call); break;
      case 6: linear(call, thread); break;
      case 7: linearGradient(call, thread); break;
      case 8: weightGradient(call, thread); break;
      case 9: dropout(call); break;
      case 10: attention(call, thread); break;
      case 11: attentionGradient(call, thread); break;
      case 12: rotary(call); break;
      case 13: rotaryGradient(call); break;
      case 14: rotaryWeightGradient(call); break;
      case 15: gatedUnit(call); break;
      case 16: gatedUnitGradient(call); break;
      case 17: crossEntropy(call); break;
      case 18: recurrence(call, thread); break;
      case 19: recurrenceGradient(call, thread); break;
      case 20: previousRows(call); break;
      case 21: gradientNorm(call, thread); break;
      case 22: adamw(call); break;
      case 23: muon(call, thread); break;
      case 24: shift(call); break;
      case 25: shiftGradient(call); break;
      case 26: shiftWeightGradient(call); break;
      case 27: shortConvolution(call, thread); break;
      case 28: shortConvolutionGradient(call, thread); break;
      case 29: shortConvolutionWeightGradient(call, thread); break;
      default: unreachable();
    }
    const done = operation;
    call += INSTRUCTION << 2;
    // Read before the barrier: when the last one is passed the host may have other plans for the program's memory.
    operation = load<i32>(call);
    barrier();
    if (thread == 0) finished(done);
  }
}

/**
 * The life of every thread but the first: sleep, run, sleep. Runs are counted from the machine's first, so that a
 * thread that starts late still joins it: no run ends without all threads.
 */
export function serve(thread: i32): void {
  let seen = 0;
  for (;;) {
    while (atomic.load<i32>(WAKE) == seen) sleep(WAKE, seen);
    seen++;
    run(thread);
  }
}
