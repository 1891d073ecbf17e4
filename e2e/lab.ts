import { expect, test as base, type Locator, type Page } from '@playwright/test';

const short =
  'model.width=32&schedule.steps=60&batch=2&evaluation.every=20&evaluation.games=4&evaluation.instances=8&checkpointEvery=10&data.limit=200';
/** A model of one layer that trains sixty steps in seconds, of a kind that counts its layers. */
export const small = `model.layers=1&${short}`;
/** The same of the default kind of model, with a gated unit as narrow as the rest of it. */
export const quick = `model.pattern=a&model.mlp=64&${short}`;

const moves = 'a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6'.split(' ');
/** A file of thirty games, three of them different. */
export const repeatedGames = {
  name: 'mine.uci.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from(Array.from({ length: 30 }, (_, i) => moves.slice(0, 10 + (i % 3)).join(' ')).join('\n')),
};

/** The numbers that the page shows of its run. */
export async function stepOf(page: Page): Promise<number> {
  const text = await page.getByRole('region', { name: 'Run', exact: true }).locator('dd').first().textContent();
  return Number((text ?? '').replace(/\D/g, ''));
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

export async function open(page: Page, query = ''): Promise<void> {
  await page.goto(query === '' ? '/' : `/?${query}`);
  await expect(button(page, 'Train')).toBeEnabled();
}

/** Unfolds the settings of the experiment. */
export async function openSettings(page: Page): Promise<void> {
  await button(page, 'Change').click();
}

/** The losses of the run on show from its chart's CSV, a line of step and loss each. */
export async function savedCurve(page: Page): Promise<string> {
  await page.getByRole('button', { name: /^Save: Loss/ }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').first().click()]);
  let text = '';
  for await (const chunk of await download.createReadStream()) text += chunk;
  const rows = text.split('\r\n').map((row) => row.split(','));
  return rows.flatMap(([series, step, loss]) => (series === 'loss' ? [`${step},${loss}`] : [])).join('\n');
}

/** Fails the test where the page logs an error of its own. */
export const test = base.extend({
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await use(page);
    expect(errors).toEqual([]);
  },
});

export { expect };
