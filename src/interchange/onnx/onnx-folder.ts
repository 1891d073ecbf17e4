import { ok, type Result } from '../../base/result.ts';
import type { ModelConfig } from '../../models/model.ts';
import { WEIGHTS, type Files } from '../folder.ts';
import { NO_SAFETENSORS, withSection } from '../readme-section.ts';
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
  return ok(withSection(whole, config ? transformersSection(files.has('tokenizer.json')) : runtimeSection));
}

const transformersSection = (tokenizer: boolean) => `## ONNX

The folder onnx has the same model for onnxruntime and transformers.js${tokenizer ? '' : ' (without its tokenizer)'}. model.onnx has weights of 32 bits. model_fp16.onnx stores matrices in 16 bits, model_quantized.onnx those of the layers in 8, with a scale for each output. All of them compute in 32 bits, on WASM and on WebGPU. ${NO_SAFETENSORS}
${
  tokenizer
    ? `
\`\`\`js
import { pipeline } from '@huggingface/transformers';

const generate = await pipeline('text-generation', 'path/or/name/of/this/folder');
console.log(await generate('e2e4 e7e5 g1f3', { max_new_tokens: 8 }));
\`\`\`
`
    : ''
}`;

const runtimeSection = `## ONNX

The folder onnx has the same model for onnxruntime. model.onnx has weights of 32 bits. model_fp16.onnx stores matrices in 16 bits, model_quantized.onnx those of the layers in 8; both compute in 32. \`input_ids\` [batch, tokens] gives \`logits\`. What goes out as \`present…\` goes in as \`past…\` with the tokens that follow, and \`h_n\` and \`c_n\` as \`h_0\` and \`c_0\`; before the first token they are zeros, or have no rows. Where there are \`attention_mask\` and \`position_ids\`, the one is 1 for each token so far, the other counts the new ones on from 0. ${NO_SAFETENSORS}
`;
