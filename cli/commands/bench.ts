import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineCommand } from 'citty';
import { usageError } from '../node-io.ts';

/** Those of bench/bench.ts, by the same names. */
const options = ['suite', 'workload', 'engines', 'runs', 'seconds'] as const;

export default defineCommand({
  meta: { name: 'bench', description: 'Side-by-side measurements in one run, sides in turns, as JSON Lines.' },
  args: {
    suite: { type: 'string', description: 'train, probe, rules or data, or several; all where not said' },
    engines: { type: 'string', description: 'sides of the training suite by name, such as stock,blindfold-wasm' },
    runs: { type: 'string', default: '5', description: 'measurements of each side; a median is told' },
    workload: { type: 'string', description: 'training workloads by name' },
    seconds: { type: 'string', default: '2', description: 'least length of a turn in the training suite' },
    list: { type: 'boolean', default: false, description: 'only name suites, workloads and sides' },
  },
  run({ args }) {
    const script = fileURLToPath(new URL('../../bench/bench.ts', import.meta.url));
    if (!existsSync(script)) throw usageError('bench: the measurements come with a checkout, not with the package.');
    const passed = options.flatMap((name) => (args[name] === undefined ? [] : [`--${name}`, args[name]]));
    if (args.list) passed.push('--list');
    // A process of its own: engines on trial must not meet what this one has loaded.
    const { status } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), script, ...passed], {
      stdio: 'inherit',
    });
    process.exitCode = status ?? 1;
  },
});
