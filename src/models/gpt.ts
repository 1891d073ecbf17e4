import type { ConfigOf, ModelKind } from './kind.ts';
import { layerNormShapes, type MatrixBlock, type ParameterShape } from './parameters.ts';

/**
 * GPT-2 (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners") as the chess testbed
 * (Toshniwal et al. 2022) uses it: layer norm before each sub-layer, biases everywhere, learned positions,
 * GELU by its tanh approximation, and a head tied to the token embedding unless asked otherwise. Names and layouts are
 * those of Hugging Face's GPT2LMHeadModel (Conv1D weights are [in, out]), so that weights go there and back unchanged.
 */
export type GptConfig = ConfigOf<'gpt2'>;

export const LAYER_NORM_EPSILON = 1e-5;

const INITIAL_DEVIATION = 0.02;

export const tokenEmbedding = 'transformer.wte.weight';
export const positionEmbedding = 'transformer.wpe.weight';
/** [slots, d]; rows after the vocabulary's in an exported token embedding. */
export const slotEmbedding = 'transformer.wse.weight';
export const finalNorm = 'transformer.ln_f';
/** [vocabulary, d], of an untied head; Hugging Face names it so in all its families. */
export const lmHead = 'lm_head.weight';
/** The name of the head's matrix [vocabulary, d], whichever it is. */
export const gptHead = (config: GptConfig): string => (config.tied === false ? lmHead : tokenEmbedding);

/** The prefix of the names of one layer's parameters. */
export const layerName = (layer: number): string => `transformer.h.${layer}`;

/**
 * Every parameter, in the order of GPT2LMHeadModel.state_dict(). A tied head has none of its own. Weights start as
 * 'gpt2': normal(0, 0.02), projections into the residual stream divided by sqrt(2 layers).
 * 'zero-out': embeddings normal(0, 0.1), matrices normal(0, 1 / (3 inputs)), projections into the residual stream zero,
 * positions as sinusoids (Vaswani et al. 2017, section 3.5) of amplitude 0.1; an untied head starts at zero.
 */
export function gptShapes(config: GptConfig): ParameterShape[] {
  const d = config.width;
  const zeroOut = config.start === 'zero-out';
  const inside = (inputs: number) => ({ deviation: zeroOut ? 1 / Math.sqrt(3 * inputs) : INITIAL_DEVIATION });
  const embedding = { deviation: zeroOut ? 0.1 : INITIAL_DEVIATION };
  const outward = zeroOut ? 'zeros' : { deviation: INITIAL_DEVIATION / Math.sqrt(2 * config.layers) };
  const norm = (name: string) => layerNormShapes(name, d);
  const linear = (name: string, inputs: number, outputs: number, start: ParameterShape['start']): ParameterShape[] => [
    { name: `${name}.weight`, shape: [inputs, outputs], start },
    { name: `${name}.bias`, shape: [outputs], start: 'zeros' },
  ];
  const list: ParameterShape[] = [
    { name: tokenEmbedding, shape: [config.vocabulary, d], start: embedding },
    { name: positionEmbedding, shape: [config.context, d], start: zeroOut ? { sinusoids: 0.1 } : embedding },
  ];
  if (config.slots) list.push({ name: slotEmbedding, shape: [config.slots.count, d], start: embedding });
  for (let layer = 0; layer < config.layers; layer++) {
    const h = layerName(layer);
    list.push(
      ...norm(`${h}.ln_1`),
      ...linear(`${h}.attn.c_attn`, d, 3 * d, inside(d)),
      ...linear(`${h}.attn.c_proj`, d, d, outward),
      ...norm(`${h}.ln_2`),
      ...linear(`${h}.mlp.c_fc`, d, 4 * d, inside(d)),
      ...linear(`${h}.mlp.c_proj`, 4 * d, d, outward),
    );
  }
  list.push(...norm(finalNorm));
  if (gptHead(config) === lmHead)
    list.push({ name: lmHead, shape: [config.vocabulary, d], start: zeroOut ? 'zeros' : embedding });
  return list;
}

/** The matrices inside the layers, for Muon; q, k and v apart. Conv1D keeps them [in, out]. */
export function gptMatrices(config: GptConfig): MatrixBlock[] {
  const d = config.width;
  const part = (name: string, inputs: number, outputs: number, offset = 0, stride = outputs): MatrixBlock => {
    return { name: `${name}.weight`, offset, rows: inputs, columns: outputs, stride, outputs, inputs };
  };
  return Array.from({ length: config.layers }, (_, layer) => layerName(layer)).flatMap((h) => [
    ...[0, d, 2 * d].map((offset) => part(`${h}.attn.c_attn`, d, d, offset, 3 * d)),
    part(`${h}.attn.c_proj`, d, d),
    part(`${h}.mlp.c_fc`, d, 4 * d),
    part(`${h}.mlp.c_proj`, 4 * d, d),
  ]);
}

/**
 * Floating-point operations of forward and backward for one token in rows of `columns` tokens: 6 a weight that is
 * multiplied (Kaplan et al. 2020, "Scaling Laws for Neural Language Models", section 2.1) and 12 * layers * columns *
 * width for attention scores and values (PaLM, Chowdhery et al. 2022, appendix B), the head included and the
 * embedding look-ups left out.
 */
function gptTrainingFlops(config: GptConfig, columns: number): number {
  const d = config.width;
  const weights = config.layers * 12 * d * d + config.vocabulary * d;
  return 6 * weights + 12 * config.layers * Math.min(columns, config.window ?? columns) * d;
}

/**
 * Some 37 vectors of width d a token and layer, the attention probabilities [heads, B, T, T] of every layer, and three more
 * such matrices in the layer being differentiated.
 */
function gptActivations(config: GptConfig, rows: number, columns: number): number {
  const tokens = rows * columns;
  const scores = config.heads * rows * columns * columns;
  const { layers, width, vocabulary, dropout } = config;
  const perLayer = dropout > 0 ? 41 * tokens * width + 2 * scores : 37 * tokens * width + scores;
  return layers * perLayer + 3 * scores + tokens * (5 * vocabulary + 4 * width);
}

export const gpt2: ModelKind<GptConfig, true> = {
  embedding: tokenEmbedding,
  compiled: true,
  shapes: gptShapes,
  matrices: gptMatrices,
  pattern: ({ layers }) => 'a'.repeat(layers),
  flops: gptTrainingFlops,
  activations: gptActivations,
};
