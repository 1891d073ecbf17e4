import { fail, ok, type Result } from '../../base/result.ts';
import { kindLimit } from '../../config/export-limits.ts';
import { lfm2Layout } from '../../models/lfm2.ts';
import type { ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { qwen3Layout } from '../../models/qwen3.ts';
import { gpt2Graph } from './gpt2-graph.ts';
import { GraphBuilder } from './graph-builder.ts';
import { lstmGraph } from './lstm-graph.ts';
import type { Graph } from './model-proto.ts';
import { modernGraph } from './modern-graph.ts';
import type { OnnxType } from './onnx-files.ts';

/**
 * A model as a graph of ONNX's operators of opset 17, with its caches as inputs and outputs (decoder.ts, lstm-graph.ts).
 * Fails for kinds that there is no graph for.
 * @param tensors the parameters, or those of a folder's model.safetensors where a model with slots became a plain one;
 * they decide about widths, vocabulary and slots
 */
export function networkGraph(model: ModelConfig, tensors: NamedArrays, type: OnnxType): Result<Graph> {
  const b = new GraphBuilder(tensors, type);
  if (model.kind === 'gpt2') gpt2Graph(b, model);
  else if (model.kind === 'qwen3') modernGraph(b, qwen3Layout(model));
  else if (model.kind === 'lfm2') modernGraph(b, lfm2Layout(model));
  else if (model.kind === 'lstm') lstmGraph(b, model);
  else return fail('graph-kind', `A ${model.kind} has no ONNX form and no TF.js form: ${kindLimit(model.kind)?.why}.`);
  return ok(b.graph(model.kind));
}
