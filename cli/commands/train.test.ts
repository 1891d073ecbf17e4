import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { presetNamed } from '../../src/config/presets.ts';
import { Position } from '../../src/domains/chess/position.ts';
import { uciOf } from '../../src/domains/chess/uci.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'blindfold-train-'));
const at = (name: string) => join(folder, name);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function blindfold(args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** A game of random legal moves as UCI text. */
function randomGame(game: number, plies: number): string {
  const random = seededRandom('train command', game);
  const position = Position.initial();
  const line: string[] = [];
  while (line.length < plies) {
    const legal = position.legalMoves();
    if (legal.length === 0) break;
    const move = legal[random.below(legal.length)];
    line.push(uciOf(move));
    position.play(move);
  }
  return line.join(' ');
}

it('trains an oracle model by epochs towards all valid tokens, ends early with the best, and measures it', () => {
  const games = Array.from({ length: 120 }, (_, game) => randomGame(game, 16 + (game % 30)));
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
  const trained = blindfold(['train', ...data, '--config', at('config.json'), ...settings, '--out', at('run')]);
  expect(trained.status, trained.stderr).toBe(0);
  const summary = JSON.parse(trained.stdout) as { steps: number; kept: number; devPerplexity: number };
  // 108 training games in batches of twenty: six steps an epoch.
  expect(summary.steps % 6).toBe(0);
  expect(summary.steps).toBeLessThan(240);
  expect(summary.kept).toBe(summary.steps - 6);
  const [words] = /dev perplexity .* is kept/.exec(trained.stderr)!;
  expect(words).toMatch(new RegExp(`in epoch ${summary.steps / 6}; epoch ${summary.kept / 6} is kept`));
  expect(readdirSync(at('run'))).toContain(`checkpoint-${String(summary.kept).padStart(9, '0')}.safetensors`);

  // Thirty plies with names are ninety tokens; sixty do not fit.
  writeFileSync(at('test.uci.txt'), [randomGame(500, 30), randomGame(501, 30), randomGame(502, 60)].join('\n') + '\n');
  const measured = blindfold(['perplexity', '--model', at('run'), '--games', at('test.uci.txt'), '--engine', 'wasm']);
  expect(measured.status, measured.stderr).toBe(0);
  expect(JSON.parse(measured.stdout)).toMatchObject({ games: 2, moves: 62 });
  expect(measured.stderr).toContain("One game is longer than the model's context of 160 tokens and left out.");

  const again = blindfold(['train', ...data, '--resume', '--patience', '3', '--out', at('run')]);
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('leave out --patience') });
});
