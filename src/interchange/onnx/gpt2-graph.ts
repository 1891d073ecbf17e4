import {
  finalNorm,
  LAYER_NORM_EPSILON,
  layerName,
  positionEmbedding,
  slotEmbedding,
  tokenEmbedding,
  type GptConfig,
} from '../../models/gpt.ts';
import { byHead, decoder, logitsOf } from './decoder.ts';
import { embedded } from './embedded.ts';
import type { GraphBuilder } from './graph-builder.ts';

/** GPT-2 as src/models/gpt.ts describes it; widths are those of the parameters. */
export function gpt2Graph(b: GraphBuilder, model: GptConfig): void {
  const { heads, layers, window } = model;
  const headWidth = b.parameters.get(tokenEmbedding)!.shape[1] / heads;
  const { ids, positions, attend } = decoder(b, { heads, headWidth, cacheWidth: headWidth, window });
  const norm = (x: string, name: string) =>
    b.op('LayerNormalization', [x, b.parameter(`${name}.weight`), b.parameter(`${name}.bias`)], {
      axis: -1,
      epsilon: { float: LAYER_NORM_EPSILON },
    });
  const linear = (x: string, name: string) =>
    b.add(b.product(x, `${name}.weight`, 'in-out'), b.parameter(`${name}.bias`));

  const tokens = embedded(b, ids, { tokens: tokenEmbedding, slots: slotEmbedding }, model.slots);
  let x = b.add(tokens, b.op('Gather', [b.parameter(positionEmbedding), positions]));
  for (let layer = 0; layer < layers; layer++) {
    const h = layerName(layer);
    const [q, k, v] = b
      .split(linear(norm(x, `${h}.ln_1`), `${h}.attn.c_attn`), 3, -1)
      .map((part) => byHead(b, part, heads, headWidth));
    x = b.add(x, linear(attend(layer, q, k, v), `${h}.attn.c_proj`));
    x = b.add(x, linear(gelu(b, linear(norm(x, `${h}.ln_2`), `${h}.mlp.c_fc`)), `${h}.mlp.c_proj`));
  }
  logitsOf(b, norm(x, finalNorm), tokenEmbedding);
}

/** By its tanh approximation (Hendrycks and Gimpel 2016). */
function gelu(b: GraphBuilder, x: string): string {
  const cube = b.multiply(b.multiply(x, x), x);
  const inner = b.multiply(b.add(x, b.multiply(cube, b.number(0.044715))), b.number(Math.sqrt(2 / Math.PI)));
  return b.multiply(b.multiply(x, b.number(0.5)), b.add(b.op('Tanh', [inner]), b.number(1)));
}
