/** The parts of a README that are alike for kinds of model which no library has: how to compute them with NumPy. */

export const noClass = (what: string, like: string) =>
  `A ${what} that Blindfold trained on the moves of games. Neither Hugging Face nor another library has a class that computes exactly this, ${like}; so the program below says it all. The tokens are those of \`record.tokens\` in blindfold.json, in the order of their ids, and the first of a game is \`<s>\`, which is 1. blindfold.json has the settings, and the lab opens this folder as it is.`;

/** Reading the folder. */
export const numpyRead = `import json
import numpy as np
from safetensors.numpy import load_file

w = {name: x.astype(np.float32) for name, x in load_file("model.safetensors").items()}
model = json.load(open("blindfold.json"))["config"]["model"]
heads = model["heads"]
`;

/** Heads, and softmax over what is seen. */
export const numpyHeads = `
def by_head(x):  # [T, d] to [heads, T, d / heads]
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)

def merged(x):  # and back
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)

def weighed(scores, seen, v):  # softmax, where \`seen\` says how often each token is seen
    scores = np.where(seen > 0, scores, -1e9)
    raised = seen * np.exp(scores - scores.max(-1, keepdims=True))
    return raised @ v / raised.sum(-1, keepdims=True)
`;

/** Reading the folder, layer norm, heads, and chunks. */
export const numpyBegin = `${numpyRead}
def norm(x, name):
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
    return x * w[name + ".weight"] + w[name + ".bias"]
${numpyHeads}
def neighbours(length, chunk):  # a token sees the earlier ones of its own chunk and of the one before
    t = np.arange(length)
    return (t[None] <= t[:, None]) & (t[None] // chunk >= t[:, None] // chunk - 1)
`;

/** The slots of a row, where the model has them; `embedding` is the table's name. */
export function numpySlots(embedding: string): string {
  return `
grammar = json.load(open("slots.json"))

def slots_of(ids):  # what the spelling alone tells of each token
    state, slots = 0, []
    for token in ids:
        at = state * len(grammar["slot"]) // grammar["states"] + token
        slots.append(grammar["slot"][at])
        state = grammar["next"][at]
    return w["${embedding}"][slots]
`;
}
