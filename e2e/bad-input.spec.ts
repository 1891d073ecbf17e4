import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { gameLines } from '../fixtures/given-games.ts';
import {
  asFile,
  breakWorker,
  button,
  damageStoredRun,
  expect,
  gamesFile,
  open,
  quick,
  stepOf,
  stop,
  test,
  trainToEnd,
} from './lab.ts';

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
  const games = gameLines(150, 'games among bad ones', 80).split('\n');
  const cases: [string, Buffer, RegExp][] = [
    ['empty.pgn', Buffer.alloc(0), /None of the \d+ games read was kept/i],
    ['cut.uci.txt.gz', gzipSync(games.join('\n')).subarray(0, 200), /cut\.uci\.txt\.gz: .*cut off/i],
    ['cut.uci.txt.zst', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0xff, 0x10]), /cut\.uci\.txt\.zst: .*cut off/i],
    ['picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4]), /does not look like games/i],
  ];
  for (const [name, buffer, expected] of cases) {
    await files.setInputFiles(asFile(name, buffer));
    await expect(page.getByText(expected).first()).toBeVisible();
  }
  const mixed = [...games.slice(0, 3), 'e2e4 e7e5 e1e3', ...games.slice(3)].join('\n');
  await files.setInputFiles(gamesFile(mixed));
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

/** Resumes the newest run, which goes beyond the step that it had reached. */
async function goesOn(page: Page): Promise<void> {
  const reached = await stepOf(page);
  await button(page, /^Resume/)
    .first()
    .click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(reached + 20);
}

test('a worker that dies in mid-run is told; the run resumes from its checkpoint', async ({ page }) => {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=100000'));
  await button(page, 'Train').click();
  await expect(page.getByText(/Saved at step [1-9]/)).toBeVisible();
  await breakWorker(page, 'train', 'the device was lost');
  await expect(page.getByText(/the device was lost/)).toBeVisible();
  await goesOn(page);
});

test('a run on games from a file outlives the worker that read them, and resumes on the same', async ({ page }) => {
  await page.goto('/#/data');
  await page.locator('input[type=file]').setInputFiles(gamesFile(gameLines(250, 'games from a file', 80)));
  await expect(page.getByRole('article', { name: /mine/ })).toBeVisible();
  await open(page, `${quick.replace('schedule.steps=60', 'schedule.steps=100000')}&data.games=mine-uci-txt`);
  await button(page, 'Train').click();
  await expect(page.getByText(/Saved at step [1-9]/)).toBeVisible();
  await breakWorker(page, 'data', 'out of memory');
  await expect(page.getByText(/Reading games stopped unexpectedly/)).toBeVisible();
  const step = await stepOf(page);
  await expect.poll(() => stepOf(page)).toBeGreaterThan(step + 20);
  await stop(page);
  await goesOn(page);
});

test('a run of another version is kept, and shown with a reason', async ({ page }) => {
  await open(page, quick);
  await trainToEnd(page);
  await damageStoredRun(page, { version: 99 });
  // Of another version throughout: its checkpoint cannot be used either.
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry('runs', { recursive: true }));
  await page.goto('/#/runs');
  await page.reload();
  await expect(page.getByText(/version 99/)).toBeVisible();
  await expect(button(page, /^Delete /)).toBeVisible();
});
