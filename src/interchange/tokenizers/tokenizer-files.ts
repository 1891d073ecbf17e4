import type { TokenizerRules } from '../../base/tokenizer-rules.ts';
import { special } from '../folder.ts';
import type { Readings } from '../plain/readings.ts';

/** The vocabulary of a folder: a row of the token embedding for each piece. */
export interface FolderVocabulary {
  /** The pieces in the order of their ids. */
  pieces: readonly string[];
  pad: number;
  begin: number;
  /** The end of a game, once for every place that it can be read in; the usual one first. */
  ends: readonly number[];
}

/** What follows a token's spelling where patterns never find it: such a piece can be generated, but not read. */
const UNREAD = '·';

/** The vocabulary of the tokens, or of their readings where a model with slots became a plain one. */
export function vocabularyOf(
  tokens: readonly string[],
  readings: Readings | null,
  rules: TokenizerRules | null,
): FolderVocabulary {
  const { pad_token_id: pad, bos_token_id: begin, eos_token_id: end } = special;
  if (readings === null) return { pieces: tokens, pad, begin, ends: [end] };
  const taken = new Set<string>();
  const pieces = readings.list.map(({ token, slot, next }) => {
    const found = rules?.piece(token, slot, next) ?? (rules ? null : tokens[token]);
    let piece = found ?? `${tokens[token]}${UNREAD}1`;
    for (let copy = 2; taken.has(piece); copy++) piece = `${tokens[token]}${UNREAD}${copy}`;
    taken.add(piece);
    return piece;
  });
  // A sequence starts in state 0.
  const ends = readings.list.flatMap(({ token }, number) => (token === end ? [number] : []));
  return { pieces, pad: readings.at[pad], begin: readings.at[begin], ends };
}

/**
 * tokenizer.json, tokenizer_config.json and special_tokens_map.json, with which AutoTokenizer of transformers and of
 * transformers.js reads text. The model is a BPE without merges, since not every library has one of whole words.
 * @param context the longest sequence of the model, in tokens
 */
export function tokenizerFiles(
  { pieces, pad, begin, ends }: FolderVocabulary,
  rules: TokenizerRules,
  context: number,
): Record<'tokenizer.json' | 'tokenizer_config.json' | 'special_tokens_map.json', object> {
  const named = {
    bos_token: pieces[begin],
    eos_token: pieces[ends[0]],
    pad_token: pieces[pad],
    unk_token: pieces[pad],
  };
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const added = [...new Set([pad, begin, ...ends])].sort((a, b) => a - b);
  const replace = ({ pattern, content }: TokenizerRules['normalizer'][number]) => {
    return { type: 'Replace', pattern: { Regex: pattern }, content };
  };
  const decoders = [{ pattern: `${UNREAD}\\d+$`, content: '' }, ...rules.decoder].map(replace);
  const beginning = { id: pieces[begin], ids: [begin], tokens: [pieces[begin]] };
  return {
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: added.map((id) => ({ id, content: pieces[id], ...plain })),
      normalizer:
        rules.normalizer.length === 0 ? null : { type: 'Sequence', normalizers: rules.normalizer.map(replace) },
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: rules.splits.map(({ pattern, match }) => ({
          type: 'Split',
          pattern: { Regex: pattern },
          behavior: match === 'isolated' ? 'Isolated' : 'Removed',
          invert: match === 'kept',
        })),
      },
      post_processor: {
        type: 'TemplateProcessing',
        single: [{ SpecialToken: { id: pieces[begin], type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
        pair: [
          { SpecialToken: { id: pieces[begin], type_id: 0 } },
          ...['A', 'B'].map((id) => ({ Sequence: { id, type_id: 0 } })),
        ],
        special_tokens: { [pieces[begin]]: beginning },
      },
      decoder: rules.fused
        ? {
            type: 'Sequence',
            decoders: [...decoders, { type: 'Fuse' }, { type: 'Strip', content: ' ', start: 1, stop: 0 }],
          }
        : null,
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: pieces[pad],
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: true,
        byte_fallback: false,
        ignore_merges: true,
        vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
        merges: [],
      },
    },
    'tokenizer_config.json': {
      tokenizer_class: 'PreTrainedTokenizerFast',
      model_max_length: context,
      clean_up_tokenization_spaces: false,
      // The text-generation pipeline of transformers.js asks for special tokens only then.
      add_bos_token: true,
      padding_side: 'left',
      model_input_names: ['input_ids', 'attention_mask'],
      ...named,
    },
    'special_tokens_map.json': named,
  };
}
