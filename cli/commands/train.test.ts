import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';
import { seededRandom } from '../../src/base/random.ts';
import { presetNamed } from '../../src/config/presets.ts';
import { uciLine } from '../../src/domains/chess/replay.ts';
import { randomGame } from '../../src/domains/chess/rules/random-game.ts';
import type { ReportInput } from '../../src/studies/testbed/report/report-input.ts';

const { at, run } = commandFolder('train');

/** A game of random legal moves as UCI text. */
const gameOf = (game: number, plies: number) => uciLine(randomGame(seededRandom('train command', game), plies));

it('trains an oracle model by epochs towards all valid tokens, ends early with the best, and measures it', () => {
  const games = Array.from({ length: 120 }, (_, game) => gameOf(game, 16 + (game % 30)));
  writeFileSync(at('games.uci.txt'), games.join('\n') + '\n');
  const preset = presetNamed('plain')!.config;
  writeFileSync(
    at('config.json'),
    JSON.stringify({
      ...preset,
      model: { ...preset.model, layers: 1, width: 16, heads: 2, context: 160 },
      // So fast that an epoch soon makes it worse.
      optimizer: { ...preset.optimizer, learningRate: 0.3, clipNorm: 0 },
      schedule: { ...preset.schedule, steps: 7, warmup: 0 },
      evaluation: { every: 1000, games: 4, instances: 4 },
      batch: 20,
    }),
  );
  const settings = [
    '--notation',
    'ap',
    '--objective',
    'valid',
    '--epochs',
    '40',
    '--patience',
    '1',
    '--engine',
    'wasm',
  ];
  const data = ['--data', at('games.uci.txt')];
  const trained = run(['train', ...data, '--config', at('config.json'), ...settings, '--out', at('run')]);
  expect(trained.status, trained.stderr).toBe(0);
  const summary = JSON.parse(trained.stdout) as { steps: number; kept: number; devPerplexity: number };
  // 108 training games in batches of twenty: six steps an epoch.
  expect(summary.steps % 6).toBe(0);
  expect(summary.steps).toBeLessThan(240);
  expect(summary.kept).toBe(summary.steps - 6);
  const [expected] = /dev perplexity .* is kept/.exec(trained.stderr)!;
  expect(expected).toMatch(new RegExp(`in epoch ${summary.steps / 6}; epoch ${summary.kept / 6} is kept`));
  expect(readdirSync(at('run'))).toContain(`checkpoint-${String(summary.kept).padStart(9, '0')}.safetensors`);

  // Thirty plies with names are ninety tokens; sixty do not fit.
  writeFileSync(at('test.uci.txt'), [gameOf(500, 30), gameOf(501, 30), gameOf(502, 60)].join('\n') + '\n');
  const measured = run(['perplexity', '--model', at('run'), '--games', at('test.uci.txt'), '--engine', 'wasm']);
  expect(measured.status, measured.stderr).toBe(0);
  expect(JSON.parse(measured.stdout)).toMatchObject({ games: 2, moves: 60 });
  expect(measured.stderr).toContain("One game is longer than the model's context of 160 tokens and left out.");

  // Assessed on instances of a file: the games give none, so nothing is said of too few of them.
  const probes = run(['make-probes', '--games', at('test.uci.txt'), '--range', '5-50', '--n', '2']);
  writeFileSync(at('probes.jsonl'), probes.stdout);
  const asked = ['--probes', at('probes.jsonl'), '--n', '9', '--no-random-play', '--perplexity-games', '2'];
  const files = ['--json', at('kept.json'), '--out', at('page.html'), '--engine', 'wasm'];
  const reported = run(['report', '--models', at('run'), '--games', at('games.uci.txt'), ...asked, ...files]);
  expect(reported.status, reported.stderr).toBe(0);
  expect(reported.stderr).not.toMatch(/Only|did not train/);
  const { assessments, games: facts } = JSON.parse(readFileSync(at('kept.json'), 'utf8')) as ReportInput;
  expect(facts!.splits.map(({ name }) => name)).toEqual(['train', 'dev']);
  const page = readFileSync(at('page.html'), 'utf8');
  expect(page).toContain(
    'The questions after games come from probes.jsonl, the games for perplexity from games.uci.txt',
  );
  expect(assessments[0].subject).toMatchObject({ steps: summary.kept, planned: 240, trainGames: 108 });
  expect(assessments[0].sets.map(({ range, instances }) => [range, instances.length])).toEqual([['short', 2]]);

  const short = [...data, '--config', at('config.json'), '--steps', '2', '--patience', '1', '--engine', 'wasm'];
  const one = run(['train', ...short, '--out', at('short')]);
  expect(one.status, one.stderr).toBe(0);
  expect(one.stderr).toContain('--patience 1 changes nothing: one pass over the games takes 6 steps');
  expect(JSON.parse(one.stdout)).not.toHaveProperty('kept');

  const split = ['--split', 'train=0,dev=1', '--out', at('untrained')];
  expect(run(['prepare', at('games.uci.txt'), ...split]).status).toBe(0);
  const none = run(['train', '--data', at('untrained'), '--preset', 'nano', '--out', at('none')]);
  expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('there are no games to train on') });

  const again = run(['train', ...data, '--resume', '--patience', '3', '--out', at('run')]);
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('leave out --patience') });
});

