import { lmHead } from '../../models/gpt.ts';
import { modernSlotEmbedding, modernTokenEmbedding } from '../../models/modern.ts';
import { qwenFinalNorm, RMS_NORM_EPSILON } from '../../models/qwen3.ts';
import { noClass, numpyHeads, numpyRead, numpySlots } from './numpy-readme.ts';

/** A Qwen3 with a token shift in NumPy: no class has the shift. Slots have their own table, as here. */
export function shiftedQwen3Readme({ slots, tied }: { slots: boolean; tied: boolean }): string {
  return `${noClass('Qwen3 with a token shift', 'since Qwen3 has none')}

\`\`\`python
${numpyRead}
def norm(x, name):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + ${RMS_NORM_EPSILON}) * w[name + ".weight"]

def dense(x, name):
    return x @ w[name + ".weight"].T
${numpyHeads}
def shifted(x, taps):  # each row and those right before it, every number of them with a weight of its own
    out = x.copy()
    for back, tap in enumerate(taps, 1):
        out[back:] += tap * x[:-back]
    return out

def turned(x):  # [heads, T, d / heads]: positions are told by rotation
    half = x.shape[-1] // 2
    angles = np.arange(x.shape[1])[:, None] * float(model["rotaryBase"]) ** (-np.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles)], -1)

def visible(length):  # [T, T]: a token sees itself and the earlier ones, as far as the window goes
    t = np.arange(length)
    window = model["window"] or length
    return (t[None] <= t[:, None]) & (t[None] > t[:, None] - window)
${slots ? numpySlots(modernSlotEmbedding) : ''}
def logits(ids):  # [T, vocabulary]: the last row is about the token that comes next
    x = w["${modernTokenEmbedding}"][ids]
${slots ? '    x = x + slots_of(ids)\n' : ''}    for layer in range(model["layers"]):
        l = f"model.layers.{layer}."
        s = l + "self_attn."
        h = shifted(norm(x, l + "input_layernorm"), w[s + "shift.weight"])
        q, k, v = (by_head(dense(h, s + part)) for part in ("q_proj", "k_proj", "v_proj"))
        q, k = turned(norm(q, s + "q_norm")), turned(norm(k, s + "k_norm"))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        x = x + dense(merged(weighed(scores, visible(len(ids))[None], v)), s + "o_proj")
        h = norm(x, l + "post_attention_layernorm")
        gate = dense(h, l + "mlp.gate_proj")
        x = x + dense(gate / (1 + np.exp(-gate)) * dense(h, l + "mlp.up_proj"), l + "mlp.down_proj")
    return norm(x, "${qwenFinalNorm.replace('.weight', '')}") @ w["${tied ? modernTokenEmbedding : lmHead}"].T
\`\`\`
`;
}
