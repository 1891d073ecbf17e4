import * as v from 'valibot';
import { issueText } from '../../config/issue-text.ts';
import { fail, ok, type Result } from '../../base/result.ts';

const strings = v.array(v.string());

/** What a model says of itself, as lm-zoo has it (docs/schemas/language_model_spec.json). */
export const ModelSpecSchema = v.looseObject({
  name: v.optional(v.string(), 'model'),
  vocabulary: v.looseObject({
    items: v.optional(strings, []),
    /** What an unknown word is written as. */
    unk_types: v.optional(strings, []),
    /** What may stand before a sentence, behind it, and within it without being a part of it. */
    prefix_types: v.optional(strings, []),
    suffix_types: v.optional(strings, []),
    special_types: v.optional(strings, []),
  }),
  tokenizer: v.looseObject({
    type: v.picklist(['word', 'subword', 'character']),
    /** False where text is read in lower case. */
    cased: v.boolean(),
    /** The characters that mark a token as the beginning, the inside or the end of a word, and where they stand. */
    sentinel_pattern: v.optional(v.string()),
    sentinel_position: v.optional(v.picklist(['initial', 'medial', 'final'])),
    /** A regular expression of words that the tokenizer leaves out. */
    drop_token_pattern: v.optional(v.nullable(v.string())),
    behaviors: v.optional(v.array(v.picklist(['moses', 'ptb']))),
    metaspace: v.optional(v.nullable(v.string())),
  }),
});

export type ModelSpec = v.InferOutput<typeof ModelSpecSchema>;

/** A spec from a file; `name` stands before the message. Fails with `bad-spec`. */
export function readSpec(raw: unknown, name: string): Result<ModelSpec> {
  const parsed = v.safeParse(ModelSpecSchema, raw);
  if (!parsed.success) {
    return fail('bad-spec', `${name}: ${issueText(parsed.issues, 'the spec')}.`, { file: name });
  }
  const { drop_token_pattern: pattern } = parsed.output.tokenizer;
  try {
    if (typeof pattern === 'string') new RegExp(pattern, 'u');
  } catch (error) {
    return fail('bad-spec', `${name}: tokenizer.drop_token_pattern: ${(error as Error).message}.`, { file: name });
  }
  return ok(parsed.output);
}
