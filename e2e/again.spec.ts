import type { Page } from '@playwright/test';
import { button, expect, open, openInIndex, test } from './lab.ts';

const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });

/** Goes to every page, and on Probe to every tab. */
async function visitAll(page: Page, tabs: readonly string[]): Promise<void> {
  for (const name of ['Train', 'Probe', 'Compare', 'Runs', 'Data']) {
    await link(page, name).click();
    await expect(link(page, name)).toHaveAttribute('aria-current', 'page');
    if (name === 'Compare') await expect(page.getByRole('heading', { name: 'Compare' })).toBeVisible();
    if (name !== 'Probe') continue;
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await expect(page.getByRole('tabpanel')).not.toBeEmpty();
    }
  }
}

test('every page still works when one comes back to it', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // These tests run without the service worker (playwright.config.ts), of which the browser tells.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('blocked by Playwright'))
      complaints.push(message.text());
  });
  await open(page);
  await link(page, 'Probe').click();
  await page.getByRole('spinbutton', { name: 'Positions of each kind' }).fill('20');
  await page.getByRole('spinbutton', { name: 'Games for perplexity' }).fill('2');
  await button(page, 'Ask').click();
  await expect(page.getByRole('table', { name: /^Table 6/ })).toBeVisible();

  const tabs = [
    'Chess testbed',
    'Board',
    'What if',
    'Playing alone',
    'Under attack',
    'Strength',
    'Two ways to one position',
  ];
  await visitAll(page, tabs);
  await visitAll(page, tabs);
  // What was asked before is still there, and still follows what is chosen.
  await link(page, 'Probe').click();
  await page.getByRole('tab', { name: 'Chess testbed' }).click();
  await page.getByRole('radio', { name: 'Errors', exact: true }).check();
  await expect(page.getByRole('table', { name: /^Table 12/ })).toBeVisible();

  await link(page, 'Compare').click();
  const stored = page.getByText(/^Measured models/);
  await expect(stored).toHaveText('Measured models, 1 of 5 in the tables');
  const model = page.locator('details li').getByRole('checkbox').last();
  await model.uncheck();
  await expect(stored).toHaveText('Measured models, 0 of 5 in the tables');
  await model.check();
  await expect(stored).toHaveText('Measured models, 1 of 5 in the tables');
  await openInIndex(page, /Table 6$/);
  await expect(page.getByRole('table', { name: /^Table 6/ })).toBeVisible();

  await page.getByRole('combobox', { name: 'Game' }).selectOption('baseball');
  // No model of baseball ships, so that there are no tabs.
  await visitAll(page, []);
  await visitAll(page, []);
  expect(complaints).toEqual([]);
});
