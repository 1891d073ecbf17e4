import { expect, it } from 'vitest';
import { targets } from './targets.ts';
import { fuzz, tried } from './fuzz.ts';

it.each(Object.keys(targets))('every mutated input of %s is read, or refused in a sentence', async (target) => {
  const faults = await fuzz(1, 1200, { only: target });
  expect(faults.map(({ name, what }) => `${name} ${what}`)).toEqual([]);
});

/** Inputs that fell once, made small. */
const found: [target: string, name: string, text: string][] = [
  ['baseball', 'g.xml', '<game><inning away_team="aaa"><top></top></inning></game>'],
  ['model', 'config.json', '{"model-type":"gpt2"}'],
  ['config', 'config.json', '{"batch":"' + 'x'.repeat(90_000) + '"}'],
  ['manifest', 'manifest.json', '{"version":1}'],
  ['games', 'g.parquet', 'PAR1' + '\xff'.repeat(40) + 'PAR1'],
];

it.each(found)('%s: %s that fell once is refused in a sentence', async (target, name, text) => {
  expect(await tried(target, name, new TextEncoder().encode(text))).toEqual({ wrong: [], refused: true });
});
