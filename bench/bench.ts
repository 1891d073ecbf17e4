import { parseArgs } from 'node:util';
import { realGpu, sideEntries } from './sides.ts';
import { workloads } from './workloads.ts';

/**
 * Everything measured side by side in one run, a JSON line a row on stdout and progress on stderr. See README.md.
 *
 *   npm run bench -- [--suite train,probe,rules,data] [--workload A,B] [--engines A,B] [--runs 5] [--seconds 2] [--list]
 */
const usage = `npm run bench -- [options]
  --suite     any of train, probe, rules, data; all where not said
  --workload  training workloads, by name
  --engines   sides of the training suite, by name or the beginning of one
  --runs      measurements of each side, 5 where not said
  --seconds   least length of a side's turn in the training suite, 2 where not said
  --list      names of suites, workloads and sides`;
const suites = ['train', 'probe', 'rules', 'data'];

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader went away (npm run bench | head): nothing is left to do.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
const { values } = options();
const print = (row: object) => console.log(JSON.stringify(row));
const tell = (text: string) => console.error(text);

if (values.help) {
  console.log(usage);
} else if (values.list) {
  for (const suite of suites) print({ suite });
  for (const { name, needsGpu } of workloads) print({ workload: name, needsGpu });
  for (const { name, description } of sideEntries) print({ side: name, words: description });
} else await run();

async function run(): Promise<void> {
  const wanted = chosen('--suite', values.suite, suites, (suite) => suite);
  const rounds = number('--runs', values.runs, 1);
  const seconds = number('--seconds', values.seconds, 0);
  const work = chosen('--workload', values.workload, workloads, ({ name }) => name);
  const sides = chosen('--engines', values.engines, sideEntries, ({ name }) => name);
  if (rounds < 5) tell(`bench: medians of ${rounds} rounds are for a quick look; quote five or more`);
  if (wanted.includes('train')) {
    if (!realGpu) tell('bench: no graphics card here, so WebGPU is an emulation on the CPU');
    const { benchTraining } = await import('./train.ts');
    const some = values.engines !== undefined;
    await benchTraining({ workloads: work, sides, rounds, seconds, chosen: some, print, tell });
  }
  if (wanted.includes('probe')) await (await import('./probe.ts')).benchProbes({ runs: rounds, print, tell });
  if (wanted.includes('rules')) (await import('./rules.ts')).benchRules({ runs: rounds, print, tell });
  if (wanted.includes('data')) await (await import('./data.ts')).benchReading({ runs: rounds, print });
}

function options() {
  try {
    return parseArgs({
      options: {
        suite: { type: 'string' },
        workload: { type: 'string' },
        engines: { type: 'string' },
        runs: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '2' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** The entries that a list of names, or beginnings of names, asks for; all where nothing is asked. */
function chosen<T>(
  option: string,
  text: string | undefined,
  all: readonly T[],
  nameOf: (entry: T) => string,
): readonly T[] {
  if (text === undefined) return all;
  const names = text.split(',');
  for (const name of names)
    if (!all.some((entry) => nameOf(entry).startsWith(name)))
      refuse(`${option} ${name}: there are ${all.map(nameOf).join(', ')}.`);
  return all.filter((entry) => names.some((name) => nameOf(entry).startsWith(name)));
}

function number(option: string, text: string, least: number): number {
  const value = Number(text);
  return value >= least ? value : refuse(`${option} ${text}: give a number, ${least} or more.`);
}

function refuse(message: string): never {
  console.error(`bench: ${message}\n${usage}`);
  process.exit(2);
}
