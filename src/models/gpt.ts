import type { Random } from '../base/random.ts';

/**
 * GPT-2 (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners") as the chess testbed
 * (Toshniwal et al. 2022) uses it: layer norm before each sub-layer, biases everywhere, learned positions,
 * GELU by its tanh approximation, and a head tied to the token embedding. Names and layouts are those of
 * Hugging Face's GPT2LMHeadModel (Conv1D weights are [in, out]), so that weights go there and back unchanged.
 */
export interface GptConfig {
  kind: 'gpt2';
  layers: number;
  /** Embedding width d; the MLP is 4d wide. */
  width: number;
  heads: number;
  /** Longest sequence in tokens. */
  context: number;
  dropout: number;
  vocabulary: number;
}

/** Named float32 parameters, in the model's own order and with Hugging Face's names. */
export type NamedArrays = Map<string, { shape: number[]; data: Float32Array }>;

export const LAYER_NORM_EPSILON = 1e-5;

/** GPT-2's initialisation: normal with this standard deviation. */
const INITIAL_DEVIATION = 0.02;

export const tokenEmbedding = 'transformer.wte.weight';
export const positionEmbedding = 'transformer.wpe.weight';
export const finalNorm = 'transformer.ln_f';

/** The prefix of the names of one layer's parameters. */
export const layerName = (layer: number): string => `transformer.h.${layer}`;

export interface ParameterShape {
  name: string;
  shape: number[];
  /** How it starts: normal(0, 0.02), the same divided by sqrt(2 layers), ones or zeros. */
  start: 'normal' | 'scaled normal' | 'ones' | 'zeros';
}

/** Every parameter, in the order of GPT2LMHeadModel.state_dict(). The head is tied and has none of its own. */
export function parameterShapes(config: GptConfig): ParameterShape[] {
  const d = config.width;
  const norm = (name: string): ParameterShape[] => [
    { name: `${name}.weight`, shape: [d], start: 'ones' },
    { name: `${name}.bias`, shape: [d], start: 'zeros' },
  ];
  const linear = (name: string, inputs: number, outputs: number, start: ParameterShape['start']): ParameterShape[] => [
    { name: `${name}.weight`, shape: [inputs, outputs], start },
    { name: `${name}.bias`, shape: [outputs], start: 'zeros' },
  ];
  const list: ParameterShape[] = [
    { name: tokenEmbedding, shape: [config.vocabulary, d], start: 'normal' },
    { name: positionEmbedding, shape: [config.context, d], start: 'normal' },
  ];
  for (let layer = 0; layer < config.layers; layer++) {
    const h = layerName(layer);
    list.push(
      ...norm(`${h}.ln_1`),
      ...linear(`${h}.attn.c_attn`, d, 3 * d, 'normal'),
      ...linear(`${h}.attn.c_proj`, d, d, 'scaled normal'),
      ...norm(`${h}.ln_2`),
      ...linear(`${h}.mlp.c_fc`, d, 4 * d, 'normal'),
      ...linear(`${h}.mlp.c_proj`, 4 * d, d, 'scaled normal'),
    );
  }
  list.push(...norm(finalNorm));
  return list;
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, side) => product * side, 1);

/** Number of trainable parameters, the tied head counted once. */
export function parameterCount(config: GptConfig): number {
  return parameterShapes(config).reduce((sum, parameter) => sum + sizeOf(parameter.shape), 0);
}

/**
 * GPT-2's initial weights: normal(0, 0.02), the projections into the residual stream scaled by 1 / sqrt(2 layers),
 * gains one, biases zero.
 */
export function initialParameters(config: GptConfig, random: Random): NamedArrays {
  const parameters: NamedArrays = new Map();
  for (const { name, shape, start } of parameterShapes(config)) {
    const data = new Float32Array(sizeOf(shape));
    if (start === 'ones') data.fill(1);
    else if (start !== 'zeros') {
      const deviation = start === 'normal' ? INITIAL_DEVIATION : INITIAL_DEVIATION / Math.sqrt(2 * config.layers);
      for (let i = 0; i < data.length; i++) data[i] = deviation * random.normal();
    }
    parameters.set(name, { shape: [...shape], data });
  }
  return parameters;
}

/**
 * What is wrong with the names or shapes of `parameters` for this model, in words; null when nothing is.
 */
export function parameterMismatch(config: GptConfig, parameters: NamedArrays): string | null {
  const shapes = parameterShapes(config);
  for (const { name, shape } of shapes) {
    const found = parameters.get(name);
    if (!found) return `${name} is missing`;
    if (found.shape.length !== shape.length || found.shape.some((side, i) => side !== shape[i]))
      return `${name} has shape [${found.shape.join(', ')}] where the model has [${shape.join(', ')}]`;
    if (found.data.length !== sizeOf(shape))
      return `${name} has ${found.data.length} values where its shape needs ${sizeOf(shape)}`;
  }
  if (parameters.size !== shapes.length) {
    const known = new Set(shapes.map((parameter) => parameter.name));
    const extra = [...parameters.keys()].find((name) => !known.has(name));
    return `${extra ?? 'a parameter'} is not a parameter of this model`;
  }
  return null;
}

/**
 * Floating-point operations of forward and backward for one token in rows of `columns` tokens: 6 a weight that is
 * multiplied (Kaplan et al. 2020, "Scaling Laws for Neural Language Models", section 2.1) and 12 * layers * columns *
 * width for attention scores and values (PaLM, Chowdhery et al. 2022, appendix B), the head included and the
 * embedding look-ups left out.
 */
export function trainingFlopsPerToken(config: GptConfig, columns: number = config.context): number {
  const d = config.width;
  const weights = config.layers * 12 * d * d + config.vocabulary * d;
  return 6 * weights + 12 * config.layers * columns * d;
}

/**
 * Bytes that one training step of the reference engine needs at its peak, to about a fifth: parameters, two moments and
 * gradients, and either the activations (some 37 vectors of width d a token and layer, the attention probabilities
 * [heads, B, T, T] of every layer, and three more such matrices in the layer being differentiated) or, for a large model
 * on few tokens, the seven copies of the largest parameter that its update passes through.
 */
export function estimateMemory(config: GptConfig, rows: number, columns: number): number {
  const tokens = rows * columns;
  const scores = config.heads * rows * columns * columns;
  const { layers, width, vocabulary, dropout } = config;
  const perLayer = dropout > 0 ? 41 * tokens * width + 2 * scores : 37 * tokens * width + scores;
  const activations = layers * perLayer + 3 * scores + tokens * (5 * vocabulary + 4 * width);
  const largest = Math.max(...parameterShapes(config).map(({ shape }) => sizeOf(shape)));
  return 4 * (4 * parameterCount(config) + Math.max(activations, 7 * largest));
}
