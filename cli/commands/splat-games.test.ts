import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';
import { presetNamed } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { noughts } from '../../src/domains/noughts/noughts.ts';
import type { SplatAssessment } from '../../src/studies/splat/splat-assessment.ts';

const { at, run } = commandFolder('splat-games');

function done(command: string) {
  const ended = run(command);
  expect(ended.status, ended.stderr).toBe(0);
  return ended;
}
const recordOf = (run: string): { config: RunConfig } => JSON.parse(readFileSync(at(`${run}/blindfold.json`), 'utf8'));

const preset = presetNamed('plain')!.config;
const small: RunConfig = {
  ...preset,
  model: { ...preset.model, layers: 1, width: 16, heads: 2, context: 64 } as RunConfig['model'],
  schedule: { ...preset.schedule, steps: 2 },
  evaluation: { every: 1000, games: 2, instances: 4 },
  batch: 4,
};

it('fine-tunes on loose games as the model had them, and measures distances to no others', () => {
  const lines = Array.from(noughts.invented!.games(90, 1), (trace) => noughts.traces.format(trace));
  writeFileSync(at('loose.txt'), lines.slice(0, 60).join('\n'));
  writeFileSync(at('other.txt'), lines.slice(60).join('\n'));
  writeFileSync(at('small.json'), JSON.stringify(small));
  done('train --data loose.txt --config small.json --domain noughts --seed 3 --engine wasm --out read');
  const record = recordOf('read');
  // A model that ended by its dev perplexity.
  const schedule = { ...record.config.schedule, patience: 2, keep: 'best' };
  writeFileSync(at('read/blindfold.json'), JSON.stringify({ ...record, config: { ...record.config, schedule } }));

  const tune = 'splat fine-tune --model read --engine wasm --seed 9';
  const tuned = done(`${tune} --data loose.txt --out asked --steps 2`);
  const { config } = recordOf('asked');
  expect(config.schedule).toMatchObject({ steps: 2, patience: null, keep: 'last' });
  // The same training games, though the seed is another.
  expect(config.data).toEqual({ ...record.config.data, splitSeed: 3 });
  expect(config.seed).toBe(9);
  expect(tuned.stderr).not.toContain('did not train on this split');
  done('splat fine-tune --data loose.txt --out asked --resume --steps 3 --engine wasm');
  expect(done(`${tune} --data other.txt --out others --steps 2`).stderr).toContain(
    'The model did not train on this split of other.txt, but on loose.txt.',
  );

  writeFileSync(at('lines.txt'), done('splat make-questions other.txt --domain noughts').stdout);
  const ask = 'splat evaluate --model asked --questions lines.txt --engine wasm';
  done(`${ask} --trained-on loose.txt --out assessed.json`);
  const { answers, fineTuningStates } = JSON.parse(readFileSync(at('assessed.json'), 'utf8')) as SplatAssessment;
  expect(fineTuningStates).toEqual({ compared: 12, learned: 12 });
  expect(answers.length).toBeGreaterThan(10);
  // Nine squares and whose turn it is, at most.
  for (const { distance } of answers) expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).toContain(distance);
  const refused = run(`${ask} --trained-on other.txt --out refused.json`);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain('other.txt: these are not the games that asked was fine-tuned on');
  expect(run(`${ask} --trained-on loose.txt`)).toMatchObject({ status: 2 });
  const reader = run('splat evaluate --model read --questions lines.txt --trained-on loose.txt --out x.json');
  expect(reader).toMatchObject({ status: 1, stderr: expect.stringContaining('learned no questions') as string });
});
