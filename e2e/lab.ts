import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { expect, test as base, type Download, type Locator, type Page } from '@playwright/test';

const short =
  'model.width=32&schedule.steps=60&batch=2&evaluation.every=20&evaluation.games=4&evaluation.instances=8&checkpointEvery=10&data.limit=200';
/** A model of one layer that trains sixty steps in seconds, of a kind that counts its layers. */
export const small = `model.layers=1&${short}`;
/** The same of the default kind of model, with a gated unit as narrow as the rest of it. */
export const quick = `model.pattern=a&model.mlp=64&${short}`;

const moves = 'a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6'.split(' ');
/** A file of thirty games, three of them different. */
export const repeatedGames = gamesFile(
  Array.from({ length: 30 }, (_, i) => moves.slice(0, 10 + (i % 3)).join(' ')).join('\n'),
);

/** The numbers that the page shows of its run. */
export async function stepOf(page: Page): Promise<number> {
  const text = await page.getByRole('region', { name: 'Run', exact: true }).locator('dd').first().textContent();
  return Number((text ?? '').replace(/\D/g, ''));
}

/** The button of exactly this name, or of one that the expression finds. */
export function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole('button', { name, exact: true });
}

export async function open(page: Page, query = ''): Promise<void> {
  await page.goto(query === '' ? '/' : `/?${query}`);
  await expect(button(page, 'Train')).toBeEnabled();
}

/** Presses Train and waits for the end of the run. */
export async function trainToEnd(page: Page): Promise<void> {
  await button(page, 'Train').click();
  await expect(page.getByText(/^Finished/)).toBeVisible();
}

/** Presses Stop and waits until the run is stored. */
export async function stop(page: Page): Promise<void> {
  await button(page, 'Stop').click();
  await expect(page.getByText(/^Stopped and saved/)).toBeVisible();
}

/** Unfolds the settings of the experiment. */
export async function openSettings(page: Page): Promise<void> {
  await button(page, 'Change').click();
}

/** A file as a control for files takes it. */
export function asFile(name: string, content: string | Uint8Array, mimeType = 'application/octet-stream') {
  return { name, mimeType, buffer: Buffer.from(content as string) };
}

/** Lines of moves as a file. */
export function gamesFile(lines: string) {
  return asFile('mine.uci.txt', lines, 'text/plain');
}

/** A file of the shipped model of chess as it lies in the project. */
export const shippedFile = (name: string): Buffer =>
  readFileSync(new URL(`../public/checkpoints/chess/${name}`, import.meta.url));

/** The files that it opens from. */
export const shippedModel = () =>
  ['model.safetensors', 'config.json', 'blindfold.json'].map((name) => asFile(name, shippedFile(name)));

/** The file that a press of a button saves. */
export async function savedBy(page: Page, control: Locator): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), control.click()]);
  return download;
}

/** Opens a table or figure by its line in the index of the Compare page. */
export async function openInIndex(page: Page, title: RegExp): Promise<void> {
  const index = page.getByRole('navigation', { name: 'Tables and figures' });
  await index.getByRole('listitem').filter({ hasText: title }).getByRole('link').click();
}

/** Has a worker of the page die of an error. */
export async function breakWorker(page: Page, name: string, message: string): Promise<void> {
  const worker = page.workers().find((candidate) => candidate.url().includes(`${name}.worker`))!;
  await worker.evaluate((words) => {
    setTimeout(() => {
      throw new Error(words);
    });
  }, message);
}

/** The middle of a square of the board on show. */
export async function centreOf(page: Page, square: string): Promise<[number, number]> {
  const box = (await page.getByRole('grid', { name: 'Board' }).boundingBox())!;
  const file = square.charCodeAt(0) - 97;
  return [box.x + ((file + 0.5) * box.width) / 8, box.y + ((8 - Number(square[1]) + 0.5) * box.height) / 8];
}

/** Drags a piece from the first square over the others to the last. */
export async function drag(page: Page, first: string, ...others: string[]): Promise<void> {
  await page.mouse.move(...(await centreOf(page, first)));
  await page.mouse.down();
  for (const square of others) await page.mouse.move(...(await centreOf(page, square)), { steps: 4 });
  await page.mouse.up();
}

export const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path());
export const textOf = async (download: Download): Promise<string> => (await bytesOf(download)).toString();

/**
 * Damages the first run in the list as the browser stores it: its config gets other fields, or is lost where that is
 * null, or the whole row is where it is 'lost'.
 */
export async function damageStoredRun(page: Page, config: object | null | 'lost'): Promise<void> {
  await page.evaluate(
    (config) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('blindfold');
        opening.onerror = () => reject(new Error('no list'));
        opening.onsuccess = () => {
          const store = opening.result.transaction('runs', 'readwrite').objectStore('runs');
          const all = store.getAll();
          all.onsuccess = () => {
            const row = all.result[0] as { id: string; config: object | null };
            const changed =
              config === 'lost'
                ? store.delete(row.id)
                : store.put({ ...row, config: config && { ...row.config, ...config } });
            changed.onsuccess = () => resolve();
          };
        };
      }),
    config,
  );
}

/** The losses of the run on show from its chart's CSV, a line of step and loss each. */
export async function savedCurve(page: Page): Promise<string> {
  await button(page, /^Save: Loss/).click();
  const rows = (await textOf(await savedBy(page, button(page, 'CSV').first())))
    .split('\r\n')
    .map((row) => row.split(','));
  return rows.flatMap(([series, step, loss]) => (series === 'loss' ? [`${step},${loss}`] : [])).join('\n');
}

/**
 * Fails where axe finds something wrong with the page, by rule and place. The page has no frames: without axe's way into
 * those, which loads it into a second page, and without what it says of all that is right, this takes a fifth of the time.
 */
export async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([]);
}

/** How fast a device is that has been tried before (src/ui/session/experiment/estimate.ts). */
const tried = [
  'blindfold.model-operations-a-second',
  JSON.stringify({ 'wasm lfm2': 4e10, 'wasm gpt2': 4e10 }),
] as const;

/** Fails the test where the page logs an error of its own, or where it or a worker does what its policy forbids. */
export const test = base.extend<{ tried: boolean; attacked: boolean }>({
  /** Whether the page takes the device for one that it has tried, which it does for a second where it has not. */
  tried: [true, { option: true }],
  /** Whether the test itself does what the policy forbids. */
  attacked: [false, { option: true }],
  context: async ({ context, tried: isTried }, use) => {
    if (isTried)
      await context.addInitScript(([name, value]) => {
        try {
          localStorage.setItem(name, value);
        } catch {
          // A page without an address has no storage.
        }
      }, tried);
    await use(context);
  },
  page: async ({ page, attacked }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      const forbidden = /Content Security Policy|Permissions-Policy|Refused to/i.test(message.text());
      if (forbidden && !attacked) errors.push(message.text());
    });
    await use(page);
    expect(errors).toEqual([]);
  },
});

export { expect };
