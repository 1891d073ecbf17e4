import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { commandFolder } from '../fixtures/command-line/folder.ts';
import { gameLines } from '../fixtures/given-games.ts';
import { presets } from '../src/config/presets.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import { recordReadme } from '../src/interchange/records/record-readme.ts';
import type { EventScores, SquareScores, TrainingRecord } from '../src/interchange/records/training-record.ts';

const { folder, at, run, json } = commandFolder('ship');

/** A record of a model of squares, as all but one of these are. */
type SquareRecord = TrainingRecord & { scores: SquareScores };

/** A file of random legal games, those of a name different from those of another. */
function writeGames(name: string, games: number, plies: number): void {
  writeFileSync(at(name), gameLines(games, name, plies));
}

const shipping = ['--data', 'train.uci.txt', '--source', 'Random legal games', '--games', 'dev.uci.txt'].concat(
  ['--probe-games', 'probe.uci.txt', '--training', 'trained.json', '--seconds', '90'],
  ['--threads', '2', '--date', '2025-01-31', '--out', 'shipped'],
  ['--remark', 'Taken up again at step 4.'],
);

beforeAll(() => {
  writeGames('train.uci.txt', 60, 40);
  writeGames('dev.uci.txt', 5, 30);
  writeGames('probe.uci.txt', 30, 80);
  const model = { kind: 'gpt2', layers: 1, width: 16, heads: 2, context: 256, dropout: 0, slots: true };
  const evaluation = { every: 100, games: 3, instances: 4 };
  writeFileSync(at('config.json'), JSON.stringify({ ...presets[0].config, model, batch: 2, evaluation }));
  const trained = json(['train', '--data', 'train.uci.txt', '--config', 'config.json', '--steps', '8', '--out', 'run']);
  writeFileSync(at('trained.json'), JSON.stringify(trained));
});

test('ships a run with a record whose figures the other commands give again', () => {
  const record = json<SquareRecord>(['ship', '--model', 'run', ...shipping]);
  expect(readdirSync(at('shipped')).sort()).toEqual(
    ['README.md', 'blindfold.json', 'config.json', 'generation_config.json', 'model.safetensors'].concat([
      ...['special_tokens_map.json', 'tokenizer.json', 'tokenizer_config.json', 'training-record.json'],
    ]),
  );
  const trained = JSON.parse(readFileSync(at('trained.json'), 'utf8')) as Record<string, unknown>;
  expect(record.training).toMatchObject({ steps: 8, tokens: trained.tokens, games: 16, seconds: 90, threads: 2 });
  expect(record.training).toMatchObject({ engine: trained.engine, device: trained.device });
  expect(record.data).toMatchObject({
    name: 'train.uci.txt',
    source: 'Random legal games.',
    games: 54,
    hash: record.config.data.manifest,
  });
  expect(record.weights.bytes).toBe(readFileSync(at('shipped/model.safetensors')).length);
  expect(record.weights.maxLogitDifference).toBeGreaterThan(0);
  expect(record.weights.maxLogitDifference).toBeLessThan(0.01);

  const { games, moves, perplexity } = record.scores.perplexity;
  const held = json(['perplexity', '--model', 'shipped', '--games', 'dev.uci.txt']);
  expect(held).toMatchObject({ games, moves, perplexity });
  for (const name of ['short', 'long'] as const) {
    const { plies, tasks } = record.scores[name];
    const made = run(
      ['make-probes', '--games', 'probe.uci.txt', '--range', plies.join('-'), '--n', '1000', '--seed', '42'].concat([
        '--avoid',
        'train.uci.txt',
      ]),
    );
    writeFileSync(at(`${name}.jsonl`), made.stdout);
    expect(tasks['end-actual'].n).toBeGreaterThan(5);
    expect(json(['probe', '--model', 'shipped', '--probes', `${name}.jsonl`])).toMatchObject(tasks);
  }
  const { soundness } = record.scores;
  const whole = json<{ legalGames: object; soundness: { rows: object[] } }>(
    soundness!.computedBy[0].split(' ').slice(1),
  );
  expect(soundness!.games).toBe(30);
  expect(whole.legalGames).toMatchObject(soundness!.alone);
  expect(whole.soundness.rows).toMatchObject(soundness!.attacks);
  // The machine that trained is nobody's business.
  for (const name of readdirSync(at('shipped')))
    expect(readFileSync(at('shipped', name), 'latin1')).not.toContain(folder);

  const readme = readFileSync(at('shipped/README.md'), 'utf8');
  expect(readme).toMatch(/^---\nlibrary_name: transformers\n/);
  expect(readme).toContain('license: mit');
  expect(readme).toContain('AutoTokenizer.from_pretrained(".")');
  expect(readme).toContain('## Slots'.replace('## ', '### '));
  expect(readme).toContain('threads: 2). Taken up again at step 4. Notation');
  record.scores.short.tasks['end-actual'].lgm = 0.5;
  record.scores.short.tasks['end-actual'].ci95.lgm = [0.4, 0.6123];
  soundness!.attacks[0] = { adversary: 'random', attackSuccess: 0.9, ci95: [0.8, 0.95] };
  const told = 'In training it was also told which kind of piece makes each move.';
  expect(readme).toContain(`What it knows of the rules it found in the games. ${told}`);
  record.config = { ...record.config, pieceWeight: 0 };
  const again = recordReadme(record, '## Slots\n');
  expect(again).not.toContain(told);
  expect(again).toContain('| 50.0 (40.0 to 61.2) |');
  expect(again).toContain('| random moves | 10.0 (5.0 to 20.0) |');
});

