import { ok, type Result } from '../../base/result.ts';
import type { ModelConfig } from '../../models/model.ts';
import { WEIGHTS, type Files } from '../folder.ts';
import { withUse } from '../records/readme-section.ts';
import { readSafetensors } from '../safetensors.ts';
import { tfjsModel } from './tfjs-model.ts';

/**
 * A folder with its weights as TF.js's graph model instead. Fails as tfjsModel does.
 * @param files with model.safetensors
 * @param model whose weights they are, its slots and widths aside
 */
export function withTfjs(files: Files, model: ModelConfig): Result<Files> {
  const read = readSafetensors(files.get(WEIGHTS)!);
  if (!read.ok) return read;
  const graph = tfjsModel(model, read.value.tensors);
  if (!graph.ok) return graph;
  const whole: Files = new Map([...files, ...graph.value]);
  whole.delete(WEIGHTS);
  return ok(withUse(whole, section(whole.has('tokenizer.json'), hasLoops(graph.value))));
}

/** Whether the graph has functions, which only predictAsync runs. */
export function hasLoops(files: Files): boolean {
  const { modelTopology } = JSON.parse(new TextDecoder().decode(files.get('model.json'))) as {
    modelTopology: { library?: object };
  };
  return modelTopology.library !== undefined;
}

const section = (tokenizer: boolean, loops: boolean) => `## TensorFlow.js

model.json and the files beside it are the model for TensorFlow.js: \`input_ids\` [batch, tokens] gives \`logits\` [batch, tokens, vocabulary]. Each token sees only those before it, so shorter rows may be padded at their ends.

\`\`\`js
import * as tf from '@tensorflow/tfjs';
${
  tokenizer
    ? `import { Tokenizer } from '@huggingface/tokenizers';

const folder = 'path/of/this/folder';
const files = ['tokenizer.json', 'tokenizer_config.json'].map((name) => fetch(\`\${folder}/\${name}\`));
const tokenizer = new Tokenizer(...(await Promise.all(files.map(async (file) => (await file).json()))));
const { ids } = tokenizer.encode('e2e4 e7e5 g1f3');
`
    : `
const folder = 'path/of/this/folder';
const ids = [1]; // a sequence begins with the token 1
`
}const model = await tf.loadGraphModel(\`\${folder}/model.json\`);
const logits = ${loops ? 'await model.predictAsync' : 'model.predict'}(tf.tensor2d([ids], undefined, 'int32'));
const next = tf.topk(logits.squeeze([0]).slice(ids.length - 1).softmax(), 5);
next.values.print(); // the probabilities of the likeliest next tokens
next.indices.print(); // and their ids
\`\`\`
`;
