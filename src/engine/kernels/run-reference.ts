import type { CallContext } from '../plan/kernel-device.ts';
import type { Call } from '../plan/plan.ts';
import { adamwReference, gradientNormReference } from './adamw/reference.ts';
import { attentionGradientReference, attentionReference } from './attention/reference.ts';
import { crossEntropyReference } from './cross-entropy/reference.ts';
import { dropoutReference } from './dropout/reference.ts';
import { embedGradientReference, embedReference } from './embed/reference.ts';
import { gatedUnitGradientReference, gatedUnitReference } from './gated-unit/reference.ts';
import { linearGradientReference, linearReference, weightGradientReference } from './linear/reference.ts';
import { muonReference } from './muon/reference.ts';
import { normGradientReference, normReference, normWeightGradientReference } from './norm/reference.ts';
import { previousRowsReference, recurrenceGradientReference, recurrenceReference } from './recurrence/reference.ts';
import { rotaryGradientReference, rotaryReference, rotaryWeightGradientReference } from './rotary/reference.ts';
import { shiftGradientReference, shiftReference, shiftWeightGradientReference } from './shift/reference.ts';
import {
  shortConvolutionGradientReference,
  shortConvolutionReference,
  shortConvolutionWeightGradientReference,
} from './short-convolution/reference.ts';
import type { ReferenceContents } from './reference.ts';

type Reference<K extends Call['kernel']> = (
  call: Extract<Call, { kernel: K }>,
  contents: ReferenceContents,
  context: CallContext,
) => void;

const references: { [K in Call['kernel']]: Reference<K> } = {
  embed: embedReference,
  embedGradient: embedGradientReference,
  norm: normReference,
  normGradient: normGradientReference,
  normWeightGradient: normWeightGradientReference,
  linear: linearReference,
  linearGradient: linearGradientReference,
  weightGradient: weightGradientReference,
  dropout: dropoutReference,
  attention: attentionReference,
  attentionGradient: attentionGradientReference,
  rotary: rotaryReference,
  rotaryGradient: rotaryGradientReference,
  rotaryWeightGradient: rotaryWeightGradientReference,
  gatedUnit: gatedUnitReference,
  gatedUnitGradient: gatedUnitGradientReference,
  crossEntropy: crossEntropyReference,
  recurrence: recurrenceReference,
  recurrenceGradient: recurrenceGradientReference,
  previousRows: previousRowsReference,
  shift: shiftReference,
  shiftGradient: shiftGradientReference,
  shiftWeightGradient: shiftWeightGradientReference,
  shortConvolution: shortConvolutionReference,
  shortConvolutionGradient: shortConvolutionGradientReference,
  shortConvolutionWeightGradient: shortConvolutionWeightGradientReference,
  gradientNorm: gradientNormReference,
  adamw: adamwReference,
  muon: muonReference,
};

/** Runs a call in float64, by its reference; outputs are written into `contents`. */
export function runReference(call: Call, contents: ReferenceContents, context: CallContext): void {
  (references[call.kernel] as Reference<Call['kernel']>)(call as never, contents, context);
}
