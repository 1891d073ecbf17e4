import type { SlotGrammar } from '../base/slot-grammar.ts';
import type { ModernLayout } from './modern.ts';

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

export const qwenFinalNorm = 'model.norm.weight';
/** Names as Qwen3ForCausalLM.state_dict() has them. */
export function qwen3Layout(config: Qwen3Config): ModernLayout {
  const { shift = 0 } = config;
  return {
    ...config,
    epsilon: RMS_NORM_EPSILON,
    finalNorm: qwenFinalNorm,
    layers: Array.from({ length: config.layers }, (_, layer) => {
      const name = (part: string) => `model.layers.${layer}.${part}.weight`;
      return {
        mixer: {
          kind: 'attention',
          query: name('self_attn.q_proj'),
          key: name('self_attn.k_proj'),
          value: name('self_attn.v_proj'),
          out: name('self_attn.o_proj'),
          queryNorm: name('self_attn.q_norm'),
          keyNorm: name('self_attn.k_norm'),
          shift: shift > 0 ? name('self_attn.shift') : null,
          taps: shift,
        },
        gate: name('mlp.gate_proj'),
        up: name('mlp.up_proj'),
        down: name('mlp.down_proj'),
        mixerNorm: name('input_layernorm'),
        feedForwardNorm: name('post_attention_layernorm'),
      };
    }),
  };
}
