import { ok, type Result } from '../../base/result.ts';
import type { ModelConfig } from '../../models/model.ts';
import { WEIGHTS, type Files } from '../folder.ts';
import { withUse } from '../records/readme-section.ts';
import { readSafetensors } from '../safetensors.ts';
import { onnxModel } from './onnx-model.ts';
import { ONNX_FILES, type OnnxType } from './onnx-files.ts';

/**
 * A folder with its weights as ONNX instead, in the order of the types; config.json names the first as the one that
 * transformers.js loads where nobody says otherwise.
 * @param files with model.safetensors, and config.json where Hugging Face has the kind
 * @param model whose weights they are, its slots and widths aside
 */
export function withOnnx(files: Files, model: ModelConfig, types: readonly OnnxType[]): Result<Files> {
  const read = readSafetensors(files.get(WEIGHTS)!);
  if (!read.ok) return read;
  const whole: Files = new Map(files);
  for (const type of types) {
    const file = onnxModel(model, read.value.tensors, type);
    if (!file.ok) return file;
    whole.set(ONNX_FILES[type].file, file.value);
  }
  const config = files.get('config.json');
  if (config) {
    const fields = JSON.parse(new TextDecoder().decode(config)) as Record<string, unknown>;
    fields['transformers.js_config'] = { dtype: ONNX_FILES[types[0]].dtype };
    whole.set('config.json', new TextEncoder().encode(`${JSON.stringify(fields, null, 2)}\n`));
  }
  whole.delete(WEIGHTS);
  const section =
    config && files.has('tokenizer.json') ? transformersSection : runtimeSection(files, config !== undefined);
  return ok(withUse(whole, section));
}

const transformersSection = `## ONNX

The folder onnx has the model for onnxruntime and transformers.js. model.onnx has weights of 32 bits. model_fp16.onnx stores matrices in 16 bits, model_quantized.onnx those of the layers in 8, with a scale for each output. All of them compute in 32 bits, on WASM and on WebGPU.

\`\`\`js
import { pipeline } from '@huggingface/transformers';

const generate = await pipeline('text-generation', 'path/or/name/of/this/folder');
console.log(await generate('e2e4 e7e5 g1f3', { max_new_tokens: 8 }));
\`\`\`
`;

/** Lines for onnxruntime-web, of a folder without a tokenizer; a model with slots may have an automaton that reads tokens. */
function runtimeSection(files: Files, transformers: boolean): string {
  const slots = files.get('slots.json');
  const readings = slots !== undefined && 'reading' in (JSON.parse(new TextDecoder().decode(slots)) as object);
  return `## ONNX

The folder onnx has the model for onnxruntime${transformers ? ' and transformers.js, without its tokenizer' : ''}. model.onnx has weights of 32 bits. model_fp16.onnx stores matrices in 16 bits, model_quantized.onnx those of the layers in 8; both compute in 32. \`input_ids\` [batch, tokens] gives \`logits\`. What goes out as \`present…\` goes in as \`past…\` with the tokens that follow, and \`h_n\` and \`c_n\` as \`h_0\` and \`c_0\`; \`attention_mask\` is then 1 for each token so far, and \`position_ids\` counts the new ones on.

\`\`\`js
import * as ort from 'onnxruntime-web';

const folder = 'path/of/this/folder';
const session = await ort.InferenceSession.create(\`\${folder}/onnx/model.onnx\`);
const tokens = [1]; // a game begins with the token 1; its events follow
${readings ? READINGS : 'const ids = tokens;'}
const row = (value) => new ort.Tensor('int64', BigInt64Array.from(ids, value), [1, ids.length]);
const known = { input_ids: row(BigInt), attention_mask: row(() => 1n), position_ids: row((_, i) => BigInt(i)) };
const inputs = {};
for (const { name, type, shape } of session.inputMetadata) {
  // Caches are zeros before the first token, or have no rows.
  const sides = shape.map((side) => (typeof side === 'number' ? side : Number(side === 'batch_size')));
  const size = sides.reduce((product, side) => product * side, 1);
  const zeros = type === 'int64' ? new BigInt64Array(size) : new Float32Array(size);
  inputs[name] = known[name] ?? new ort.Tensor(type, zeros, sides);
}
const { logits } = await session.run(inputs);
const next = logits.data.slice(-logits.dims[2]); // the logits of the next token
\`\`\`
`;
}

const READINGS = `const grammar = await (await fetch(\`\${folder}/slots.json\`)).json();
const vocabulary = (await (await fetch(\`\${folder}/blindfold.json\`)).json()).record.tokens.length;
let state = 0;
const ids = tokens.map((token) => {
  const at = state * vocabulary + token;
  state = grammar.next[at];
  return grammar.reading[at];
});`;
