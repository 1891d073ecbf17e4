import * as tf from '@tensorflow/tfjs-core';
import { slotAfter, slotsOf } from '../../../base/slot-grammar.ts';
import type { ModelConfig } from '../../../models/model.ts';
import type { LeafLogits } from '../../engine.ts';
import { grammarOf, inputsOf, wholeRows, type Inputs } from './networks/inputs.ts';
import type { Network, Parameters } from './networks/network.ts';

/** Most padded tokens of prefixes in one pass; bounds memory, and a larger pass is no faster. */
const TOKENS_A_PASS = 4096;

/** Indices of prefixes in groups of like length, so that little of a pass is padding. */
function passes(prefixes: readonly (readonly number[])[]): number[][] {
  const order = prefixes.map((_, i) => i).sort((a, b) => prefixes[a].length - prefixes[b].length || a - b);
  const groups: number[][] = [];
  for (const index of order) {
    const last = groups.at(-1);
    if (last && (last.length + 1) * prefixes[index].length <= TOKENS_A_PASS) last.push(index);
    else groups.push([index]);
  }
  return groups;
}

/** Next-token logits after each prefix and after each prefix plus one of its leaves. A prefix is run once. */
export async function leafLogits(
  model: ModelConfig,
  network: Network,
  parameters: Parameters,
  prefixes: readonly (readonly number[])[],
  leaves: readonly (readonly number[])[],
): Promise<LeafLogits[]> {
  const results = new Array<LeafLogits>(prefixes.length);
  const pending = passes(prefixes).map(async (group) => {
    const found = onePass(
      model,
      network,
      parameters,
      group.map((i) => prefixes[i]),
      group.map((i) => leaves[i] ?? []),
    );
    const [roots, ends] = await Promise.all([found.roots.data(), found.ends?.data()]);
    tf.dispose([found.roots, found.ends].filter((x) => x !== null));
    const v = model.vocabulary;
    group.forEach((index, row) => {
      const own = leaves[index] ?? [];
      results[index] = {
        root: roots.slice(row * v, (row + 1) * v) as Float32Array,
        leaves: own.map((_, leaf) => {
          const start = (row * found.most + leaf) * v;
          return ends!.slice(start, start + v) as Float32Array;
        }),
      };
    });
  });
  await Promise.all(pending);
  return results;
}

/** Roots [N, V] and ends [N * most, V] (null where no prefix has a leaf). */
function onePass(
  model: ModelConfig,
  network: Network,
  parameters: Parameters,
  prefixes: readonly (readonly number[])[],
  leaves: readonly (readonly number[])[],
): { roots: tf.Tensor2D; ends: tf.Tensor2D | null; most: number } {
  const lengths = prefixes.map((prefix) => prefix.length);
  const columns = Math.max(...lengths);
  const most = Math.max(...leaves.map((own) => own.length));
  const longest = Math.max(...lengths.map((length, i) => length + (leaves[i].length > 0 ? 1 : 0)));
  if (longest > model.context)
    throw new RangeError(`leafLogits: ${longest} tokens do not fit the model's context of ${model.context}`);
  if (lengths.includes(0)) throw new RangeError('leafLogits: a prefix needs its begin token');

  const ids = new Int32Array(prefixes.length * columns).fill(-1);
  prefixes.forEach((prefix, row) => ids.set(prefix, row * columns));
  const [roots, ends] = tf.tidy(() => {
    const after = most > 0 ? leafInputs(model, prefixes, leaves, most) : null;
    const inputs = wholeRows(model, ids, lengths);
    const found = network.leafLogits(parameters, { inputs, lengths, leaves: after, most });
    return found.ends ? [found.roots, found.ends] : [found.roots];
  });
  return { roots, ends: ends ?? null, most };
}

/** Leaves in rows of `most`; nothing stands where a prefix has fewer. */
function leafInputs(
  model: ModelConfig,
  prefixes: readonly (readonly number[])[],
  leaves: readonly (readonly number[])[],
  most: number,
): Inputs {
  const grammar = grammarOf(model);
  const ids = new Int32Array(prefixes.length * most).fill(-1);
  const slots = grammar && ids.slice();
  prefixes.forEach((prefix, row) => {
    ids.set(leaves[row], row * most);
    if (!grammar || !slots) return;
    const { state } = slotsOf(grammar, prefix);
    slots.set(
      leaves[row].map((leaf) => slotAfter(grammar, state, leaf)),
      row * most,
    );
  });
  return inputsOf(model, ids, slots, prefixes.length);
}
