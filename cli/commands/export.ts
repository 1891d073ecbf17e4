import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { fail, InputError, unwrap } from '../../src/base/result.ts';
import { chess } from '../../src/domains/chess/chess.ts';
import { gpt2Folder } from '../../src/interchange/huggingface.ts';
import { readSafetensors, writeSafetensors } from '../../src/interchange/safetensors.ts';
import { engineWith, modelArgs, readModel } from '../open-model.ts';
import { usageError, writeJsonLine } from '../node-io.ts';

/** Asked of the weights before and after: a short game, enough to reach every parameter. */
const SAMPLE = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6';

export default defineCommand({
  meta: { name: 'export', description: 'Weights to take away, read back and compared.' },
  args: {
    ...modelArgs,
    to: {
      type: 'string',
      required: true,
      description: 'safetensors (the weights alone) or huggingface (a GPT2LMHeadModel folder)',
    },
    out: { type: 'string', required: true, description: 'folder to write' },
  },
  async run({ args }) {
    if (args.to !== 'safetensors' && args.to !== 'huggingface')
      throw usageError(`--to ${args.to}: this build writes safetensors and huggingface.`);
    const { model, config, parameters, record } = await readModel(args.model);
    const notation = unwrap(chess.notation(config?.notation ?? 'rap:15'));
    if (config === null && args.to === 'huggingface')
      throw new InputError(
        fail('already-huggingface', `${args.model} is a Hugging Face folder already; copy it.`).error,
      );
    const folder =
      config === null
        ? new Map([['model.safetensors', writeSafetensors(parameters)]])
        : gpt2Folder(config, parameters, record ?? { tokens: notation.vocabulary.tokens, step: 0 });
    const files = [...folder].filter(([name]) => args.to === 'huggingface' || name === 'model.safetensors');
    await mkdir(args.out, { recursive: true });
    for (const [name, bytes] of files) await writeFile(join(args.out, name), bytes);

    const readBack = unwrap(readSafetensors(new Uint8Array(await readFile(join(args.out, 'model.safetensors')))));
    const prompt = [
      notation.vocabulary.begin,
      ...SAMPLE.match(/[a-h][1-8]/g)!.map((square) => notation.vocabulary.id(square)!),
    ];
    const engine = await engineWith(args.engine, model, parameters);
    const [before] = await engine.leafLogits([prompt], [[]]);
    engine.setParameters(readBack.tensors);
    const [after] = await engine.leafLogits([prompt], [[]]);
    const maxLogitDifference = before.root.reduce(
      (most, logit, i) => Math.max(most, Math.abs(logit - after.root[i])),
      0,
    );
    writeJsonLine({ files: files.map(([name]) => join(args.out, name)), maxLogitDifference });
  },
});
