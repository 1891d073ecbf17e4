import { Tokenizer } from '@huggingface/tokenizers';
import { fail, ok, type Result } from '../../base/result.ts';
import type { TextTokenizer } from '../../base/text-tokenizer.ts';
import type { Files } from '../folder.ts';

/** The files that a tokenizer or its vocabulary is read from, where a folder has them. */
export const TOKENIZER_FILES = [
  'tokenizer.json',
  'tokenizer_config.json',
  'vocab.json',
  'merges.txt',
  'vocab.txt',
] as const;

const TOKENIZER_NAMES: ReadonlySet<string> = new Set(TOKENIZER_FILES);

/**
 * The tokenizer of a folder: tokenizer.json, or vocab.json and merges.txt as GPT-2 was published with. Fails with
 * `no-tokenizer` and `bad-tokenizer`.
 */
export function readTokenizer(files: Files): Result<TextTokenizer> {
  const settings: Result<Record<string, unknown>> = files.has('tokenizer_config.json')
    ? json(files, 'tokenizer_config.json')
    : ok({});
  if (!settings.ok) return settings;
  const described = files.has('tokenizer.json') ? json(files, 'tokenizer.json') : byteLevelFrom(files);
  if (!described.ok) return described;
  try {
    const tokenizer = new Tokenizer(described.value, settings.value);
    const byId: (string | null)[] = [];
    for (const [token, id] of tokenizer.get_vocab()) byId[id] = token;
    const named = (field: string): number | null => {
      const value = settings.value[field];
      const text = typeof value === 'object' && value !== null ? (value as { content?: unknown }).content : value;
      return typeof text === 'string' ? (tokenizer.token_to_id(text) ?? null) : null;
    };
    const whole = tokenizer.token_to_id(END_OF_TEXT) ?? null;
    return ok({
      vocabulary: Array.from(byId, (token) => token ?? null),
      encode: (text) => tokenizer.encode(text, { add_special_tokens: false }),
      decode: (ids) =>
        // Nothing is no text to the library, but a mistake.
        ids.length === 0
          ? ''
          : tokenizer.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
      files: tokenizerFilesOf(files),
      byteLevel: isByteLevel(described.value),
      begin: named('bos_token') ?? whole,
      end: named('eos_token') ?? whole,
      unknown: named('unk_token'),
    });
  } catch (error) {
    return fail(
      'bad-tokenizer',
      `The tokenizer of this folder cannot be read (${(error as Error).message}); take its files as they were published.`,
      { file: files.has('tokenizer.json') ? 'tokenizer.json' : 'vocab.json' },
    );
  }
}

/** Those of a folder's files that a tokenizer or its vocabulary is read from. */
export function tokenizerFilesOf(files: Files): Files {
  return new Map([...files].filter(([name]) => TOKENIZER_NAMES.has(name)));
}

const END_OF_TEXT = '<|endoftext|>';

/** Of a tokenizer's description whether its pieces are bytes. */
function isByteLevel({ pre_tokenizer: first }: Record<string, unknown>): boolean {
  const of = first as { type?: string; pretokenizers?: { type?: string }[] } | null | undefined;
  return of?.type === 'ByteLevel' || (of?.pretokenizers ?? []).some(({ type }) => type === 'ByteLevel');
}

/** What tokenizer.json would say of GPT-2's two files. */
function byteLevelFrom(files: Files): Result<Record<string, unknown>> {
  if (!files.has('vocab.json') || !files.has('merges.txt'))
    return fail(
      'no-tokenizer',
      'The folder has no tokenizer.json, nor vocab.json with merges.txt, so text cannot be read into tokens; add its tokenizer.',
    );
  const vocab = json(files, 'vocab.json');
  if (!vocab.ok) return vocab;
  const lines = new TextDecoder().decode(files.get('merges.txt')).split('\n');
  const merges = lines.filter((line) => line !== '' && !line.startsWith('#version'));
  return ok({
    added_tokens:
      END_OF_TEXT in vocab.value
        ? [{ id: vocab.value[END_OF_TEXT], content: END_OF_TEXT, special: true, normalized: false }]
        : [],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab: vocab.value, merges },
  });
}

function json(files: Files, name: string): Result<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(files.get(name)));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return ok(value as Record<string, unknown>);
  } catch {
    // Said below, as of what is JSON and no object.
  }
  return fail('bad-tokenizer', `${name} is not a JSON object; take the file as it was published.`, { file: name });
}

/** A tokenizer's files as one string, such as a checkpoint has room for. */
export function packTokenizer(files: TextTokenizer['files']): string {
  return JSON.stringify(Object.fromEntries([...files].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)])));
}

/** The files of such a string; null where it is none. */
export function unpackTokenizer(packed: string): Files | null {
  let named: unknown;
  try {
    named = JSON.parse(packed);
  } catch {
    return null;
  }
  if (typeof named !== 'object' || named === null || Array.isArray(named)) return null;
  const files: Files = new Map();
  for (const [name, text] of Object.entries(named)) {
    if (!TOKENIZER_NAMES.has(name) || typeof text !== 'string') return null;
    files.set(name, new TextEncoder().encode(text));
  }
  return files;
}
