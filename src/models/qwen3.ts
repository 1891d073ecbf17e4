import type { ConfigOf } from './kind.ts';
import type { ModernLayout } from './modern.ts';

/**
 * The modern family, laid out exactly as Hugging Face's Qwen3ForCausalLM (Qwen Team 2025, "Qwen3 Technical Report"):
 * rotary positions (Su et al. 2021), RMSNorm before each sub-layer, an RMSNorm on the queries and keys of each head,
 * a gated MLP (SwiGLU), no biases, a head tied to the token embedding unless asked otherwise. nn.Linear weights are
 * [out, in].
 */
export type Qwen3Config = ConfigOf<'qwen3'>;

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
