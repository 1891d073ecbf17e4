/**
 * What a visitor gets who opens the built page, presses Train and waits: how soon the page is there and answers, scores as
 * they rise, how smoothly the page goes on meanwhile, and how fast it answers prompts then. A JSON line each.
 *
 *   npm run build && npm run bench:page -- [--seconds 120] [--preset nano] [--seed 1]
 *
 * Without a preset the page chooses for the device, as it does for a visitor who waits until it has.
 */
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { chromiumFlags, ensureChromium } from '../scripts/chromium.mjs';
import type { RunRecord } from '../workers/train/protocol.ts';
import { median } from './interleave.ts';
import { framesOf, noteFrames } from './page-frames.ts';
import { opening, percentile, promptsWhileTraining } from './page-latency.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '120' }, preset: { type: 'string' }, seed: { type: 'string' } },
});
const seconds = Number(values.seconds);
const print = (row: object): void => console.log(JSON.stringify(row));

const server = await preview({ preview: { port: 4188, strictPort: true }, logLevel: 'error' });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, serviceWorkers: 'block' });
print({
  opening: await opening(
    page,
    `http://localhost:4188/${values.preset === undefined ? '' : `?preset=${values.preset}`}`,
  ),
});
// The page tries the device for about a second and puts what it chooses in its address.
if (values.preset === undefined)
  await page.waitForFunction(() => location.search !== '', undefined, { timeout: 20_000 });
if (values.seed !== undefined) {
  const { search } = new URL(page.url());
  await page.goto(`http://localhost:4188/${search}${search === '' ? '?' : '&'}seed=${values.seed}`);
}
const train = page.getByRole('button', { name: 'Train', exact: true });
await train.click();
const pressed = performance.now();
await noteFrames(page);

/** The newest run as the page's own list has it. */
const newest = () =>
  page.evaluate(
    () =>
      new Promise<RunRecord | null>((resolve) => {
        const opening = indexedDB.open('blindfold');
        opening.onsuccess = () => {
          const database = opening.result;
          const reading = database.transaction('runs').objectStore('runs').getAll();
          reading.onsuccess = () => {
            const runs = reading.result as RunRecord[];
            database.close();
            resolve(runs.sort((a, b) => b.createdAt - a.createdAt)[0] ?? null);
          };
        };
        opening.onerror = () => resolve(null);
      }),
  );

/** When each evaluation appeared on the page; the list of runs has it only with the next checkpoint. */
const shown: number[] = [];
let perplexity = '';
const seen = async (): Promise<void> => {
  const text = await page.getByRole('region', { name: 'Run', exact: true }).locator('dd').nth(2).innerText();
  if (text === perplexity || !/\d/.test(text)) return;
  perplexity = text;
  shown.push(Math.round((performance.now() - pressed) / 1000));
};

let reportedStep = -1;
while (performance.now() - pressed < seconds * 1000) {
  await page.waitForTimeout(500);
  await seen();
  const run = await newest();
  const evaluation = run?.evaluation;
  if (!evaluation || evaluation.step === reportedStep) continue;
  if (reportedStep < 0) {
    const { config, parameters } = run;
    print({ parameters, batch: config.batch, steps: config.schedule.steps });
  }
  reportedStep = evaluation.step;
  const { testbed } = evaluation.scores;
  const legal = (task: 'end' | 'start') =>
    ['short', 'long'].map((range) => Number((testbed?.[`${task}-legal-${range}`].mean ?? 0).toFixed(2)));
  print({
    second: shown.shift() ?? null,
    step: evaluation.step,
    devPerplexity: Number(evaluation.devPerplexity.toFixed(1)),
    endLegal: legal('end'),
    startLegal: legal('start'),
  });
}
const gaps = await framesOf(page);
print({
  frames: gaps.length + 1,
  framesPerSecond: Number(((1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0)).toFixed(1)),
  medianGap: Number(median(gaps).toFixed(1)),
  p99Gap: Number(percentile(gaps, 99).toFixed(1)),
  gapsOver100ms: gaps.filter((gap) => gap > 100).length,
});
print({ promptsWhileTraining: await promptsWhileTraining(page) });
await browser.close();
await server.close();
process.exit();
