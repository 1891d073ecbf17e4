import { writeFile } from 'node:fs/promises';
import { defineCommand } from 'citty';
import { inputError, unwrap } from '../../src/base/result.ts';
import { bigbench } from '../../src/studies/bigbench/bigbench.ts';
import { LONGEST_TASK, parseBigbench } from '../../src/studies/bigbench/bigbench-task.ts';
import { modelArgs, openModel } from '../open-model.ts';
import { nameOf, openText, progressBar, report, usageError, writeResult } from '../node-io.ts';

export default defineCommand({
  meta: { name: 'bigbench', description: 'A chess_state_tracking task of BIG-bench: where does the last piece go?' },
  args: {
    ...modelArgs,
    task: { type: 'positional', required: true, description: 'TASK.json; - for standard input' },
    each: { type: 'string', description: 'also write one line an answer to this file' },
  },
  async run({ args }) {
    if (args._.length > 1) throw usageError(`bigbench takes one file; it was given ${args._.length}.`);
    const name = nameOf(args.task);
    const task = unwrap(parseBigbench(await textOf(args.task, name), name));
    const { engine, notation } = await openModel(args.model, args.engine);
    const bar = progressBar('examples');
    const { answers, disagreements, tooLong, ...scores } = unwrap(
      await bigbench(engine, notation, task, {
        onShare: (share) => bar.update(Math.round(share * task.examples.length), task.examples.length),
      }),
    );
    bar.end();
    if (tooLong > 0)
      report(
        `${tooLong} of ${task.examples.length} examples are longer than the model's context of ${engine.model.context} tokens and were left out.`,
      );
    for (const { example, notLegal, notTargets } of disagreements)
      report(
        `Example ${example + 1}: its targets are not the rules' (not legal: ${notLegal.join(' ') || 'none'}; legal but missing: ${notTargets.join(' ') || 'none'}).`,
      );
    if (args.each !== undefined)
      await writeFile(args.each, answers.map((answer) => JSON.stringify(answer) + '\n').join(''));
    const { n, accuracy, random, ci95 } = scores;
    writeResult({ n, accuracy, random, ci95, tooLong, disagreements: disagreements.length });
  },
});

/** The file's text; reading stops where it is too long to be a task. */
async function textOf(path: string, name: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of openText(path)) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > LONGEST_TASK)
      throw inputError(
        'bad-task',
        `${name}: the file is longer than ${LONGEST_TASK} characters, so it is no task of BIG-bench.`,
      );
  }
  return text + decoder.decode();
}
