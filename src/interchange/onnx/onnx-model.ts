import { concatenated } from '../../base/bytes.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { HALF_OVERFLOW } from '../float16.ts';
import { modelProto } from './model-proto.ts';
import { networkGraph } from './network-graph.ts';
import type { OnnxType } from './onnx-files.ts';

/** Protobuf's own limit. */
const MOST_BYTES = 2 ** 31 - 1;

/**
 * A model as a file of ONNX. 'f32' stores what the model has; 'f16' stores matrices in 16 bits, 'q8' those of the layers in
 * 8, with a scale for each output. All compute in 32 bits.
 * Fails as networkGraph does, and where it would be larger than protobuf allows.
 * @param tensors as networkGraph has them
 */
export function onnxModel(model: ModelConfig, tensors: NamedArrays, type: OnnxType): Result<Uint8Array> {
  const graph = networkGraph(model, tensors, type);
  if (!graph.ok) return graph;
  const huge = type === 'f16' && [...tensors].find(([, { data }]) => data.some((x) => Math.abs(x) >= HALF_OVERFLOW));
  if (huge)
    return fail(
      'half-overflow',
      `${huge[0]} has a weight of 65520 or more, which 16 bits cannot store; leave f16 out.`,
    );
  const proto = modelProto(graph.value, { weights: type });
  if (proto.length > MOST_BYTES)
    return fail(
      'onnx-size',
      `As ONNX the model is ${proto.length} bytes long, more than a file can be (${MOST_BYTES}).`,
    );
  return ok(concatenated(proto.parts));
}
