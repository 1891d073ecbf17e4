import type { ConfigOf } from './kind.ts';
import type { ModernLayout } from './modern.ts';

/**
 * LFM2, laid out exactly as Hugging Face's Lfm2ForCausalLM (Liquid AI 2025, "LFM2 Technical Report"): attention in some
 * layers, a short convolution in the others, which reads the tokens right before by gates instead of looking for them.
 * Rotary positions, RMSNorms, gated units and heads are as Qwen3's.
 */
export type Lfm2Config = ConfigOf<'lfm2'>;

/** norm_eps */
export const LFM2_NORM_EPSILON = 1e-5;

/** Names as Lfm2ForCausalLM.state_dict() has them. */
export function lfm2Layout(config: Lfm2Config): ModernLayout {
  return {
    ...config,
    window: null,
    epsilon: LFM2_NORM_EPSILON,
    finalNorm: 'model.embedding_norm.weight',
    layers: Array.from(config.pattern, (letter, layer) => {
      const name = (part: string) => `model.layers.${layer}.${part}.weight`;
      return {
        mixer:
          letter === 'c'
            ? {
                kind: 'convolution',
                convolution: name('conv.conv'),
                into: name('conv.in_proj'),
                out: name('conv.out_proj'),
                taps: config.taps,
              }
            : {
                kind: 'attention',
                query: name('self_attn.q_proj'),
                key: name('self_attn.k_proj'),
                value: name('self_attn.v_proj'),
                out: name('self_attn.out_proj'),
                queryNorm: name('self_attn.q_layernorm'),
                keyNorm: name('self_attn.k_layernorm'),
                shift: null,
                taps: 0,
              },
        gate: name('feed_forward.w1'),
        up: name('feed_forward.w3'),
        down: name('feed_forward.w2'),
        mixerNorm: name('operator_norm'),
        feedForwardNorm: name('ffn_norm'),
      };
    }),
  };
}
