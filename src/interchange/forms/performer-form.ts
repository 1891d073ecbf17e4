import type { SettingsOf } from '../../config/model-schema.ts';
import { finalNorm, positionEmbedding, slotEmbedding, tokenEmbedding } from '../../models/gpt.ts';
import { type FolderForm, labModel } from '../folder.ts';
import { noClass, numpyBegin, numpySlots } from '../records/numpy-readme.ts';

/** GPT-2's names, and the features of each layer beside them: no class reads it, so the README computes it. */
export const performerForm: FolderForm<SettingsOf<'performer'>> = {
  write: (_model, tensors, slots) => ({ hugging: null, tensors, readme: readmeOf(slots !== null) }),
  read: (_hugging, tensors, own, file) => labModel('performer', tokenEmbedding, tensors, own, file),
};

function readmeOf(slots: boolean): string {
  return `${noClass('Performer', 'since the heads, their features and the tied head differ from one to the other')}

\`\`\`python
${numpyBegin}
def favor(q, k, v, directions):
    scale = q.shape[-1] ** -0.25
    a, b = scale * q @ directions.T, scale * k @ directions.T
    if model["kernel"] == "relu":
        a, b = np.maximum(a, 0) + 1e-3, np.maximum(b, 0) + 1e-3
    else:
        a = np.exp(a - a.max(-1, keepdims=True))
        b = b - ((scale * k) ** 2).sum(-1, keepdims=True) / 2
        b = np.exp(b - b.max((-2, -1), keepdims=True))
    weights = np.tril(a @ b.transpose(0, 2, 1))  # the lab sums from the left instead; it is the same
    return weights @ v / weights.sum(-1, keepdims=True)

def local(q, k, v):
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    return weighed(scores, neighbours(q.shape[1], model["localWindow"])[None], v)

def gelu(x):
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

def dense(x, name):
    return x @ w[name + ".weight"] + w[name + ".bias"]
${slots ? numpySlots(slotEmbedding) : ''}
def logits(ids):  # [T, vocabulary]: the last row is about the token that comes next
    tokens = w["${tokenEmbedding}"]
    x = tokens[ids] + w["${positionEmbedding}"][: len(ids)]
${slots ? '    x = x + slots_of(ids)\n' : ''}    by_features = heads - model["localHeads"]  # the first so many heads
    for layer in range(model["layers"]):
        h = f"transformer.h.{layer}."
        q, k, v = (by_head(part) for part in np.split(dense(norm(x, h + "ln_1"), h + "attn.c_attn"), 3, 1))
        outs = []
        if by_features > 0:
            outs.append(favor(*(x[:by_features] for x in (q, k, v)), w[h + "attn.features"]))
        if by_features < heads:
            outs.append(local(*(x[by_features:] for x in (q, k, v))))
        x = x + dense(merged(np.concatenate(outs)), h + "attn.c_proj")
        x = x + dense(gelu(dense(norm(x, h + "ln_2"), h + "mlp.c_fc")), h + "mlp.c_proj")
    return norm(x, "${finalNorm}") @ tokens.T
\`\`\`
`;
}
