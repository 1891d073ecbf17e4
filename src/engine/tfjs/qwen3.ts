import type * as tf from '@tensorflow/tfjs-core';
import {
  qwenFinalNorm,
  qwenHead,
  qwenLayerName,
  qwenShift,
  qwenSlotEmbedding,
  qwenTokenEmbedding,
  type Qwen3Config,
} from '../../models/qwen3.ts';
import { lookUp } from './embedding.ts';
import { gatedUnit } from './gated-unit.ts';
import { linearTransposed, residual } from './linear.ts';
import type { Parameters } from './network.ts';
import { rmsNorm } from './rms-norm.ts';
import { rotary, rotation } from './rotary.ts';
import { tokenShift } from './token-shift.ts';
import type { Block, Family } from './transformer.ts';

/** Qwen3 as src/models/qwen3.ts describes it. */
export function qwen3(config: Qwen3Config): Family {
  const norm = (p: Parameters, x: tf.Tensor2D, name: string) => rmsNorm(x, p.get(name) as tf.Tensor1D);
  return {
    ...config,
    head: qwenHead(config),
    begin(p, inputs, positions) {
      const at = positions ?? Int32Array.from({ length: inputs.rows * inputs.columns }, (_, i) => i % inputs.columns);
      const turn = rotation(at, config.width / config.heads, config.rotaryBase);
      const block: Block = (layer, x, attention, _drop, shift = (y, weight) => tokenShift(y, weight, inputs.rows)) => {
        const l = qwenLayerName(layer);
        const weights = (...names: string[]) => names.map((name) => p.get(`${l}.${name}.weight`) as tf.Tensor2D);
        const gain = (name: string) => p.get(`${l}.self_attn.${name}.weight`) as tf.Tensor1D;
        const taps = p.get(qwenShift(layer)) as tf.Tensor2D | undefined;
        const normed = norm(p, x, `${l}.input_layernorm.weight`);
        const qkv = linearTransposed(
          taps ? shift(normed, taps) : normed,
          weights('self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'),
        );
        const attended = attention(rotary(qkv, gain('q_norm'), gain('k_norm'), turn), layer);
        const middle = residual(x, linearTransposed(attended, weights('self_attn.o_proj')));
        const gateUp = linearTransposed(
          norm(p, middle, `${l}.post_attention_layernorm.weight`),
          weights('mlp.gate_proj', 'mlp.up_proj'),
        );
        return residual(middle, linearTransposed(gatedUnit(gateUp), weights('mlp.down_proj')));
      };
      const tokens = lookUp(inputs.oneHot, p.get(qwenTokenEmbedding) as tf.Tensor2D);
      const x = inputs.slots ? residual(tokens, lookUp(inputs.slots, p.get(qwenSlotEmbedding) as tf.Tensor2D)) : tokens;
      return { x, block };
    },
    finalNorm: (p, x) => norm(p, x, qwenFinalNorm),
  };
}
