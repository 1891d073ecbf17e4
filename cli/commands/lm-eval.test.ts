import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const withHarness = spawnSync(PYTHON, ['-c', 'import torch, transformers, lm_eval']).status === 0;
const { folder, at, run } = commandFolder('harness');

const root = resolve(import.meta.dirname, '../..');
const model = join(root, 'public/checkpoints/chess');

const harness = `
import json, sys
import lm_eval
from lm_eval.tasks import TaskManager
task = sys.argv[2]
found = lm_eval.simple_evaluate(
    model="hf", model_args="pretrained=" + sys.argv[1] + ",dtype=float32", tasks=[task], device="cpu", batch_size=8,
    task_manager=TaskManager(include_path=".", include_defaults=False), bootstrap_iters=0)
print(json.dumps(found["results"][task]["acc,none"]))`;

/** The first forty items of a suite that ships, in a file. */
function shortened(name: string): string {
  const suite = JSON.parse(readFileSync(join(root, `public/suites/${name}.json`), 'utf8')) as { items: unknown[] };
  const path = at(`${name}.json`);
  writeFileSync(path, JSON.stringify({ ...suite, items: suite.items.slice(0, 40) }));
  return path;
}

it.skipIf(!withHarness)(
  'the shipped folder has the accuracy in lm-evaluation-harness that it has here (needs lm_eval)',
  () => {
    const suite = shortened('chess_pin');
    const exported = run(['suite', 'export', suite, '--to', 'lm-eval', '--out', folder]);
    expect(exported.status, exported.stderr).toBe(0);
    const asked = run(['suite', 'evaluate', suite, '--model', model]);
    const [, here] = /Accuracy: ([\d.]+)/.exec(asked.stderr)!;
    const there = spawnSync(PYTHON, ['-c', harness, model, 'syntaxgym_chess_pin'], {
      ...{ cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
      env: { ...process.env, HF_HUB_OFFLINE: '1', HF_DATASETS_OFFLINE: '1', HF_HOME: at('cache') },
    });
    expect(there.status, there.stderr).toBe(0);
    expect(Number(there.stdout.trim().split('\n').at(-1))).toBeCloseTo(Number(here), 4);
    expect(Number(here)).toBeLessThan(1);
  },
  300_000,
);
