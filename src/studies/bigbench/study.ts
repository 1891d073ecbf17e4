import * as v from 'valibot';
import { ok } from '../../base/result.ts';
import { count } from '../../report/labels.ts';
import { measureReport } from '../measure-report.ts';
import { fileSetting } from '../setting-fields.ts';
import type { Study } from '../study.ts';
import { SubjectSchema } from '../subject-schema.ts';
import { readsSquares } from '../testbed/reads-squares.ts';
import { parseBigbench } from './bigbench-task.ts';
import { bigbench as ask, BigbenchReportSchema } from './bigbench.ts';

export const bigbenchSettings = v.object({
  /** The task's file, and its name in messages. */
  text: fileSetting(
    'A task.json of chess_state_tracking',
    'The files are in the repository google/BIG-bench, under bigbench/benchmark_tasks/chess_state_tracking.',
    { accept: '.json,application/json', nameIn: 'name' },
  ),
  name: v.optional(v.string(), 'the task'),
});

const BigbenchSchema = v.object({ subject: SubjectSchema, task: v.string(), ...BigbenchReportSchema.entries });

/** chess_state_tracking of BIG-bench, from its own file. */
export const bigbench: Study<v.InferOutput<typeof bigbenchSettings>, v.InferOutput<typeof BigbenchSchema>> = {
  name: 'bigbench',
  title: 'BIG-bench chess state tracking',
  source: 'Srivastava et al., “Beyond the Imitation Game”, 2022; the task is by Toshniwal and others',
  description:
    'Where may the last piece of each example go? A right answer is one of the targets of the file. A model that tracks the board is always right; a random legal answer is right more often where few moves are legal.',
  appliesTo: readsSquares,
  refusal: 'BIG-bench’s chess asks for squares; choose a model that writes moves square by square.',
  settings: bigbenchSettings,
  games: null,
  async assess(engine, { notation, about }, _games, { text, name }, measuring) {
    const task = parseBigbench(text, name);
    if (!task.ok) return task;
    const label = `Asking the ${task.value.examples.length} examples of ${task.value.name}`;
    const made = await ask(engine, notation, task.value, {
      ...measuring,
      onShare: (share) => measuring.onProgress?.({ label, share }),
    });
    return made.ok ? ok({ subject: about, task: name, ...made.value }) : made;
  },
  stored: {
    schema: BigbenchSchema,
    label: ({ task, n }) => `${n} examples of ${task}`,
    report: (assessments) =>
      measureReport(bigbench, assessments, {
        rows: ({ task }) => [task],
        heading: 'Task',
        columns: [
          { title: 'Right, %', value: ({ accuracy, ci95 }) => ({ share: accuracy, ci95 }) },
          { title: 'Random legal, exact, %', value: ({ random }) => ({ share: random }) },
          { title: 'Examples', value: ({ n }) => ({ count: n }) },
        ],
        answers: ({ answers }) =>
          answers.map(({ input, top, right, targets }) => ({
            question: 'Where does the last piece go?',
            verdict: top,
            right,
            more: `Targets: ${targets.join(' ')}.`,
            prompt: input,
          })),
        notes: ({ task, tooLong, disagreements }) => [
          ...(tooLong > 0
            ? [`${task}: ${count(tooLong)} examples are left out, longer than the model’s context.`]
            : []),
          ...(disagreements.length > 0
            ? [`${task}: the answers of ${count(disagreements.length)} examples are not what the rules say here.`]
            : []),
        ],
      }),
  },
};
