import * as v from 'valibot';
import { issueText } from '../config/issue-text.ts';
import { sha256 } from '../base/bytes.ts';
import { fail, ok, type Result } from '../base/result.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const hex = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a sha256 in hexadecimal'));

const ManifestSchema = v.looseObject({
  version: v.literal(1),
  name: v.string(),
  domain: v.string(),
  /** Where the games come from, one or two plain sentences. */
  source: v.string(),
  licence: v.string(),
  /** What must be said wherever the games are used, part of `source` too; left out where there is nothing. */
  notice: v.optional(v.string()),
  /** What was kept: the filters by name, for people and for making it again. */
  filters: v.record(v.string(), v.union([v.number(), v.string(), v.null()])),
  splitSeed: v.number(),
  createdBy: v.string(),
  splits: v.record(
    v.string(),
    v.looseObject({
      games: count,
      plies: count,
      /** Parquet files in order, `path` relative to the manifest. */
      files: v.array(v.looseObject({ path: v.string(), games: count, plies: count, bytes: count, sha256: hex })),
    }),
  ),
  /** Games by length in bins of ten plies (or verbs, or moves), from 0; for a picture of the set without reading it. */
  lengths: v.optional(v.array(count), []),
  /** Width of those bins where it is not ten. */
  lengthStep: v.optional(v.pipe(count, v.minValue(1))),
  /** sha256 of this object's JSON without `hash`: names the games a run was trained on. */
  hash: hex,
});

/** What a folder of shards holds: counts, hashes, source, licence, filters, split seed. */
export type Manifest = v.InferOutput<typeof ManifestSchema>;
export type ManifestFile = Manifest['splits'][string]['files'][number];

/** The manifest with its hash filled in. */
export async function sealed(contents: Omit<Manifest, 'hash'>): Promise<Manifest> {
  return { ...contents, hash: await sha256(JSON.stringify(contents)) } as Manifest;
}

/** A manifest from its JSON text. Fails with `bad-manifest`, naming the field, also where the hash does not fit. */
export async function parseManifest(text: string, file: string): Promise<Result<Manifest>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('bad-manifest', `${file} is not JSON; make the shards again with "prepare".`, { file });
  }
  const parsed = v.safeParse(ManifestSchema, value);
  if (!parsed.success) {
    const message = `${file}: ${issueText(parsed.issues, 'the file')}; make the shards again with "prepare".`;
    return fail('bad-manifest', message, { file });
  }
  const { hash, ...contents } = value as Manifest;
  if ((await sha256(JSON.stringify(contents))) !== hash) {
    const message = `${file} was changed after it was written: its hash does not fit; make the shards again with "prepare".`;
    return fail('bad-manifest', message, { file });
  }
  return ok(parsed.output);
}
