/**
 * What a page costs that trains for long: heap, memory, answers and frames, a row for each tenth of the time. JSON on
 * standard output, the same as a table on standard error. Memory that grows from row to row is a leak.
 *
 *   npm run build && npm run soak -- [--minutes 60] [--preset nano] [--out soak.json]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { preview } from 'vite';
import { chromiumFlags, ensureChromium } from '../scripts/chromium.mjs';
import { median } from './interleave.ts';
import { framesOf, lostFrames, noteFrames } from './page-frames.ts';
import { answerTime, percentile } from './page-latency.ts';

const ROWS = 10;
const MB = 1e6;

interface Row {
  minute: number;
  step: number;
  /** Megabytes: the page thread's JavaScript; everything of the page and its workers; the browser's process. */
  heap: number;
  memory: number | null;
  process: number | null;
  prompts: number;
  /** Milliseconds to a painted answer. */
  median: number;
  p95: number;
  p99: number;
  frames: number;
  lost: number;
  longestGap: number;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    preset: { type: 'string', default: 'nano' },
    out: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes}: give a number above 0`);

const server = await preview({ preview: { port: 0 }, logLevel: 'error' });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const faults: string[] = [];
page.on('pageerror', (error) => faults.push(error.message));
page.on('crash', () => faults.push('the page crashed'));
const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable');
const processes = await browser.newBrowserCDPSession();

await page.goto(`${server.resolvedUrls!.local[0]}?preset=${values.preset}&schedule.steps=1000000`);
await page.getByRole('button', { name: 'Train', exact: true }).click();
await page.locator('[aria-label="Run"] dd').first().filter({ hasText: /\d/ }).waitFor();
// The first answer waits for the model that is being made.
await answerTime(page, 0);
await noteFrames(page);

const rows: Row[] = [];
const began = performance.now();
let asked = 0;
for (let row = 1; row <= ROWS; row++) {
  const end = began + (row * minutes * 60_000) / ROWS;
  // It waits for a collection of garbage, some twenty seconds.
  const memory = memoryOf(page);
  const times: number[] = [];
  while (performance.now() < end) {
    const next = performance.now() + 1000;
    times.push(await answerTime(page, asked++));
    await page.waitForTimeout(Math.max(0, next - performance.now()));
  }
  const gaps = await framesOf(page);
  rows.push({
    minute: Number(((performance.now() - began) / 60_000).toFixed(1)),
    step: await stepOf(page),
    heap: await heapOf(),
    memory: await memory,
    process: await residentOf(),
    prompts: times.length,
    median: Math.round(median(times)),
    p95: Math.round(percentile(times, 95)),
    p99: Math.round(percentile(times, 99)),
    frames: gaps.length,
    lost: lostFrames(gaps),
    longestGap: Math.round(Math.max(...gaps)),
  });
  if (row === 1) tell(Object.keys(rows[0]));
  tell(Object.values(rows.at(-1)!));
}
const result = JSON.stringify({ minutes, preset: values.preset, faults, rows }, null, 2);
console.log(result);
if (values.out !== undefined) writeFileSync(values.out, `${result}\n`);
await browser.close();
await server.close();
process.exit(faults.length > 0 ? 1 : 0);

/** A line of the table. */
function tell(cells: readonly unknown[]): void {
  console.error(cells.map((cell) => String(cell ?? '-').padStart(11)).join(''));
}

async function stepOf(page: Page): Promise<number> {
  const text = await page.getByRole('region', { name: 'Run', exact: true }).locator('dd').first().innerText();
  return Number(text.replace(/\D/g, ''));
}

async function heapOf(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN;
  return Number((used / MB).toFixed(1));
}

/** The page with its workers, as the browser counts it; null where it does not answer in half a minute. */
async function memoryOf(page: Page): Promise<number | null> {
  const bytes: number | null = await page.evaluate(`Promise.race([
    performance.measureUserAgentSpecificMemory?.().then(({ bytes }) => bytes) ?? null,
    new Promise((resolve) => setTimeout(resolve, 30000, null)),
  ])`);
  return bytes === null ? null : Math.round(bytes / MB);
}

/** The largest of the browser's renderers, where the system says (Linux). */
async function residentOf(): Promise<number | null> {
  const { processInfo } = await processes.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      try {
        return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024;
      } catch {
        return NaN;
      }
    })
    .filter((size) => !Number.isNaN(size));
  return sizes.length === 0 ? null : Math.round(Math.max(...sizes) / MB);
}