test('ships a model that reads an event a token, with what it is asked about held-out games', () => {
  const splat = ['--domain', 'noughts', '--preset', 'splat-nano', '--steps', '6'];
  const trained = json(['train', '--data', 'invented:600', ...splat, '--out', 'events']);
  writeFileSync(at('events.json'), JSON.stringify(trained));
  const held = 'invented:600:test';
  const record = json<TrainingRecord & { scores: EventScores }>(
    ['ship', '--model', 'events', '--data', 'invented:600', '--source', 'Made up', '--games', held].concat([
      '--training',
      'events.json',
      '--seconds',
      '3',
      '--threads',
      '1',
      '--date',
      '2025-01-31',
      '--out',
      'noughts',
    ]),
  );
  const questions = run(['splat', 'make-questions', held, '--domain', 'noughts']);
  writeFileSync(at('questions.txt'), questions.stdout);
  const asked = json<Record<string, Record<string, unknown>>>(
    ['splat', 'evaluate', '--model', 'noughts', '--questions', 'questions.txt', '--games', held].concat([
      '--n',
      '1000',
    ]),
  );
  const { legal, legalMass, perplexity } = record.scores;
  expect(asked['legal-verbs']).toMatchObject({ nextToken: legal.rprec, n: legal.n, legalMass });
  expect(asked.random['next-token']).toBe(legal.random);
  expect(asked.perplexity).toEqual(perplexity);
  const readme = readFileSync(at('noughts/README.md'), 'utf8');
  expect(readme).toContain('# A small noughts and crosses model');
  expect(readme).toContain(`after ${legal.n.toLocaleString('en-GB')} beginnings of games`);
  expect(
    run(['ship', '--model', 'run', ...shipping.filter((arg) => !arg.startsWith('--probe') && !arg.startsWith('probe'))])
      .stderr,
  ).toContain('--probe-games');
});

