import type { CallContext } from '../plan/kernel-device.ts';
import { buffersOf } from '../plan/layout.ts';
import type { Call } from '../plan/plan.ts';
import { adamwReferences } from './adamw/reference.ts';
import { attentionReferences } from './attention/reference.ts';
import { crossEntropyReferences } from './cross-entropy/reference.ts';
import { dropoutReferences } from './dropout/reference.ts';
import { embedReferences } from './embed/reference.ts';
import { gatedUnitReferences } from './gated-unit/reference.ts';
import { linearReferences } from './linear/reference.ts';
import { muonReferences } from './muon/reference.ts';
import { normReferences } from './norm/reference.ts';
import { recurrenceReferences } from './recurrence/reference.ts';
import { rotaryReferences } from './rotary/reference.ts';
import { shiftReferences } from './shift/reference.ts';
import { shortConvolutionReferences } from './short-convolution/reference.ts';
import type { ReferenceContents, References } from './reference.ts';

const references: References<Call['kernel']> = {
  ...embedReferences,
  ...normReferences,
  ...linearReferences,
  ...dropoutReferences,
  ...attentionReferences,
  ...rotaryReferences,
  ...gatedUnitReferences,
  ...crossEntropyReferences,
  ...recurrenceReferences,
  ...shiftReferences,
  ...shortConvolutionReferences,
  ...adamwReferences,
  ...muonReferences,
};

/** Runs a call in float64, by its reference; outputs are written into `contents`. */
export function runReference(call: Call, contents: ReferenceContents, context: CallContext): void {
  const values: Record<string, unknown> = { ...call };
  for (const { field, buffer } of buffersOf(call)) {
    values[field] = contents.get(buffer.id);
    if (!values[field]) throw new Error(`no contents for the buffer ${buffer.name}`);
  }
  const reference = references[call.kernel] as (values: unknown, call: Call, context: CallContext) => void;
  reference(values, call, context);
}
