import { attention } from '../../kernels/attention/attention.wgsl.ts';
import { attentionGradient } from '../../kernels/attention/attention-gradient.wgsl.ts';
import { emulatedShape, stagedShape, type AttentionShape } from '../../kernels/attention/heads.wgsl.ts';
import { adamw, gradientNorm, PARTIALS } from '../../kernels/adamw/adamw.wgsl.ts';
import { crossEntropy } from '../../kernels/cross-entropy/cross-entropy.wgsl.ts';
import { dropout } from '../../kernels/dropout/dropout.wgsl.ts';
import { embed, embedGradient } from '../../kernels/embed/embed.wgsl.ts';
import { linear, linearGradient } from '../../kernels/linear/linear.wgsl.ts';
import { weightGradients } from '../../kernels/linear/weight-gradients.wgsl.ts';
import { gatedUnit, gatedUnitGradient } from '../../kernels/gated-unit/gated-unit.wgsl.ts';
import { muon } from '../../kernels/muon/muon.wgsl.ts';
import { norm, normGradient } from '../../kernels/norm/norm.wgsl.ts';
import {
  cardRecurrence,
  emulatedRecurrence,
  previousRows,
  recurrence,
  recurrenceGradient,
  type RecurrenceShape,
} from '../../kernels/recurrence/recurrence.wgsl.ts';
import { rotary, rotaryGradient, rotaryWeightGradient } from '../../kernels/rotary/rotary.wgsl.ts';
import { shift, shiftGradient } from '../../kernels/shift/shift.wgsl.ts';
import {
  shortConvolution,
  shortConvolutionGradient,
  shortConvolutionWeightGradient,
} from '../../kernels/short-convolution/short-convolution.wgsl.ts';
import type { ModelConfig } from '../../../models/model.ts';
import type { Buffer } from '../../plan/plan.ts';
import type { DeviceCall } from '../../plan/fuse.ts';
import type { Launch } from '../../gpu-kit/launch.ts';
import { emulatedTiling, largeTiling, smallTiling, type Tiling } from '../../gpu-kit/matmul.ts';

/** Which kernels suit a device. */
export interface Shapes {
  tiling: Tiling;
  attention: AttentionShape;
  /** Threads that share a row in norms and the loss. */
  lanes: number;
  recurrence: RecurrenceShape;
}

/** For an adapter emulated on the CPU: no workgroup memory, few loads. */
export const emulatedShapes: Shapes = {
  tiling: emulatedTiling,
  attention: emulatedShape,
  lanes: 1,
  recurrence: emulatedRecurrence,
};
/** For a graphics card. */
export const cardShapes: Shapes = {
  tiling: largeTiling,
  attention: stagedShape,
  lanes: 16,
  recurrence: cardRecurrence,
};

/** The kernels that suit a device and a model. */
export function shapesFor({ adapter }: { adapter: { emulated: boolean } }, model: ModelConfig): Shapes {
  if (adapter.emulated) return emulatedShapes;
  // Large tiles need many of them: a narrow model has too few to fill a card.
  return model.width < 256 ? { ...cardShapes, tiling: smallTiling } : cardShapes;
}

/** What launches need to know besides their calls. */
export interface Surroundings {
  shapes: Shapes;
  /** Positions that may occur. */
  context: number;
  /** Losses whose mean goes beside the gradients' norm. */
  loss: Buffer | null;
  /** What the losses are multiplied by in mixed precision (precision.ts); null in full. */
  lossScale: number | null;
}

/** The launches of calls, in their order. */
export function lower(calls: readonly DeviceCall[], surroundings: Surroundings): Launch[] {
  let id = calls.reduce((most, call) => Math.max(most, highestId(call)), 0);
  /** Memory that only one call's launches use. */
  const workspace = (name: string, rows: number, columns: number): Buffer => ({
    ...{ id: ++id, name, rows, columns, place: { kind: 'activation' } },
  });
  return calls.flatMap((call) => launchesOf(call, surroundings, workspace));
}

function launchesOf(
  call: DeviceCall,
  { shapes, context, loss, lossScale }: Surroundings,
  workspace: (name: string, rows: number, columns: number) => Buffer,
): Launch[] {
  const { tiling, attention: shape, lanes } = shapes;
  const mixed = lossScale !== null;
  switch (call.kernel) {
    case 'embed':
      return [embed(call)];
    case 'embedGradient':
      return [embedGradient(call, lanes)];
    case 'norm':
      return [norm(call, lanes)];
    case 'normGradient':
      return [normGradient(call, lanes)];
    case 'linear':
      return [linear(call, tiling)];
    case 'linearGradient':
      return [linearGradient(call, tiling)];
    case 'weightGradients':
      return [weightGradients(call, tiling)];
    case 'dropout':
      return [dropout(call)];
    case 'attention':
      return [attention(call, shape)];
    case 'attentionGradient':
      return [attentionGradient(call, shape)];
    case 'crossEntropy':
      return [crossEntropy(call, lanes, lossScale)];
    case 'gradientNorm':
      return gradientNorm(call, workspace('sums of squares', 1, PARTIALS), loss, lossScale);
    case 'adamw':
      return [adamw(call, mixed)];
    case 'muon':
      return muon(call, tiling, workspace, mixed);
    case 'rotary':
      return [rotary(call, context)];
    case 'rotaryGradient':
      return [rotaryGradient(call, context)];
    case 'rotaryWeightGradient':
      return [rotaryWeightGradient(call, context)];
    case 'gatedUnit':
      return [gatedUnit(call)];
    case 'gatedUnitGradient':
      return [gatedUnitGradient(call)];
    case 'recurrence':
      return [recurrence(call, shapes.recurrence)];
    case 'recurrenceGradient':
      return [recurrenceGradient(call, shapes.recurrence)];
    case 'previousRows':
      return [previousRows(call)];
    case 'shift':
      return [shift(call)];
    case 'shiftGradient':
      return [shiftGradient(call)];
    case 'shortConvolution':
      return [shortConvolution(call)];
    case 'shortConvolutionGradient':
      return [shortConvolutionGradient(call)];
    case 'shortConvolutionWeightGradient':
      return [shortConvolutionWeightGradient(call)];
  }
}

function highestId(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((most: number, one) => Math.max(most, highestId(one)), 0);
  if (typeof value !== 'object' || value === null) return 0;
  if ('place' in value && 'id' in value) return (value as Buffer).id;
  return Object.values(value).reduce((most: number, one) => Math.max(most, highestId(one)), 0);
}