it('goes on for longer than it was to be, where that is asked for', () => {
  const games = Array.from({ length: 60 }, (_, game) => gameOf(game, 12));
  writeFileSync(at('short.uci.txt'), games.join('\n') + '\n');
  const preset = presetNamed('plain')!.config;
  const config = {
    ...preset,
    model: { ...preset.model, layers: 1, width: 16, heads: 2, context: 64 },
    schedule: { ...preset.schedule, steps: 4 },
    evaluation: { every: 1000, games: 2, instances: 2 },
    batch: 4,
  };
  writeFileSync(at('short.json'), JSON.stringify(config));
  const train = (...more: string[]) =>
    run(['train', '--data', at('short.uci.txt'), '--out', at('longer'), '--engine', 'wasm', ...more]);
  expect(JSON.parse(train('--config', at('short.json')).stdout)).toMatchObject({ steps: 4 });
  const refused = train('--resume', '--steps', '4');
  expect(refused.stderr).toContain('the run is at step 4 already');
  expect(refused.status).toBe(2);
  expect(JSON.parse(train('--resume', '--steps', '6').stdout)).toMatchObject({ steps: 6 });
  const { config: kept } = JSON.parse(readFileSync(join(at('longer'), 'blindfold.json'), 'utf8'));
  expect(kept.schedule.steps).toBe(6);
});

it('takes the first weights from another model, adds the layers that it lacks, and says what does not fit', () => {
  const games = Array.from({ length: 60 }, (_, game) => gameOf(game, 12));
  writeFileSync(at('from.uci.txt'), games.join('\n') + '\n');
  const preset = presetNamed('plain')!.config;
  const config = (layers: number, width: number, seed: number) => ({
    ...{ ...preset, model: { ...preset.model, layers, width, heads: 2, context: 64 }, seed, batch: 4 },
    ...{ schedule: { ...preset.schedule, steps: 3 }, evaluation: { every: 1000, games: 2, instances: 2 } },
  });
  const train = (name: string, settings: object, ...more: string[]) => {
    writeFileSync(at(`${name}.json`), JSON.stringify(settings));
    return run([
      ...['train', '--data', at('from.uci.txt'), '--config', at(`${name}.json`), '--engine', 'wasm'],
      ...['--out', at(name), ...more],
    ]);
  };
  const { devPerplexity } = JSON.parse(train('shallow', config(1, 16, 1)).stdout);
  const deep = train('deep', config(3, 16, 2), '--from', at('shallow'));
  expect(deep.status, deep.stderr).toBe(0);
  // Split as the first run's games were, the deeper model is at first as good as it.
  expect(deep.stderr).toContain(`step 0: dev perplexity ${devPerplexity.toFixed(1)} a move`);
  expect(JSON.parse(readFileSync(join(at('deep'), 'blindfold.json'), 'utf8')).config).toMatchObject({
    model: { layers: 3 },
    data: { splitSeed: 1 },
  });
  const over = train('shallow', config(1, 16, 1), '--from', at('shallow'));
  expect(over).toMatchObject({ status: 1, stderr: expect.stringContaining('already holds a run') });
  for (const { name } of readdirSync(at('shallow'), { withFileTypes: true }))
    if (name.startsWith('checkpoint-')) rmSync(join(at('shallow'), name));
  const replaced = train('shallow', config(1, 16, 1), '--from', at('shallow'));
  expect(replaced).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('model.safetensors, blindfold.json, README.md, which this run'),
  });
  const wide = train('wide', config(3, 32, 2), '--from', at('shallow'));
  expect(wide).toMatchObject({ status: 1, stderr: expect.stringContaining('whose width is 16, and it wants 32') });
  const other = train('other', config(3, 16, 2), '--from', at('shallow'), '--notation', 'splat');
  expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining('which has other tokens') });
});
