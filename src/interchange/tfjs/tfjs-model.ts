import { concatenated } from '../../base/bytes.ts';
import { ok, type Result } from '../../base/result.ts';
import type { ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import type { Files } from '../folder.ts';
import type { Graph } from '../onnx/model-proto.ts';
import { PRODUCER } from '../onnx/model-proto.ts';
import { networkGraph } from '../onnx/network-graph.ts';
import { shapeOf, type GraphDef } from './graph-def.ts';
import { TfScope, type Weight } from './tf-scope.ts';
import { translate } from './translate.ts';

/** As tensorflowjs_converter cuts weights: browsers fetch and store files of this size. */
const SHARD_BYTES = 4 * 2 ** 20;
/** Of the GraphDef format. */
const VERSIONS = { producer: 1395, minConsumer: 12 };

/**
 * A model as TF.js's graph model: model.json and its weights. input_ids [batch, tokens] gives logits [batch, tokens,
 * vocabulary]. It is the graph that ONNX has, read from the beginning of a sequence. Fails as networkGraph does.
 * @param tensors as onnxModel has them
 */
export function tfjsModel(model: ModelConfig, tensors: NamedArrays): Result<Files> {
  const graph = networkGraph(model, tensors, 'f32');
  if (!graph.ok) return graph;
  const { definition, weights } = graphDef(graph.value);
  const shards = sharded(weights.map(({ data }) => data));
  const paths = shards.map((_, i) => `group1-shard${i + 1}of${shards.length}.bin`);
  const tensorOf = (name: string, dtype: string, sides: string[]) => ({
    [name]: { name: `${name}:0`, dtype, tensorShape: shapeOf(sides) },
  });
  const description = {
    format: 'graph-model',
    generatedBy: PRODUCER,
    convertedBy: null,
    signature: {
      inputs: tensorOf('input_ids', 'DT_INT32', ['batch', 'tokens']),
      outputs: tensorOf('logits', 'DT_FLOAT', ['batch', 'tokens', 'vocabulary']),
    },
    modelTopology: definition,
    weightsManifest: [{ paths, weights: weights.map(({ name, shape, dtype }) => ({ name, shape, dtype })) }],
  };
  const files: Files = new Map([['model.json', new TextEncoder().encode(JSON.stringify(description))]]);
  for (const [i, path] of paths.entries()) files.set(path, shards[i]);
  return ok(files);
}

/** The graph from input_ids to logits. */
function graphDef({ nodes, initializers, inputs, outputs }: Graph): { definition: GraphDef; weights: Weight[] } {
  const shared = {
    initializers: new Map(initializers.map((tensor) => [tensor.name, tensor])),
    weights: new Map<string, Weight>(),
    functions: [],
  };
  const g = new TfScope(shared);
  const ids = g.op(
    'Placeholder',
    [],
    { dtype: { type: 'DT_INT32' }, shape: { shape: shapeOf(['batch', 'tokens']) } },
    'input_ids',
  );
  const [batch, tokens] = [0, 1].map((axis) => g.op('GatherV2', [g.op('Shape', [ids]), g.ints(axis), g.ints(0)]));
  g.batch = batch;
  for (const { name, type, shape } of inputs) {
    if (name === 'input_ids') g.values.set(name, ids);
    else if (name === 'attention_mask') g.values.set(name, g.op('OnesLike', [ids]));
    else if (name === 'position_ids') {
      const places = g.op('Range', [g.ints(0), tokens, g.ints(1)], { Tidx: { type: 'DT_INT32' } });
      g.values.set(name, g.op('ExpandDims', [places, g.ints(0)]));
    } else if (shape.some((side) => typeof side === 'string' && side !== 'batch_size')) g.values.set(name, null);
    else g.values.set(name, g.zeros(type, shape));
  }
  translate(g, { nodes, outputs: outputs.filter(({ name }) => name === 'logits') });
  g.op('Identity', [g.value('logits')!], {}, 'logits');
  const { functions } = shared;
  const library = functions.length > 0 ? { library: { function: functions } } : {};
  return { definition: { node: g.nodes, ...library, versions: VERSIONS }, weights: [...shared.weights.values()] };
}

/** All bytes one behind the other, cut into files. */
function sharded(parts: readonly Uint8Array[]): Uint8Array[] {
  const bytes = concatenated([...parts]);
  const shards: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += SHARD_BYTES) shards.push(bytes.subarray(at, at + SHARD_BYTES));
  return shards;
}
