import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { button, expect, quick, test } from './lab.ts';

const runs = quick.replace('schedule.steps=60', 'schedule.steps=120');

async function rowsOf(page: Page, table: RegExp): Promise<number> {
  return page.getByRole('table', { name: table }).locator('tbody tr').count();
}

async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([]);
}

test('a sweep survives a reload, and its runs fill the tables as they finish', async ({ page }) => {
  await page.goto(`/?${runs}#/compare`);
  await expect(button(page, 'Queue these 2 runs')).toBeEnabled();
  await accessible(page);
  await page.getByText(/^Measured on/).click();
  await page.getByLabel('Positions for each').fill('6');
  await page.getByLabel('Games for perplexity').fill('4');
  await button(page, 'Queue these 2 runs').click();

  const queue = page.getByRole('region', { name: /^Sweep,/ });
  await expect(queue.getByRole('listitem')).toHaveCount(2);
  // Beyond its first checkpoints, so that the reload cuts it off in the middle.
  await expect(queue.getByText(/step ([4-9]\d|1\d\d) of 120/)).toBeVisible({ timeout: 60_000 });
  await page.reload();
  await expect(queue.getByText(/step ([3-9]\d|1\d\d) of 120/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('was interrupted')).toHaveCount(0);

  const perplexity = page.getByRole('table', { name: /perplexity/i });
  await expect(perplexity.locator('tbody tr')).toHaveCount(1, { timeout: 120_000 });
  await expect(queue.getByText('All runs are done.')).toBeVisible({ timeout: 120_000 });
  await expect(perplexity.locator('tbody tr')).toHaveCount(2);
  expect(await rowsOf(page, /^Table 6/)).toBeGreaterThanOrEqual(2);
  await accessible(page);

  await page.goto('/#/runs');
  await expect(page.getByRole('row').filter({ hasText: 'finished' })).toHaveCount(2);
  await page.goto('/#/compare');
  await page.getByRole('button', { name: /^Save: .*perplexity/i }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').first().click()]);
  let csv = '';
  for await (const chunk of await download.createReadStream()) csv += chunk;
  expect(csv.trim().split('\r\n')).toHaveLength(3);

  await page
    .getByRole('button', { name: /Show its positions$/ })
    .first()
    .click();
  const answers = page.getByRole('region', { name: 'Positions behind the number' });
  await expect(answers.getByRole('img').first()).toBeVisible();
  await accessible(page);
  await answers.getByRole('listitem').first().getByRole('button').click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).not.toHaveValue('');
});

test('opened anew, the page asks before it goes on with a sweep', async ({ context }) => {
  const first = await context.newPage();
  await first.goto(`/?${quick.replace('schedule.steps=60', 'schedule.steps=4000')}#/compare`);
  await button(first, 'Queue these 2 runs').click();
  await expect(first.getByText(/step \d\d of 4,000/)).toBeVisible({ timeout: 60_000 });
  await first.close();

  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByText(/A sweep was begun earlier/)).toBeVisible();
  await button(second, 'Continue the sweep').first().click();
  await expect(second.getByText(/step \d+ of 4,000/)).toBeVisible({ timeout: 60_000 });
  await button(second, 'Pause the sweep').click();
  await expect(second.getByText(/^Paused/)).toBeVisible({ timeout: 30_000 });
});
