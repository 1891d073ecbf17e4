import { writeFile } from 'node:fs/promises';
import { defineCommand } from 'citty';
import { parseInstances, type Instance } from '../../src/probes/instances.ts';
import { fail, InputError, unwrap } from '../../src/base/result.ts';
import {
  askTasks,
  fitsContext,
  errorCounts,
  randomLegalExact,
  taskNames,
  taskReport,
  type TaskName,
} from '../../src/probes/tasks.ts';
import { modelArgs, openModel } from '../open-model.ts';
import { openText, progressBar, report, writeJsonLine } from '../node-io.ts';

export default defineCommand({
  meta: { name: 'probe', description: 'The four probing tasks: where may this piece start from, where may it go.' },
  args: {
    ...modelArgs,
    probes: { type: 'string', required: true, description: 'instances made by make-probes' },
    each: { type: 'string', description: 'also write one line an answer to this file' },
  },
  async run({ args }) {
    const instances: Instance[] = unwrap(await parseInstances(openText(args.probes), args.probes));
    if (instances.length === 0)
      throw new InputError(
        fail('no-instances', `${args.probes} holds no instances; make them with make-probes.`).error,
      );
    const { engine, notation } = await openModel(args.model, args.engine);
    // A model that never saw piece names cannot be asked with one (paper, section 4.2).
    const tasks: TaskName[] = notation.name === 'uci' ? ['end-actual', 'end-other'] : [...taskNames];
    const asked = instances.filter((instance) => fitsContext(instance, notation, engine.model.context));
    if (asked.length < instances.length)
      report(`${instances.length - asked.length} prefixes are longer than the model's context and were left out.`);
    const bar = progressBar('instances');
    const judged = await askTasks(engine, notation, asked, {
      tasks,
      rowsPerBatch: 8,
      onInstances: (done) => bar.update(done, asked.length),
    });
    bar.end();
    if (args.each !== undefined) {
      const lines = judged.map(({ task, prefix, prompt, top, legal, exact, error }) =>
        JSON.stringify({ task, prefix, prompt, top, legal, exact, error }),
      );
      await writeFile(args.each, lines.map((line) => line + '\n').join(''));
    }
    writeJsonLine({
      ...Object.fromEntries(taskNames.map((task) => [task, taskReport(judged, task)])),
      errors: { 'end-actual': errorCounts(judged, 'end-actual'), 'end-other': errorCounts(judged, 'end-other') },
      random: {
        'end-actual': { exm: randomLegalExact(asked, 'end-actual') },
        'start-actual': { exm: randomLegalExact(asked, 'start-actual') },
      },
    });
  },
});
