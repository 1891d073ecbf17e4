import * as v from 'valibot';
import { issueText } from '../../../config/issue-text.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { parseSurprisals, type TokenRow } from '../formats/surprisals-tsv.ts';
import { readSpec, type ModelSpec } from '../model-spec.ts';
import type { ScoredTokens, SuiteModel } from '../suite-model.ts';

/**
 * A model as a file of its outputs, as lm-zoo's dummy:// has it: an object with what each command returned. `sentences`
 * is ours; without it the outputs are of the sentences of the suite that is run.
 */
const FileSchema = v.looseObject({
  spec: v.unknown(),
  sentences: v.optional(v.array(v.string())),
  tokenize: v.optional(v.array(v.array(v.string()))),
  unkify: v.optional(v.array(v.array(v.picklist([0, 1])))),
  /** The table that get_surprisals prints, or a list of bits for each sentence. */
  get_surprisals: v.union([v.string(), v.array(v.array(v.pipe(v.number(), v.finite())))]),
});

/**
 * A model read from its file (JSON that is parsed already). `sentences` are those of the suite, in its order. Fails with
 * `bad-model`, `bad-spec`, `bad-surprisals`.
 */
export function readPrecomputed(raw: unknown, name: string, sentences: readonly string[]): Result<SuiteModel> {
  const parsed = v.safeParse(FileSchema, raw);
  const wrong = (message: string) => fail('bad-model', `${name}: ${message}`, { file: name });
  if (!parsed.success) {
    return wrong(`${issueText(parsed.issues, 'the file')}.`);
  }
  const file = parsed.output;
  const spec = readSpec(file.spec, name);
  if (!spec.ok) return spec;
  let rows: TokenRow[];
  if (typeof file.get_surprisals === 'string') {
    const table = parseSurprisals(file.get_surprisals, name);
    if (!table.ok) return table;
    rows = table.value;
    const other = rows.findIndex(({ tokens }, i) => file.tokenize && tokens.join(' ') !== file.tokenize[i]?.join(' '));
    if (other >= 0) return wrong(`sentence ${other + 1} has other tokens in tokenize than in get_surprisals.`);
  } else {
    const { tokenize } = file;
    if (tokenize === undefined) return wrong('tokenize is missing; without it lists of bits have no tokens.');
    const other = file.get_surprisals.findIndex((bits, i) => bits.length !== tokenize[i]?.length);
    if (other >= 0) return wrong(`sentence ${other + 1} has other numbers of tokens and surprisals.`);
    rows = file.get_surprisals.map((surprisals, i) => ({ tokens: tokenize[i], surprisals }));
  }
  const scored = rows.map((row, i) => ({ ...row, ...(file.unkify?.[i] && { unknown: file.unkify[i].map(Boolean) }) }));
  return precomputedModel(spec.value, file.sentences ?? sentences, scored);
}

/** A model that knows these sentences alone. Fails with `bad-model` where there are not as many rows as sentences. */
export function precomputedModel(
  spec: ModelSpec,
  sentences: readonly string[],
  rows: readonly (TokenRow & { unknown?: boolean[] })[],
): Result<SuiteModel> {
  if (rows.length !== sentences.length)
    return fail(
      'bad-model',
      `The surprisals are of ${rows.length} sentences, and there are ${sentences.length}; give those of this suite.`,
    );
  const unknown = new Set(spec.vocabulary.unk_types);
  const known = new Map(
    sentences.map((sentence, i): [string, ScoredTokens] => [
      sentence,
      { unknown: rows[i].tokens.map((token) => unknown.has(token)), ...rows[i], starts: null },
    ]),
  );
  const scoredOf = (sentence: string): Result<ScoredTokens> => {
    const found = known.get(sentence);
    if (found) return ok(found);
    return fail('not-precomputed', `the file has no surprisals of "${sentence.slice(0, 60)}"; compute them first.`);
  };
  return ok({
    name: spec.name,
    spec,
    tokenize: scoredOf,
    surprisals: async (asked) => asked.map(scoredOf),
    predictions: null,
  });
}