test('ships a run that began with the weights of a shipped one, and tells of both', () => {
  const config = JSON.parse(readFileSync(at('config.json'), 'utf8')) as { model: object };
  writeFileSync(at('deeper.json'), JSON.stringify({ ...config, model: { ...config.model, layers: 2 } }));
  const deeper = ['--config', 'deeper.json', '--from', 'run', '--steps', '4', '--out', 'deeper'];
  const trained = json<{ tokens: number }>(['train', '--data', 'train.uci.txt', ...deeper]);
  const before = JSON.parse(readFileSync(at('shipped/training-record.json'), 'utf8')) as TrainingRecord;
  const again = ['ship', '--model', 'deeper', ...shipping, '--out', 'shipped-deeper', '--earlier'];
  const { training } = json<TrainingRecord>([...again, 'shipped/training-record.json']);
  expect(training).toMatchObject({ steps: 12, tokens: before.training.tokens + trained.tokens, seconds: 180 });
  const remark = 'Taken up again at step 4.';
  const { steps, tokens, seconds, device, engine, threads } = before.training;
  expect(training.earlier).toEqual([
    { config: before.config, steps, tokens, seconds, device, engine, threads, remark },
  ]);
  expect(training.computedBy).toEqual([
    'blindfold train --data train.uci.txt --config earlier-1.json --out earlier-1',
    'blindfold train --data train.uci.txt --config run.json --from earlier-1 --out run',
  ]);
  const readme = readFileSync(at('shipped-deeper/README.md'), 'utf8');
  expect(readme).toContain('in 12 steps. That took 3 minutes. Of this, a first run');
  expect(readme).toContain('a first run trained a model of 1 layer: 8 steps');
  const altered = (name: string, change: (record: TrainingRecord) => void) => {
    const record = structuredClone(before);
    change(record);
    writeFileSync(at(name), JSON.stringify(record));
  };
  altered('wide.json', ({ config }) => Object.assign(config.model, { width: 32, heads: 2 }));
  altered('less.json', (record) => {
    const { device, engine, threads } = record.training;
    record.training.earlier = [{ config: before.config, steps: 99, tokens: 1, seconds: 1, device, engine, threads }];
  });
  for (const [name, expected] of [
    ['wide.json', 'is a gpt2 of width 32'],
    ['less.json', 'more steps, tokens or seconds'],
    ['nowhere.json', 'cannot be read'],
    ['trained.json', 'training-record.json is wrong (version: it is missing)'],
  ])
    expect(run([...again, name])).toMatchObject({ status: 1, stderr: expect.stringContaining(expected) });
});

test('ships a run that stopped before its last step only when told to', () => {
  // Without its last checkpoint, as a run that ended in between.
  const config = JSON.parse(readFileSync(at('config.json'), 'utf8')) as object;
  writeFileSync(at('longer.json'), JSON.stringify({ ...config, checkpointEvery: 2 }));
  json(['train', '--data', 'train.uci.txt', '--config', 'longer.json', '--steps', '4', '--out', 'stopped']);
  for (const name of readdirSync(at('stopped')).filter((name) => /^checkpoint.*4\b/.test(name)))
    rmSync(at('stopped', name));
  const again = ['ship', '--model', 'stopped', ...shipping, '--out', 'shipped-stopped'];
  expect(run(again)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/stopped at step 2 of 4.*--unfinished/),
  });
  expect(run([...again, '--unfinished']).stderr).not.toContain('stopped at step');
});

test('knows of a run of so many passes whether it ended', () => {
  const config = JSON.parse(readFileSync(at('config.json'), 'utf8')) as RunConfig;
  const schedule = { ...config.schedule, epochs: 1 };
  writeFileSync(at('pass.json'), JSON.stringify({ ...config, schedule, checkpointEvery: 2 }));
  json(['train', '--data', 'train.uci.txt', '--config', 'pass.json', '--limit', '8', '--out', 'pass']);
  for (const name of readdirSync(at('pass')).filter((name) => /^checkpoint.*4\b/.test(name))) rmSync(at('pass', name));
  expect(run(['ship', '--model', 'pass', ...shipping, '--out', 'shipped-pass']).stderr).toContain(
    'stopped at step 2 of 4',
  );
});

test('refuses games that the run was not trained on, and a run without checkpoints', () => {
  const other = run(['ship', '--model', 'run', ...shipping, '--data', 'dev.uci.txt']);
  expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining('not trained on these games') });
  const none = run(['ship', '--model', 'nowhere', ...shipping]);
  expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('no checkpoint') });
});

test('export --half stores 16 bits and tells what they change', () => {
  const exported = (out: string, ...more: string[]) =>
    json<{ maxLogitDifference: number }>(['export', '--model', 'run', '--to', 'huggingface', '--out', out, ...more]);
  expect(exported('whole').maxLogitDifference).toBeLessThan(1e-6);
  expect(exported('half', '--half').maxLogitDifference).toBeGreaterThan(0);
  const [whole, half] = ['whole', 'half'].map((name) => readFileSync(at(`${name}/model.safetensors`)).length);
  expect(half / whole).toBeLessThan(0.6);
});
