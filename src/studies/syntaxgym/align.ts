import { fail, ok, type Result } from '../../base/result.ts';
import type { ModelSpec } from './model-spec.ts';
import { regionEdges, sentenceOf } from './sentences.ts';
import type { Condition } from './suite.ts';
import type { Tokens } from './suite-model.ts';

/** Which region each token of a sentence belongs to. */
export interface Alignment {
  /** Place of the region of each token, from 0; -1 for special tokens within the sentence, which belong to none. */
  regions: number[];
  /** For each region the words that the model does not know. */
  oovs: string[][];
}

/** By the tokenizer's own places where it tells them, else by matching text. */
export function align(condition: Condition, tokens: Tokens, spec: ModelSpec): Result<Alignment> {
  if (tokens.starts === null) return alignByText(condition, tokens.tokens, spec);
  const alignment = alignByStarts(condition, tokens.starts);
  const sentence = sentenceOf(condition);
  for (const [i, unknown] of tokens.unknown.entries())
    if (unknown) alignment.oovs[alignment.regions[i]].push(/\S*/.exec(sentence.slice(tokens.starts[i]))![0]);
  return ok(alignment);
}

/**
 * A token belongs to the region in which it starts (compute_mapping_huggingface in syntaxgym-core). Special tokens of
 * the tokenizer start at 0 wherever they stand, so that they stay in the region that was reached.
 */
export function alignByStarts(condition: Condition, starts: readonly number[]): Alignment {
  const edges = regionEdges(condition);
  let region = 0;
  const regions = starts.map((start) => {
    while (region + 1 < edges.length && start >= edges[region + 1]) region++;
    return region;
  });
  return { regions, oovs: edges.map(() => []) };
}

/** Moses tokenizers write hyphens, points and commas within words as tokens of their own. */
const MOSES = /^@([-,.])@$/;
/** Python's \W. */
const NO_WORD = /^[^\p{L}\p{N}_]/u;

/**
 * Matches tokens with the text of the regions from the left, as compute_mapping_heuristic of syntaxgym-core does.
 * Differences: where it loses its place it is an error here at once, special tokens within a sentence are skipped
 * without upsetting those behind them, and an unknown word is at least one character long. Fails with `token-mismatch`.
 */
export function alignByText({ regions }: Condition, tokens: readonly string[], spec: ModelSpec): Result<Alignment> {
  const { tokenizer, vocabulary } = spec;
  const contents = regions.map(({ content }) => content.trim());
  const drop = tokenizer.drop_token_pattern == null ? null : new RegExp(tokenizer.drop_token_pattern, 'gu');
  const [unknown, prefixes, suffixes, special] = (
    ['unk_types', 'prefix_types', 'suffix_types', 'special_types'] as const
  ).map((types) => new Set(vocabulary[types]));
  const found: Alignment = { regions: tokens.map(() => -1), oovs: regions.map(() => []) };
  const last = regions.length - 1;
  let region = 0;
  let content = contents[0] ?? '';
  let at = 0;

  const lost = (): Result<Alignment> => {
    const text = content === '' ? 'the sentence has ended' : `the text goes on with "${content.slice(0, 24)}"`;
    const message = `Token ${at + 1}, "${tokens[at].slice(0, 24)}": ${text}; give the tokens of this suite's own sentences.`;
    return fail('token-mismatch', message);
  };

  while (at < tokens.length) {
    const token = tokens[at];
    if (prefixes.has(token)) {
      found.regions[at++] = region;
      continue;
    }
    if (suffixes.has(token)) {
      found.regions[at] = region;
      break;
    }
    if (special.has(token)) {
      at++;
      continue;
    }
    content = content.trimStart();
    if (content !== '' && drop !== null) {
      const [word, ...rest] = content.split(/\s+/);
      if (word.replace(drop, '') === '') content = rest.join(' ');
    }
    if (content === '') {
      if (region >= last) return lost();
      content = contents[++region];
      continue;
    }
    if (!tokenizer.cased) content = content.toLowerCase();

    const step = matchedCharacters(content, token, tokenizer);
    if (step !== null) {
      found.regions[at++] = region;
      content = content.slice(step);
    } else if (unknown.has(token)) {
      const next = afterUnknown(tokens, at, contents, region, content);
      found.oovs[region].push(...next.words);
      while (at < next.at) found.regions[at++] = region;
      region = next.region;
      content = next.content;
    } else return lost();
    if (content.trim() === '' && region < last) content = contents[++region];
  }
  return ok(found);
}

/** Characters of the content that the token stands for; null where it stands for something else. */
function matchedCharacters(content: string, token: string, tokenizer: ModelSpec['tokenizer']): number | null {
  const moses = tokenizer.behaviors?.includes('moses') ? MOSES.exec(token) : null;
  if (moses) return moses[1].length;
  if (content.startsWith(token)) return token.length;
  if (tokenizer.type === 'subword' && tokenizer.sentinel_position !== undefined) {
    const stripped = withoutSentinel(token, tokenizer.sentinel_pattern ?? '', tokenizer.sentinel_position === 'final');
    if (content.startsWith(stripped)) return stripped.length;
  }
  const { metaspace } = tokenizer;
  if (metaspace && token.startsWith(metaspace)) return token.length - metaspace.length;
  return null;
}

/** As Python's lstrip and rstrip: the pattern is a set of characters. */
function withoutSentinel(token: string, pattern: string, final: boolean): string {
  const marks = new Set(pattern);
  const units = [...token];
  const end = final ? -1 : 0;
  while (units.length > 0 && marks.has(units.at(end)!)) units.splice(end, 1);
  return units.join('');
}

/**
 * Where the text goes on behind unknown words: at the nearest token that can be found in it. All that lies before, over
 * the edges of regions, is of the region in which the first unknown word stands.
 */
function afterUnknown(
  tokens: readonly string[],
  at: number,
  contents: readonly string[],
  region: number,
  content: string,
): { at: number; region: number; content: string; words: string[] } {
  const wordsOf = (parts: string[]): string[] =>
    parts.flatMap((part) => part.split(/\s+/)).filter((word) => word !== '');
  for (let next = at + 1; next < tokens.length; next++) {
    const token = tokens[next];
    const punctuation = NO_WORD.test(token);
    for (let other = region; other < contents.length; other++) {
      const text = other === region ? content : contents[other];
      for (let i = text.indexOf(token); i >= 0; i = text.indexOf(token, i + 1)) {
        // A word is looked for at the beginnings of words, so that "and" is not found in "remand".
        if (!punctuation && i > 0 && !NO_WORD.test(text[i - 1])) continue;
        const eaten = [...(other === region ? [] : [content, ...contents.slice(region + 1, other)]), text.slice(0, i)];
        const words = wordsOf(eaten);
        if (words.length > 0) return { at: next, region: other, content: text.slice(i), words };
      }
    }
  }
  const rest = wordsOf([content, ...contents.slice(region + 1)]);
  return { at: tokens.length, region, content, words: rest };
}
