import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { tinyGpt2 } from '../fixtures/sample-run.ts';
import { seededRandom } from '../src/base/random.ts';
import { defaultPreset } from '../src/config/presets.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import { vocabulary } from '../src/domains/chess/notation/vocabulary.ts';
import { modelFolder } from '../src/interchange/huggingface.ts';
import { initialParameters } from '../src/models/model.ts';
import { modelOf } from '../src/models/of-config.ts';
import { languageOf, readModel } from './open-model.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** A folder of a small model whose blindfold.json lists these tokens. */
function folderWith(tokens: unknown): string {
  const config: RunConfig = { ...defaultPreset.config, model: tinyGpt2({ context: 24 }) };
  const shape = modelOf(config, { size: vocabulary.size, slots: null });
  const record = { tokens: tokens as string[], step: 1 };
  const notation = { slots: null, tokenizerRules: () => null };
  const parameters = initialParameters(shape, seededRandom('open'));
  const folder = mkdtempSync(join(tmpdir(), 'blindfold-open-'));
  folders.push(folder);
  for (const [name, bytes] of modelFolder(config, parameters, record, notation))
    writeFileSync(join(folder, name), bytes);
  return folder;
}

const language = async (folder: string) => languageOf(folder, await readModel(folder));

test('a model is asked where its folder lists the tokens of its notation', async () => {
  expect((await language(folderWith(vocabulary.tokens))).notation.vocabulary).toBe(vocabulary);
});

test.each<[string, unknown, string]>([
  ['in another order', [...vocabulary.tokens.slice(1), vocabulary.tokens[0]], 'other-vocabulary'],
  ['that are a number', 77, 'no-vocabulary'],
  ['that are missing', undefined, 'no-vocabulary'],
])('tokens %s are refused, with the folder named', async (_, tokens, code) => {
  const folder = folderWith(tokens);
  const opening = language(folder);
  await expect(opening).rejects.toMatchObject({ failure: { code, message: expect.stringContaining(folder) } });
});
