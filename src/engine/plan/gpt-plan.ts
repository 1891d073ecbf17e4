import {
  LAYER_NORM_EPSILON,
  finalNorm,
  gptHead,
  gptShapes,
  layerName,
  positionEmbedding,
  slotEmbedding,
  tokenEmbedding,
  type GptConfig,
} from '../../models/gpt.ts';
import {
  attending,
  branched,
  dropoutSites,
  dropped,
  embedded,
  finished,
  inTurn,
  normed,
  projected,
  type Piece,
  type Projection,
} from './pieces.ts';
import type { Buffer, DropoutSite, Plan } from './plan.ts';
import { PlanBuilder } from './plan-builder.ts';

/**
 * GPT-2 (models/gpt.ts) as a plan. Dropout falls where GPT-2 has it, its sites numbered as the reference engine asks for
 * them: the embedding, then for each layer the attention's probabilities and the two residual branches.
 */
export function gptPlan(config: GptConfig, training: boolean): Plan {
  const { width: d, vocabulary } = config;
  const builder = new PlanBuilder(gptShapes(config));
  const site = dropoutSites(config.dropout, training);

  const norm = (x: Buffer, name: string) =>
    normed(builder, x, `${name}.weight`, { kind: 'layer', epsilon: LAYER_NORM_EPSILON, bias: `${name}.bias` });
  const linear = (x: Buffer, name: string, columns: number, extra: Projection = {}) =>
    projected(builder, x, `${name}.weight`, columns, { transposed: false, biases: [`${name}.bias`], ...extra });
  /** A projection into the residual stream, through dropout where there is any. */
  const added = (
    x: Buffer,
    name: string,
    residual: Buffer,
    dropout: DropoutSite | null,
    before: Buffer | null = null,
  ): Piece => {
    if (!dropout) return linear(x, name, d, { residual, before });
    const product = linear(x, name, d, { before });
    return inTurn(product, dropped(builder, product.out, dropout, residual));
  };

  const layerOf = (x: Buffer, name: string): Piece => {
    const sites = { attention: site(), first: site(), second: site() };
    const first = norm(x, `${name}.ln_1`);
    const qkv = linear(first.out, `${name}.attn.c_attn`, 3 * d);
    const attended = attending(builder, qkv.out, config, sites.attention);
    const middle = added(attended.out, `${name}.attn.c_proj`, x, sites.first);
    const second = norm(middle.out, `${name}.ln_2`);
    const wide = linear(second.out, `${name}.mlp.c_fc`, 4 * d, { gelu: true });
    const out = added(wide.out, `${name}.mlp.c_proj`, middle.out, sites.second, wide.before);
    return inTurn(branched(first, inTurn(qkv, attended, middle)), branched(second, inTurn(wide, out)));
  };

  const head = gptHead(config);
  const embedding = embedded(
    builder,
    {
      tokens: tokenEmbedding,
      positions: positionEmbedding,
      slots: config.slots ? slotEmbedding : null,
      tied: head === tokenEmbedding,
    },
    d,
    site(),
  );
  let x = embedding.out;
  const layers = Array.from({ length: config.layers }, (_, i) => {
    const layer = layerOf(x, layerName(i));
    x = layer.out;
    return layer;
  });
  const last = norm(x, finalNorm);
  return finished(builder, embedding, [...layers, last, projected(builder, last.out, head, vocabulary)], training);
}
