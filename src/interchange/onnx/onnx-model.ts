import { concatenated } from '../../base/bytes.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { lfm2Layout } from '../../models/lfm2.ts';
import type { ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { qwen3Layout } from '../../models/qwen3.ts';
import { HALF_OVERFLOW } from '../float16.ts';
import { gpt2Graph } from './gpt2-graph.ts';
import { GraphBuilder } from './graph-builder.ts';
import type { OnnxType } from './onnx-files.ts';
import { lstmGraph } from './lstm-graph.ts';
import { modelProto } from './model-proto.ts';
import { modernGraph } from './modern-graph.ts';

/** Protobuf's own limit. */
const MOST_BYTES = 2 ** 31 - 1;

/**
 * A model as a file of ONNX in operators of opset 17 alone, with its caches as inputs and outputs (decoder.ts,
 * lstm-graph.ts). 'f32' stores what the model has; 'f16' stores matrices in 16 bits, 'q8' those of the layers in 8, with
 * a scale for each output. All compute in 32 bits.
 * Fails for kinds that there is no graph for, and where it would be larger than protobuf allows.
 * @param tensors the parameters, or those of a folder's model.safetensors where a model with slots became a plain one;
 * they decide about widths, vocabulary and slots
 */
export function onnxModel(model: ModelConfig, tensors: NamedArrays, type: OnnxType): Result<Uint8Array> {
  const b = new GraphBuilder(tensors, type);
  switch (model.kind) {
    case 'gpt2':
      gpt2Graph(b, model);
      break;
    case 'qwen3':
      modernGraph(b, qwen3Layout(model));
      break;
    case 'lfm2':
      modernGraph(b, lfm2Layout(model));
      break;
    case 'lstm':
      lstmGraph(b, model);
      break;
    default:
      return fail('onnx-kind', `A ${model.kind} has no ONNX form; a GPT-2, a Qwen3, an LFM2 and an LSTM have one.`);
  }
  const huge = type === 'f16' && [...tensors].find(([, { data }]) => data.some((x) => Math.abs(x) >= HALF_OVERFLOW));
  if (huge)
    return fail(
      'half-overflow',
      `${huge[0]} has a weight of 65520 or more, which 16 bits cannot store; leave f16 out.`,
    );
  const proto = modelProto(b.graph(model.kind), { weights: type });
  if (proto.length > MOST_BYTES)
    return fail(
      'onnx-size',
      `As ONNX the model is ${proto.length} bytes long, more than a file can be (${MOST_BYTES}).`,
    );
  return ok(concatenated(proto.parts));
}
