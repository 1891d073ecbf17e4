import type { CallContext } from '../plan/kernel-device.ts';
import type { Call } from '../plan/plan.ts';
import { adamwTwin, gradientNormTwin } from './adamw/twin.ts';
import { attentionGradientTwin, attentionTwin } from './attention/twin.ts';
import { crossEntropyTwin } from './cross-entropy/twin.ts';
import { dropoutTwin } from './dropout/twin.ts';
import { embedGradientTwin, embedTwin } from './embed/twin.ts';
import { gatedUnitGradientTwin, gatedUnitTwin } from './gated-unit/twin.ts';
import { linearGradientTwin, linearTwin, weightGradientTwin } from './linear/twin.ts';
import { muonTwin } from './muon/twin.ts';
import { normGradientTwin, normTwin, normWeightGradientTwin } from './norm/twin.ts';
import { previousRowsTwin, recurrenceGradientTwin, recurrenceTwin } from './recurrence/twin.ts';
import { rotaryGradientTwin, rotaryTwin, rotaryWeightGradientTwin } from './rotary/twin.ts';
import { shiftGradientTwin, shiftTwin, shiftWeightGradientTwin } from './shift/twin.ts';
import {
  shortConvolutionGradientTwin,
  shortConvolutionTwin,
  shortConvolutionWeightGradientTwin,
} from './short-convolution/twin.ts';
import type { TwinContents } from './twin.ts';

type Twin<K extends Call['kernel']> = (
  call: Extract<Call, { kernel: K }>,
  contents: TwinContents,
  context: CallContext,
) => void;

const twins: { [K in Call['kernel']]: Twin<K> } = {
  embed: embedTwin,
  embedGradient: embedGradientTwin,
  norm: normTwin,
  normGradient: normGradientTwin,
  normWeightGradient: normWeightGradientTwin,
  linear: linearTwin,
  linearGradient: linearGradientTwin,
  weightGradient: weightGradientTwin,
  dropout: dropoutTwin,
  attention: attentionTwin,
  attentionGradient: attentionGradientTwin,
  rotary: rotaryTwin,
  rotaryGradient: rotaryGradientTwin,
  rotaryWeightGradient: rotaryWeightGradientTwin,
  gatedUnit: gatedUnitTwin,
  gatedUnitGradient: gatedUnitGradientTwin,
  crossEntropy: crossEntropyTwin,
  recurrence: recurrenceTwin,
  recurrenceGradient: recurrenceGradientTwin,
  previousRows: previousRowsTwin,
  shift: shiftTwin,
  shiftGradient: shiftGradientTwin,
  shiftWeightGradient: shiftWeightGradientTwin,
  shortConvolution: shortConvolutionTwin,
  shortConvolutionGradient: shortConvolutionGradientTwin,
  shortConvolutionWeightGradient: shortConvolutionWeightGradientTwin,
  gradientNorm: gradientNormTwin,
  adamw: adamwTwin,
  muon: muonTwin,
};

/** Runs a call in float64, by its twin; outputs are written into `contents`. */
export function runTwin(call: Call, contents: TwinContents, context: CallContext): void {
  (twins[call.kernel] as Twin<Call['kernel']>)(call as never, contents, context);
}
