import type { TextSpelling } from '../../../domains/domain.ts';
import type { Engine } from '../../../engine/engine.ts';
import { probabilities } from '../../asking/metrics.ts';

/** A beginning of words, in tokens. */
interface Beginning {
  path: readonly number[];
  parent: Beginning | null;
  /** By their last token. */
  longer: Map<number, Beginning>;
  /** The word that is spelt so; null where none is. */
  word: number | null;
}

/**
 * How likely each word of a game's vocabulary is to come next in a text, [words]: the probability that the text goes on
 * with its tokens, less that of the longer words which begin with the same ones ("e2e4" is not counted for "e2"). So a
 * model of pieces answers where one of words has a distribution over them; what falls on no word is left out of the sum.
 * Beginnings that cannot matter are not run: the `top` likeliest words and all of `wanted` are exact, others may be 0.
 */
export async function wordProbabilities(
  engine: Engine,
  text: TextSpelling,
  prefix: readonly number[],
  { wanted, top }: { wanted: ReadonlySet<number>; top: number },
): Promise<Float32Array> {
  const { root, spelt } = treeOf(text);
  const found = new Map<Beginning, number>([[root, 1]]);
  const open = new Set<Beginning>([root]);
  const words = new Float32Array(text.words.vocabulary.size);

  const expand = (beginning: Beginning, logits: Float32Array): void => {
    const next = probabilities(logits);
    const before = found.get(beginning)!;
    let left = before;
    for (const [token, longer] of beginning.longer) {
      const probability = before * next[token];
      found.set(longer, probability);
      left -= probability;
      if (longer.longer.size > 0) open.add(longer);
      else words[longer.word!] = probability;
    }
    if (beginning.word !== null) words[beginning.word] = Math.max(0, left);
    open.delete(beginning);
  };
  /** Beginnings of one parent, in one pass. */
  const run = async (some: readonly Beginning[]): Promise<void> => {
    const tokens = some.map(({ path }) => path.at(-1)!);
    const [{ leaves }] = await engine.leafLogits([[...prefix, ...some[0].parent!.path]], [tokens]);
    some.forEach((beginning, i) => expand(beginning, leaves[i]));
  };

  const [{ root: first }] = await engine.leafLogits([prefix], [[]]);
  expand(root, first);
  const needed = new Set<Beginning>();
  for (const word of wanted)
    for (let at: Beginning | null = spelt[word]; at !== null; at = at.parent) if (at.longer.size > 0) needed.add(at);
  for (;;) {
    const least = topValue(words, top);
    const wantedNow = [...open].filter((beginning) => needed.has(beginning));
    const likely = [...open].filter((beginning) => found.get(beginning)! > least);
    const choice = wantedNow.length > 0 ? wantedNow : likely;
    if (choice.length === 0) return words;
    const best = choice.reduce((most, one) => (found.get(one)! > found.get(most)! ? one : most));
    await run(choice.filter(({ parent }) => parent === best.parent));
  }
}

/** The k-th largest value. */
function topValue(values: Float32Array, k: number): number {
  return values.slice().sort()[Math.max(0, values.length - k)];
}

const trees = new WeakMap<TextSpelling, { root: Beginning; spelt: Beginning[] }>();

/** All beginnings of a game's words, and that which spells each of them. */
function treeOf(text: TextSpelling): { root: Beginning; spelt: Beginning[] } {
  const known = trees.get(text);
  if (known) return known;
  const root: Beginning = { path: [], parent: null, longer: new Map(), word: null };
  const spelt = text.words.vocabulary.tokens.map((_, word) => {
    let at = root;
    for (const token of text.spell([word])) {
      let longer = at.longer.get(token);
      if (longer === undefined)
        at.longer.set(token, (longer = { path: [...at.path, token], parent: at, longer: new Map(), word: null }));
      at = longer;
    }
    at.word = word;
    return at;
  });
  trees.set(text, { root, spelt });
  return { root, spelt };
}
