import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineCommand } from 'citty';
import { usageError } from '../node-io.ts';

/** Maps this command's options to those of bench/bench.ts. */
const options = { suite: '--suite', engines: '--sides', runs: '--rounds', workload: '--workload' } as const;

export default defineCommand({
  meta: { name: 'bench', description: 'Side-by-side measurements in one run, sides in turns, as JSON Lines.' },
  args: {
    suite: { type: 'string', description: 'train, probe, rules or data, or several; all where not said' },
    engines: { type: 'string', description: 'sides of the training suite by name, such as stock,blindfold-wasm' },
    runs: { type: 'string', default: '5', description: 'measurements of each side; a median is told' },
    workload: { type: 'string', description: 'training workloads by name' },
    list: { type: 'boolean', default: false, description: 'only name suites, workloads and sides' },
  },
  run({ args }) {
    const script = fileURLToPath(new URL('../../bench/bench.ts', import.meta.url));
    if (!existsSync(script)) throw usageError('bench: the measurements come with a checkout, not with the package.');
    const passed = Object.entries(options).flatMap(([name, option]) => {
      const value = args[name as keyof typeof options];
      return value === undefined ? [] : [option, value];
    });
    if (args.list) passed.push('--list');
    // A process of its own: engines on trial must not meet what this one has loaded.
    const { status } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), script, ...passed], {
      stdio: 'inherit',
    });
    process.exitCode = status ?? 1;
  },
});
