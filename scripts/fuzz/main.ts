import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

/** npm run fuzz -- --seed S --count N [--target NAME] [--out FOLDER]: inputs that fell are written to the folder. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10000' },
    target: { type: 'string' },
    out: { type: 'string', default: 'fuzz-found' },
  },
});
const faults = await fuzz(Number(values.seed), Number(values.count), {
  only: values.target,
  onTarget: (target, answered) => console.log(`${target}: ${values.count} inputs, ${answered} refused`),
});
const kinds = new Map<string, number>();
for (const { target, name, what, input } of faults) {
  const kind = `${target}: ${what.slice(0, 60)}`;
  const seen = (kinds.get(kind) ?? 0) + 1;
  kinds.set(kind, seen);
  if (seen > 3) continue;
  mkdirSync(values.out, { recursive: true });
  const path = join(values.out, `${target}-${kinds.size}-${seen}-${name}`);
  writeFileSync(path, input);
  console.log(`${path}\n  ${what.split('\n').slice(0, 4).join('\n  ')}`);
}
console.log(`${faults.length} faults of ${kinds.size} kinds`);
process.exitCode = faults.length > 0 ? 1 : 0;
