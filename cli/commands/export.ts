import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { fail, InputError, unwrap } from '../../src/base/result.ts';
import { grammarOf, notationOf } from '../../src/domains/domains.ts';
import { UNTOLD } from '../../src/interchange/foreign-vocabulary.ts';
import { halved, modelFolder, modelFromFiles, WEIGHTS, type Files } from '../../src/interchange/huggingface.ts';
import { writeSafetensors } from '../../src/interchange/safetensors.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { maxLogitDifference } from '../compare-weights.ts';
import { writeTogether } from '../folder-store.ts';
import { refuseToReplace } from '../model-files.ts';
import { engineWith, modelArgs, readModel } from '../open-model.ts';
import { usageError, writeJsonLine } from '../node-io.ts';

export default defineCommand({
  meta: { name: 'export', description: 'Weights to take away, read back and compared.' },
  args: {
    ...modelArgs,
    to: {
      type: 'string',
      required: true,
      description:
        'safetensors (the weights and the files that describe them) or huggingface (these and a README that tells how the library of its kind reads them)',
    },
    out: { type: 'string', required: true, description: 'folder to write' },
    half: { type: 'boolean', description: 'store the weights in 16 bits (F16), at half the size' },
  },
  async run({ args }) {
    if (args.to !== 'safetensors' && args.to !== 'huggingface')
      throw usageError(`--to ${args.to}: this build writes safetensors and huggingface.`);
    const imported = await readModel(args.model);
    const { model, config, parameters, record } = imported;
    const notation = unwrap(notationOf(config ?? UNTOLD));
    if (config === null && args.to === 'huggingface')
      throw new InputError(
        fail('already-huggingface', `${args.model} is a Hugging Face folder already; copy it.`).error,
      );
    const known = record ?? { tokens: notation.vocabulary.tokens, step: 0 };
    const whole: Files =
      config === null ? await weightsAlone(args.model, parameters) : modelFolder(config, parameters, known, notation);
    if (args.to === 'safetensors') for (const name of whole.keys()) if (!DESCRIBED.has(name)) whole.delete(name);
    const files = args.half ? unwrap(halved(whole)) : whole;
    refuseToReplace(args.out, files.keys(), 'this export');
    await mkdir(args.out, { recursive: true });
    await writeTogether(args.out, files);

    const written: Files = new Map();
    for (const name of files.keys()) written.set(name, new Uint8Array(await readFile(join(args.out, name))));
    const readBack = unwrap(modelFromFiles(written, grammarOf));
    const before = await engineWith(args.engine, model, parameters);
    const after = await engineWith(args.engine, readBack.model, readBack.parameters);
    writeJsonLine({
      files: [...files.keys()].map((name) => join(args.out, name)),
      maxLogitDifference: await maxLogitDifference(before, after, notation),
    });
  },
});

/** What a model needs to be opened again: its weights, sizes and tokens. */
const DESCRIBED: ReadonlySet<string> = new Set([WEIGHTS, 'config.json', 'blindfold.json']);

/** The weights of another maker's folder, with the config.json that lies beside them there. */
async function weightsAlone(folder: string, parameters: NamedArrays): Promise<Files> {
  return new Map([
    ['config.json', new Uint8Array(await readFile(join(folder, 'config.json')))],
    [WEIGHTS, writeSafetensors(parameters, { format: 'pt' })],
  ]);
}
