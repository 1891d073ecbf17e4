import * as tf from '@tensorflow/tfjs-core';
import type { GptConfig } from '../../models/gpt.ts';
import type { LeafLogits } from '../engine.ts';
import type { KeysValues } from './attention.ts';
import { causalMask, disposeCache, forward, head, MASKED, type Parameters } from './forward.ts';
import { oneHotRows } from './one-hot.ts';

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

/**
 * Next-token logits after each prefix and after each prefix plus one of its leaves. A prefix is run once; its leaves
 * are a chunk whose tokens all stand at the next position and see the prefix and themselves, not each other.
 */
export async function leafLogits(
  config: GptConfig,
  parameters: Parameters,
  prefixes: readonly (readonly number[])[],
  leaves: readonly (readonly number[])[],
): Promise<LeafLogits[]> {
  const results = new Array<LeafLogits>(prefixes.length);
  const pending = passes(prefixes).map(async (group) => {
    const found = onePass(
      config,
      parameters,
      group.map((i) => prefixes[i]),
      group.map((i) => leaves[i] ?? []),
    );
    const [roots, ends] = await Promise.all([found.roots.data(), found.ends?.data()]);
    tf.dispose([found.roots, found.ends].filter((x) => x !== null));
    const v = config.vocabulary;
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
  config: GptConfig,
  parameters: Parameters,
  prefixes: readonly (readonly number[])[],
  leaves: readonly (readonly number[])[],
): { roots: tf.Tensor2D; ends: tf.Tensor2D | null; most: number } {
  const rows = prefixes.length;
  const columns = Math.max(...prefixes.map((prefix) => prefix.length));
  const most = Math.max(...leaves.map((own) => own.length));
  const longest = Math.max(...prefixes.map((prefix, i) => prefix.length + (leaves[i].length > 0 ? 1 : 0)));
  if (longest > config.context)
    throw new RangeError(`leafLogits: ${longest} tokens do not fit the model's context of ${config.context}`);
  if (prefixes.some((prefix) => prefix.length === 0))
    throw new RangeError('leafLogits: a prefix needs its begin token');

  const ids = new Int32Array(rows * columns).fill(-1);
  prefixes.forEach((prefix, row) => ids.set(prefix, row * columns));
  let cache: KeysValues[] = [];
  const roots = tf.tidy(() => {
    const chunk = {
      oneHot: oneHotRows(ids, config.vocabulary),
      rows,
      positions: null,
      mask: causalMask(columns),
      cache: null,
    };
    const run = forward(config, parameters, chunk, most > 0);
    cache = run.cache;
    const last = prefixes.map((prefix, row) => row * columns + prefix.length - 1);
    return head(parameters, tf.gather(run.hidden, tf.tensor1d(last, 'int32')));
  });
  if (most === 0) return { roots, ends: null, most };

  const leafIds = new Int32Array(rows * most).fill(-1);
  const positions = new Int32Array(rows * most);
  const width = columns + most;
  const mask = new Float32Array(rows * most * width).fill(MASKED);
  prefixes.forEach((prefix, row) => {
    leafIds.set(leaves[row], row * most);
    for (let leaf = 0; leaf < most; leaf++) {
      const place = row * most + leaf;
      // Places without a leaf are computed and dropped; any position of the model will do.
      positions[place] = Math.min(prefix.length, config.context - 1);
      mask.fill(0, place * width, place * width + prefix.length);
      mask[place * width + columns + leaf] = 0;
    }
  });
  const ends = tf.tidy(() => {
    const chunk = {
      oneHot: oneHotRows(leafIds, config.vocabulary),
      rows,
      positions: tf.tensor1d(positions, 'int32'),
      mask: tf.tensor3d(mask, [rows, most, width]),
      cache,
    };
    return head(parameters, forward(config, parameters, chunk, false).hidden);
  });
  disposeCache(cache);
  return { roots, ends, most };
}
