import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unwrap } from '../src/base/result.ts';
import type { Notation } from '../src/domains/domain.ts';
import { grammarOf } from '../src/domains/domains.ts';
import type { Engine } from '../src/engine/engine.ts';
import { modelFromFiles, type Files, type ImportedModel } from '../src/interchange/huggingface.ts';
import { writeTogether } from './folder-store.ts';
import { writeResult } from './node-io.ts';
import { engineWith } from './open-model.ts';

/** A short game, enough to reach every parameter. */
const SAMPLE = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6';

/** Largest difference of a next-token logit after a short game between two engines. */
export async function maxLogitDifference(before: Engine, after: Engine, notation: Notation): Promise<number> {
  const { vocabulary, encode } = notation;
  const squares = SAMPLE.match(/[a-h][1-8]/g)!.flatMap((square) => vocabulary.id(square) ?? []);
  const prompt = [...encode([], { random: null, closed: false }), ...squares];
  const [one] = await before.leafLogits([prompt], [[]]);
  const [other] = await after.leafLogits([prompt], [[]]);
  return one.root.reduce((most, logit, i) => Math.max(most, Math.abs(logit - other.root[i])), 0);
}

/**
 * Writes the files of a model, reads them back, and prints their paths and how far their answers are from the model's.
 * @param from where they are read back from: Node reads no file of more than 2 GiB from the disk at once
 */
export async function writeCompared(
  out: string,
  files: Files,
  backend: string | undefined,
  { model, parameters }: Pick<ImportedModel, 'model' | 'parameters'>,
  notation: Notation,
  from: 'disk' | 'memory',
): Promise<void> {
  await mkdir(out, { recursive: true });
  await writeTogether(out, files);
  const written: Files = from === 'memory' ? files : new Map();
  if (from === 'disk')
    for (const name of files.keys()) written.set(name, new Uint8Array(await readFile(join(out, name))));
  const readBack = unwrap(modelFromFiles(written, grammarOf));
  const before = await engineWith(backend, model, parameters);
  const after = await engineWith(backend, readBack.model, readBack.parameters);
  writeResult({
    files: [...files.keys()].map((name) => join(out, name)),
    maxLogitDifference: await maxLogitDifference(before, after, notation),
  });
}
