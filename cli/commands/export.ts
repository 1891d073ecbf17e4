import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { fail, InputError, unwrap } from '../../src/base/result.ts';
import { grammarOf, notationOf } from '../../src/domains/domains.ts';
import { halved, modelFolder, modelFromFiles, WEIGHTS, type Files } from '../../src/interchange/huggingface.ts';
import { readSafetensors, writeSafetensors } from '../../src/interchange/safetensors.ts';
import { maxLogitDifference } from '../compare-weights.ts';
import { engineWith, modelArgs, readModel, UNTOLD } from '../open-model.ts';
import { usageError, writeJsonLine } from '../node-io.ts';

export default defineCommand({
  meta: { name: 'export', description: 'Weights to take away, read back and compared.' },
  args: {
    ...modelArgs,
    to: {
      type: 'string',
      required: true,
      description: 'safetensors (the weights alone) or huggingface (a folder that the library of its kind reads)',
    },
    out: { type: 'string', required: true, description: 'folder to write' },
    half: { type: 'boolean', description: 'store the weights in 16 bits (F16), at half the size' },
  },
  async run({ args }) {
    if (args.to !== 'safetensors' && args.to !== 'huggingface')
      throw usageError(`--to ${args.to}: this build writes safetensors and huggingface.`);
    const { model, config, parameters, record } = await readModel(args.model);
    const notation = unwrap(notationOf(config ?? UNTOLD));
    if (config === null && args.to === 'huggingface')
      throw new InputError(
        fail('already-huggingface', `${args.model} is a Hugging Face folder already; copy it.`).error,
      );
    const known = record ?? { tokens: notation.vocabulary.tokens, step: 0 };
    const whole: Files =
      config === null || args.to === 'safetensors'
        ? new Map([[WEIGHTS, writeSafetensors(parameters, { format: 'pt' })]])
        : modelFolder(config, parameters, known, notation.slots);
    const files = args.half ? unwrap(halved(whole)) : whole;
    await mkdir(args.out, { recursive: true });
    for (const [name, bytes] of files) await writeFile(join(args.out, name), bytes);

    const written: Files = new Map();
    for (const name of files.keys()) written.set(name, new Uint8Array(await readFile(join(args.out, name))));
    const readBack =
      args.to === 'huggingface'
        ? unwrap(modelFromFiles(written, grammarOf)).parameters
        : unwrap(readSafetensors(written.get(WEIGHTS)!)).tensors;
    const engine = await engineWith(args.engine, model, parameters);
    writeJsonLine({
      files: [...files.keys()].map((name) => join(args.out, name)),
      maxLogitDifference: await maxLogitDifference(engine, readBack, notation),
    });
  },
});
