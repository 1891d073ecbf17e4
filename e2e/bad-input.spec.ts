import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { seededRandom } from '../src/base/random.ts';
import { randomGame as randomPlay } from '../src/domains/chess/rules/random-game.ts';
import { uciLine } from '../src/domains/chess/replay.ts';
import { button, damageStoredRun, expect, open, quick, stepOf, test } from './lab.ts';

test('a damaged shard is named, and the lab trains on the rest', async ({ page }) => {
  await page.route('**/train-00000.parquet', (route) =>
    route.fulfill({ body: Buffer.from('PAR1 this is no shard PAR1') }),
  );
  await open(page, quick);
  await button(page, 'Train').click();
  await expect(page.getByText(/train-00000\.parquet/)).toBeVisible();
  await expect.poll(() => stepOf(page)).toBe(60);
});

test('files that are no games, or broken ones, are refused with a reason; the good games among bad ones are kept', async ({
  page,
}) => {
  await page.goto('/#/data');
  const files = page.locator('input[type=file]');
  const games = Array.from({ length: 150 }, (_, i) => randomGame(i));
  const cases: [string, Buffer, RegExp][] = [
    ['empty.pgn', Buffer.alloc(0), /None of the \d+ games read was kept/i],
    ['cut.uci.txt.gz', gzipSync(games.join('\n')).subarray(0, 200), /cut\.uci\.txt\.gz: .*cut off/i],
    ['cut.uci.txt.zst', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0xff, 0x10]), /cut\.uci\.txt\.zst: .*cut off/i],
    ['picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4]), /does not look like games/i],
  ];
  for (const [name, buffer, expected] of cases) {
    await files.setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
    await expect(page.getByText(expected).first()).toBeVisible();
  }
  const mixed = [...games.slice(0, 3), 'e2e4 e7e5 e1e3', ...games.slice(3)].join('\n');
  await files.setInputFiles({ name: 'mine.uci.txt', mimeType: 'text/plain', buffer: Buffer.from(mixed) });
  const report = page.getByRole('region', { name: 'Import report' });
  await expect(report).toContainText(/line 4/);
  await expect(report).toContainText(/ply 3/i);
  await expect(page.getByRole('article', { name: /mine/ })).toBeVisible();
});

test('a full disk is told; training goes on', async ({ page, context }) => {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=100000'));
  await button(page, 'Train').click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(3);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: 1 });
  await expect(page.getByText(/storage is full|no room/i).first()).toBeVisible();
  const step = await stepOf(page);
  await expect.poll(() => stepOf(page)).toBeGreaterThan(step + 20);
});

test('where WebGPU is only an emulation the page chooses WASM and says why; the choice is free', async ({ page }) => {
  await open(page);
  const device = button(page, 'Device');
  await expect(device).toContainText('WASM');
  await device.click();
  await expect(page.getByText(/emulat|software|not offered/i).first()).toBeVisible();
  await page.getByRole('radio', { name: /^CPU/ }).first().check();
  await page.keyboard.press('Escape');
  await expect(device).toContainText('CPU');
});

/** A game of 12 plies that differs with i. */
function randomGame(i: number): string {
  const files = 'abcdefgh';
  const white = [...files].map((file) => `${file}2${file}3`);
  const black = [...files].map((file) => `${file}7${file}6`);
  const rotate = (list: string[], by: number): string[] => list.map((_, k) => list[(k + by) % list.length]);
  const [w, b] = [rotate(white, i % 8), rotate(black, (i >> 3) % 8)];
  if (i & 64) [w[0], w[1]] = [w[1], w[0]];
  if (i & 128) [b[0], b[1]] = [b[1], b[0]];
  return Array.from({ length: 6 }, (_, k) => `${w[k]} ${b[k]}`).join(' ');
}

/** Resumes the newest run, which goes beyond the step that it had reached. */
async function goesOn(page: Page): Promise<void> {
  const reached = await stepOf(page);
  await page
    .getByRole('button', { name: /^Resume/ })
    .first()
    .click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(reached + 20);
}

test('a worker that dies in mid-run is told; the run resumes from its checkpoint', async ({ page }) => {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=100000'));
  await button(page, 'Train').click();
  await expect(page.getByText(/Saved at step [1-9]/)).toBeVisible();
  const worker = page.workers().find((candidate) => candidate.url().includes('train.worker'))!;
  await worker.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('the device was lost');
      }),
  );
  await expect(page.getByText(/the device was lost/)).toBeVisible();
  await goesOn(page);
});

test('a run on games from a file outlives the worker that read them, and resumes on the same', async ({ page }) => {
  await page.goto('/#/data');
  const random = seededRandom('games from a file');
  const games = Array.from({ length: 250 }, () => uciLine(randomPlay(random, 80))).join('\n');
  const file = { name: 'mine.uci.txt', mimeType: 'text/plain', buffer: Buffer.from(games) };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByRole('article', { name: /mine/ })).toBeVisible();
  await open(page, `${quick.replace('schedule.steps=60', 'schedule.steps=100000')}&data.games=mine-uci-txt`);
  await button(page, 'Train').click();
  await expect(page.getByText(/Saved at step [1-9]/)).toBeVisible();
  const worker = page.workers().find((candidate) => candidate.url().includes('data.worker'))!;
  await worker.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('out of memory');
      }),
  );
  await expect(page.getByText(/Reading games stopped unexpectedly/)).toBeVisible();
  const step = await stepOf(page);
  await expect.poll(() => stepOf(page)).toBeGreaterThan(step + 20);
  await button(page, 'Stop').click();
  await expect(page.getByText(/^Stopped and saved/)).toBeVisible();
  await goesOn(page);
});

test('a run of another version is kept, and shown with a reason', async ({ page }) => {
  await open(page, quick);
  await button(page, 'Train').click();
  await expect(page.getByText(/^Finished/)).toBeVisible();
  await damageStoredRun(page, { version: 99 });
  // Of another version throughout: its checkpoint cannot be used either.
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry('runs', { recursive: true }));
  await page.goto('/#/runs');
  await page.reload();
  await expect(page.getByText(/version 99/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Delete / })).toBeVisible();
});
