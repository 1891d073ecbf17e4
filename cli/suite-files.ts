import { basename, resolve } from 'node:path';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InputError, unwrap } from '../src/base/result.ts';
import { TEXT } from '../src/domains/text-notation.ts';
import { suiteFromPairs } from '../src/studies/syntaxgym/formats/blimp.ts';
import { suiteFromCsv } from '../src/studies/syntaxgym/formats/csv.ts';
import { engineModel } from '../src/studies/syntaxgym/models/engine-model.ts';
import { gameReader } from '../src/studies/syntaxgym/models/game-tokenizer.ts';
import { askedIn } from '../src/studies/asking/asked-in.ts';
import { textReader } from '../src/studies/syntaxgym/models/text-reader.ts';
import { readPrecomputed } from '../src/studies/syntaxgym/models/precomputed-model.ts';
import { checkSuite, problemText } from '../src/studies/syntaxgym/check-suite.ts';
import { readSuite } from '../src/studies/syntaxgym/read-suite.ts';
import type { Suite } from '../src/studies/syntaxgym/suite.ts';
import type { SuiteModel } from '../src/studies/syntaxgym/suite-model.ts';
import { jsonFile, nameOf, report, wholeText } from './node-io.ts';
import { modelPath } from './shipped-file.ts';
import { asMovesModel, engineWith, languageOf, readModel } from './open-model.ts';

/** Notes that are printed one by one; the published suites have hundreds of edge spaces. */
const PRINTED = 3;

/**
 * A suite as JSON, as the site's CSV, or as BLiMP's pairs in JSON Lines; what is unusual in it goes to stderr. The name of
 * one that ships with the lab stands for its file.
 */
export async function openSuite(given: string): Promise<Suite> {
  const shipped = /^\w+$/.test(given) ? fileURLToPath(new URL(`../public/suites/${given}.json`, import.meta.url)) : '';
  const path = shipped !== '' && !existsSync(given) && existsSync(shipped) ? shipped : given;
  const name = nameOf(path);
  const text = await wholeText(path);
  const bare = path.replace(/\.(gz|zst|zip)$/, '');
  const read = bare.endsWith('.csv') ? suiteFromCsv : bare.endsWith('.jsonl') ? suiteFromPairs : readSuite;
  const suite = unwrap(read(text, name));
  const notes = checkSuite(suite);
  for (const note of notes.slice(0, PRINTED)) report(`${name}: ${problemText(note)}`);
  if (notes.length > PRINTED) report(`${name}: ${notes.length - PRINTED} more notes of this kind.`);
  return suite;
}

/**
 * MODEL as a suite's model: one of the lab, or a JSON file of computed surprisals of `sentences`. The name of one that
 * ships stands for its folder.
 */
export async function openSuiteModel(
  given: string,
  backend: string | undefined,
  sentences: readonly string[],
): Promise<{ model: SuiteModel; close: () => void }> {
  const path = modelPath(given);
  if (path.endsWith('.json') && statSync(path, { throwIfNoEntry: false })?.isFile())
    return {
      model: unwrap(readPrecomputed(await jsonFile(path, 'not-json', 'surprisals as JSON'), path, sentences)),
      close: () => {},
    };
  const imported = asMovesModel(path, await readModel(path));
  // A third-party model reads text, as its own tokenizer does, and so does one that learned games as text.
  const readsText = imported.config === null || imported.config.notation === TEXT;
  const tokenizer = readsText ? imported.tokenizer() : null;
  if (tokenizer && !tokenizer.ok && tokenizer.error.code !== 'no-tokenizer') throw new InputError(tokenizer.error);
  const language = tokenizer?.ok ? null : languageOf(path, imported).notation;
  const made = await engineWith(backend, imported.model, imported.parameters);
  const { engine, notation } = language ? askedIn(made, language) : { engine: made, notation: null };
  const reader = notation ? gameReader(notation) : textReader(unwrap(tokenizer!));
  return { model: engineModel(engine, reader, basename(resolve(path))), close: () => engine.dispose() };
}
