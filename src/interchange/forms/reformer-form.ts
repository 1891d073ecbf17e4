import type { SettingsOf } from '../../config/model-schema.ts';
import {
  reformerAxes,
  reformerFinalNorm,
  reformerPositions,
  reformerSlotEmbedding,
  reformerTokenEmbedding,
} from '../../models/reformer.ts';
import { type FolderForm, labModel } from '../folder.ts';
import { noClass, numpyBegin, numpySlots } from '../records/numpy-readme.ts';

/** Names of Hugging Face's Reformer, but one residual stream and a tied head: no class reads it, so the README computes it. */
export const reformerForm: FolderForm<SettingsOf<'reformer'>> = {
  write: ({ positions }, tensors, slots) => ({
    hugging: null,
    tensors,
    readme: readmeOf(positions === 'axial', slots !== null),
  }),
  read: (_hugging, tensors, own, file) => labModel('reformer', reformerTokenEmbedding, tensors, own, file),
};

function readmeOf(axial: boolean, slots: boolean): string {
  const positions = axial
    ? `rows, columns = w["${reformerAxes[0]}"], w["${reformerAxes[1]}"]
    t = np.arange(len(ids))
    x = x + np.concatenate([rows[t // len(columns)], columns[t % len(columns)]], 1)`
    : `x = x + w["${reformerPositions}"][: len(ids)]`;
  return `${noClass('Reformer', "since Hugging Face's has two residual streams and a head of its own")}

\`\`\`python
${numpyBegin}
def local(q, k, v):
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    return weighed(scores, neighbours(q.shape[1], model["chunk"])[None], v)

def hashed(q, v, name):
    length = q.shape[1]
    t = np.arange(length)
    seen = np.zeros((heads, length, length))
    for head in range(heads):
        for r in range(model["rounds"]):
            bucket = np.zeros(length, int)
            if model["buckets"] > 1:
                half = model["buckets"] // 2
                turned = q[head] @ w[name + "rotations"][head][:, r * half : (r + 1) * half]
                bucket = np.concatenate([turned, -turned], 1).argmax(1)
            place = np.empty(length, int)
            place[np.argsort(bucket * length + t)] = t
            chunk = place // model["chunk"]
            apart = chunk[:, None] - chunk[None]
            seen[head] += (t[None] < t[:, None]) & (apart >= 0) & (apart <= 1)
    # Rounds weigh by what they saw, so it is one softmax; who sees nobody sees itself.
    seen += (seen.sum(-1, keepdims=True) == 0) * np.eye(length)
    keys = q / np.sqrt(q.shape[-1] * ((q * q).mean(-1, keepdims=True) + 1e-6))
    return weighed(q @ keys.transpose(0, 2, 1), seen, v)
${slots ? numpySlots(reformerSlotEmbedding) : ''}
def logits(ids):  # [T, vocabulary]: the last row is about the token that comes next
    tokens = w["${reformerTokenEmbedding}"]
    x = tokens[ids]
    ${positions}
${slots ? '    x = x + slots_of(ids)\n' : ''}    kinds = model["pattern"].split(",")
    for layer in range(model["layers"]):
        l = f"reformer.encoder.layers.{layer}."
        s = l + "attention.self_attention."
        a = norm(x, l + "attention.layer_norm")
        part = lambda name: by_head(a @ w[s + name + ".weight"].T)
        if kinds[layer % len(kinds)] == "lsh":
            out = hashed(part("query_key"), part("value"), s)
        else:
            out = local(part("query"), part("key"), part("value"))
        x = x + merged(out) @ w[l + "attention.output.dense.weight"].T
        f = norm(x, l + "feed_forward.layer_norm")
        f = f @ w[l + "feed_forward.dense.dense.weight"].T + w[l + "feed_forward.dense.dense.bias"]
        x = x + np.maximum(f, 0) @ w[l + "feed_forward.output.dense.weight"].T + w[l + "feed_forward.output.dense.bias"]
    return norm(x, "${reformerFinalNorm}") @ tokens.T
\`\`\`
`;
}
