import { writeFile } from 'node:fs/promises';
import { defineCommand } from 'citty';
import { parseInstances, type Instance } from '../../src/studies/testbed/instances.ts';
import { inputError, unwrap } from '../../src/base/result.ts';
import {
  askTasks,
  fitsContext,
  errorCounts,
  randomLegalExact,
  taskNames,
  taskReport,
  tasksFor,
} from '../../src/studies/testbed/tasks.ts';
import { modelArgs, openModel } from '../open-model.ts';
import { openText, progressBar, report, writeResult } from '../node-io.ts';

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
      throw inputError('no-instances', `${args.probes} holds no instances; make them with make-probes.`);
    const { engine, notation } = await openModel(args.model, args.engine);
    const asked = instances.filter((instance) => fitsContext(instance, notation, engine.model.context));
    if (asked.length < instances.length)
      report(`${instances.length - asked.length} prefixes are longer than the model's context and were left out.`);
    const bar = progressBar('instances');
    const answers = await askTasks(engine, notation, asked, {
      tasks: tasksFor(notation),
      rowsPerBatch: 8,
      onInstances: (done) => bar.update(done, asked.length),
    });
    bar.end();
    if (args.each !== undefined) {
      const lines = answers.map(({ task, instance, prompt, top, legal, exact, error, ...rest }) => {
        const { prefix } = asked[instance];
        // Which instance of the file it is, those left out counted.
        const place = instances.indexOf(asked[instance]);
        return JSON.stringify({ task, prefix, prompt, top, legal, exact, error, ...rest, instance: place });
      });
      await writeFile(args.each, lines.map((line) => line + '\n').join(''));
    }
    writeResult({
      ...Object.fromEntries(taskNames.map((task) => [task, taskReport(answers, task)])),
      errors: { 'end-actual': errorCounts(answers, 'end-actual'), 'end-other': errorCounts(answers, 'end-other') },
      random: {
        'end-actual': { exm: randomLegalExact(asked, 'end-actual') },
        'start-actual': { exm: randomLegalExact(asked, 'start-actual') },
      },
    });
  },
});
