import type { SlotGrammar } from '../base/slot-grammar.ts';
import { lmHead } from './gpt.ts';
import type { MatrixBlock, ParameterShape } from './parameters.ts';

/**
 * The modern family, laid out exactly as Hugging Face's Qwen3ForCausalLM (Qwen Team 2025, "Qwen3 Technical Report"):
 * rotary positions (Su et al. 2021), RMSNorm before each sub-layer, an RMSNorm on the queries and keys of each head,
 * a gated MLP (SwiGLU), no biases, a head tied to the token embedding unless asked otherwise. nn.Linear weights are
 * [out, in].
 */
export interface Qwen3Config {
  kind: 'qwen3';
  layers: number;
  width: number;
  /** As many key-value heads as heads; a head is width / heads wide, an even number. */
  heads: number;
  /** Width of the gated MLP. */
  mlp: number;
  context: number;
  vocabulary: number;
  /** Tokens that a token sees, itself included; null sees all before it. */
  window: number | null;
  /** Base of the rotary wavelengths (rope_theta). */
  rotaryBase: number;
  /**
   * Where set, the slot of each token adds one of its learned vectors to the input. Qwen3 has no such input: exported,
   * every (slot, token) is a token of its own, whose row is the sum.
   */
  slots: SlotGrammar | null;
  /** As in GptConfig; an untied head starts at zero. */
  tied?: boolean;
  /**
   * How many earlier rows the input of each attention mixes in: h[t] + sum over k = 1..shift of w_k * h[t - k], a causal
   * convolution of each channel by itself after the norm (So et al. 2021, "Primer", has such short convolutions
   * behind the projections instead). It starts as none. Absent or 0 where there is none, as in Qwen3.
   */
  shift?: number;
}

export const RMS_NORM_EPSILON = 1e-6;

export const qwenTokenEmbedding = 'model.embed_tokens.weight';
/** [slots, d] */
export const qwenSlotEmbedding = 'model.embed_slots.weight';
export const qwenFinalNorm = 'model.norm.weight';
/** The name of the head's matrix [vocabulary, d], whichever it is. */
export const qwenHead = (config: Qwen3Config): string => (config.tied === false ? lmHead : qwenTokenEmbedding);
/** The prefix of the names of one layer's parameters. */
export const qwenLayerName = (layer: number): string => `model.layers.${layer}`;

/** The name of the weight [shift, d] of one layer's shift. */
export const qwenShift = (layer: number): string => `${qwenLayerName(layer)}.self_attn.shift.weight`;

/** Every parameter, in the order of Qwen3ForCausalLM.state_dict(): q, k, v adjacent, and gate, up adjacent. */
export function qwen3Shapes(config: Qwen3Config): ParameterShape[] {
  const { width: d, mlp, shift = 0 } = config;
  const head = d / config.heads;
  const linear = (name: string, inputs: number, outputs: number, zero = false): ParameterShape => ({
    name: `${name}.weight`,
    shape: [outputs, inputs],
    start: zero ? 'zeros' : { deviation: 1 / Math.sqrt(3 * inputs) },
  });
  const norm = (name: string, size: number): ParameterShape => ({
    name: `${name}.weight`,
    shape: [size],
    start: 'ones',
  });
  const list: ParameterShape[] = [
    { name: qwenTokenEmbedding, shape: [config.vocabulary, d], start: { deviation: 0.02 } },
  ];
  if (config.slots) list.push({ name: qwenSlotEmbedding, shape: [config.slots.count, d], start: { deviation: 0.02 } });
  for (let layer = 0; layer < config.layers; layer++) {
    const l = qwenLayerName(layer);
    list.push(
      linear(`${l}.self_attn.q_proj`, d, d),
      linear(`${l}.self_attn.k_proj`, d, d),
      linear(`${l}.self_attn.v_proj`, d, d),
      linear(`${l}.self_attn.o_proj`, d, d, true),
      norm(`${l}.self_attn.q_norm`, head),
      norm(`${l}.self_attn.k_norm`, head),
      ...(shift > 0 ? [{ name: qwenShift(layer), shape: [shift, d], start: 'zeros' as const }] : []),
      linear(`${l}.mlp.gate_proj`, d, mlp),
      linear(`${l}.mlp.up_proj`, d, mlp),
      linear(`${l}.mlp.down_proj`, mlp, d, true),
      norm(`${l}.input_layernorm`, d),
      norm(`${l}.post_attention_layernorm`, d),
    );
  }
  list.push({ name: qwenFinalNorm, shape: [d], start: 'ones' });
  if (qwenHead(config) === lmHead) list.push({ name: lmHead, shape: [config.vocabulary, d], start: 'zeros' });
  return list;
}

/** The matrices inside the layers, for Muon. A shift mixes no channels: its rows are vectors, left to AdamW. */
export function qwen3Matrices(config: Qwen3Config): MatrixBlock[] {
  return qwen3Shapes(config)
    .filter(({ name }) => name.endsWith('_proj.weight'))
    .map(({ name, shape: [outputs, inputs] }) => ({
      name,
      offset: 0,
      rows: outputs,
      columns: inputs,
      stride: inputs,
      outputs,
      inputs,
    }));
}

/** As gptMemory; nothing is dropped, and rotation and gates keep more of a token. */
export function qwen3Memory(
  config: Qwen3Config,
  rows: number,
  columns: number,
  parameters: number,
  largest: number,
): number {
  const { layers, width, heads, mlp, vocabulary, shift = 0 } = config;
  const tokens = rows * columns;
  const scores = heads * rows * columns * columns;
  const perLayer = tokens * ((shift > 0 ? 21 : 20) * width + 6 * mlp) + scores;
  const activations = layers * perLayer + 3 * scores + tokens * (5 * vocabulary + 4 * width);
  return 4 * (4 * parameters + Math.max(activations, 12 * largest));
}

/** As gptTrainingFlops. */
export function qwen3TrainingFlops(config: Qwen3Config, columns: number): number {
  const { width: d, layers, shift = 0 } = config;
  const weights = layers * (4 * d * d + 3 * d * config.mlp + shift * d) + config.vocabulary * d;
  return 6 * weights + 12 * layers * Math.min(columns, config.window ?? columns) * d;
}
