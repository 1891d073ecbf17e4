import { adamw, gradientNorm } from '../../kernels/adamw/adamw.as';
import { attention, attentionGradient } from '../../kernels/attention/attention.as';
import { crossEntropy } from '../../kernels/cross-entropy/cross-entropy.as';
import { dropout } from '../../kernels/dropout/dropout.as';
import { embed, embedGradient } from '../../kernels/embed/embed.as';
import { gatedUnit, gatedUnitGradient } from '../../kernels/gated-unit/gated-unit.as';
import { linear, linearGradient, weightGradient } from '../../kernels/linear/linear.as';
import { muon } from '../../kernels/muon/muon.as';
import { norm, normGradient, normWeightGradient } from '../../kernels/norm/norm.as';
import { previousRows, recurrence, recurrenceGradient } from '../../kernels/recurrence/recurrence.as';
import { rotary, rotaryGradient, rotaryWeightGradient } from '../../kernels/rotary/rotary.as';
import { shift, shiftGradient, shiftWeightGradient } from '../../kernels/shift/shift.as';
import {
  shortConvolution,
  shortConvolutionGradient,
  shortConvolutionWeightGradient,
} from '../../kernels/short-convolution/short-convolution.as';
import * as table from '../../wasm-kit/built/tables.as';
import { barrier, runtime, sleep, WAKE } from '../../wasm-kit/runtime.as';

/** Told by thread 0 after each call, when all threads are done with it. */
@external("env", "finished")
declare function finished(operation: i32): void;

/** Walks the program once; every thread of a run does. wasm-kit/tables.ts numbers the operations. */
export function run(thread: i32): void {
  let call = runtime.program;
  let operation = load<i32>(call);
  while (operation != table.Operation.end) {
    switch (operation) {
      case table.Operation.embed: embed(changetype<table.Embed>(call)); break;
      case table.Operation.embedGradient: embedGradient(changetype<table.EmbedGradient>(call)); break;
      case table.Operation.norm: norm(changetype<table.Norm>(call)); break;
      case table.Operation.normGradient: normGradient(changetype<table.NormGradient>(call)); break;
      case table.Operation.normWeightGradient: normWeightGradient(changetype<table.NormWeightGradient>(call)); break;
      case table.Operation.linear: linear(changetype<table.Linear>(call), thread); break;
      case table.Operation.linearGradient: linearGradient(changetype<table.LinearGradient>(call), thread); break;
      case table.Operation.weightGradient: weightGradient(changetype<table.WeightGradient>(call), thread); break;
      case table.Operation.dropout: dropout(changetype<table.Dropout>(call)); break;
      case table.Operation.attention: attention(changetype<table.Attention>(call), thread); break;
      case table.Operation.attentionGradient:
        attentionGradient(changetype<table.AttentionGradient>(call), thread); break;
      case table.Operation.rotary: rotary(changetype<table.Rotary>(call)); break;
      case table.Operation.rotaryGradient: rotaryGradient(changetype<table.RotaryGradient>(call)); break;
      case table.Operation.rotaryWeightGradient:
        rotaryWeightGradient(changetype<table.RotaryWeightGradient>(call)); break;
      case table.Operation.gatedUnit: gatedUnit(changetype<table.GatedUnit>(call)); break;
      case table.Operation.gatedUnitGradient: gatedUnitGradient(changetype<table.GatedUnitGradient>(call)); break;
      case table.Operation.crossEntropy: crossEntropy(changetype<table.CrossEntropy>(call)); break;
      case table.Operation.recurrence: recurrence(changetype<table.Recurrence>(call), thread); break;
      case table.Operation.recurrenceGradient:
        recurrenceGradient(changetype<table.RecurrenceGradient>(call), thread); break;
      case table.Operation.previousRows: previousRows(changetype<table.PreviousRows>(call)); break;
      case table.Operation.gradientNorm: gradientNorm(changetype<table.GradientNorm>(call), thread); break;
      case table.Operation.adamw: adamw(changetype<table.Adamw>(call)); break;
      case table.Operation.muon: muon(changetype<table.Muon>(call), thread); break;
      case table.Operation.shift: shift(changetype<table.Shift>(call)); break;
      case table.Operation.shiftGradient: shiftGradient(changetype<table.ShiftGradient>(call)); break;
      case table.Operation.shiftWeightGradient: shiftWeightGradient(changetype<table.ShiftWeightGradient>(call)); break;
      case table.Operation.shortConvolution: shortConvolution(changetype<table.ShortConvolution>(call), thread); break;
      case table.Operation.shortConvolutionGradient:
        shortConvolutionGradient(changetype<table.ShortConvolutionGradient>(call), thread); break;
      case table.Operation.shortConvolutionWeightGradient:
        shortConvolutionWeightGradient(changetype<table.ShortConvolutionWeightGradient>(call), thread); break;
      default: unreachable();
    }
    const done = operation;
    call += table.INSTRUCTION_BYTES;
    // Read before the barrier: when the last one is passed the host may have other plans for the program's memory.
    operation = load<i32>(call);
    barrier();
    if (thread == 0) finished(done);
  }
}

/**
 * The life of every thread but the first: sleep, run, sleep. Runs are counted from the runtime's first, so that a
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
