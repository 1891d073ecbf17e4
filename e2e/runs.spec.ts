import type { Page } from '@playwright/test';
import { accessible, button, expect, open, quick, savedBy, test, textOf, trainToEnd } from './lab.ts';

async function train(page: Page, query: string): Promise<void> {
  await open(page, query);
  await trainToEnd(page);
}

/** The lines of a file that a menu saves. */
async function savedLines(page: Page, menu: string | RegExp, form: string): Promise<string[]> {
  await page.getByRole('button', { name: menu }).click();
  const download = await savedBy(page, button(page, form));
  return (await textOf(download)).trim().split(/\r?\n/);
}

test('runs are named, noted and tagged by keyboard, found, sorted and compared', async ({ page }) => {
  await train(page, quick);
  await train(page, `${quick}&seed=2`);
  await page.goto('/#/runs');
  const rows = page.locator('tbody tr');
  await expect(rows).toHaveCount(2);
  const [second, first] = await rows.locator('th').allTextContents();
  expect(second).toContain('seed 2');
  expect(first).toContain('seed 1');

  const editor = page.getByRole('form');
  await rows
    .nth(1)
    .getByRole('button', { name: /^Edit / })
    .press('Enter');
  await expect(editor.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await accessible(page);
  await page.keyboard.press('Escape');
  await expect(editor).toBeHidden();
  const edit = rows.nth(1).getByRole('button', { name: /^Edit / });
  await expect(edit).toBeFocused();
  await edit.press('Enter');
  await page.keyboard.type('The good one');
  await page.keyboard.press('Tab');
  await page.keyboard.type('thesis, small');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Before the change of seed');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(editor).toBeHidden();
  await expect(button(page, 'Edit The good one')).toBeFocused();

  await page.reload();
  await expect(page.getByText('Before the change of seed')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Tags of The good one' }).getByRole('listitem')).toHaveText([
    'thesis',
    'small',
  ]);
  await accessible(page);

  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('change SEED');
  await expect(rows).toHaveCount(1);
  await search.fill('no such run');
  await expect(page.getByText(/^No run is like that/)).toBeVisible();
  await button(page, 'Show all').click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('small');
  await expect(rows).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('');

  const byName = page.getByRole('columnheader', { name: 'Sort by run' });
  await button(page, 'Sort by run').press('Enter');
  await expect(byName).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.first()).not.toContainText('The good one');
  await button(page, 'Sort by run').press('Enter');
  await expect(byName).toHaveAttribute('aria-sort', 'descending');
  await expect(rows.first()).toContainText('The good one');

  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('step');
  await button(page, 'Edit The good one').click();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  await accessible(page);
  await button(page, 'Cancel').click();

  // A row's sparkline, the curves of both runs in one chart, and a run's numbers as files.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('img', { name: /^End legal.* from .* to / })).toHaveCount(2);
  await page.getByRole('checkbox', { name: /^Choose The good/ }).press('Space');
  await page.getByRole('checkbox', { name: /^Choose .*seed 2/ }).press('Space');
  await button(page, 'Compare curves (2)').press('Enter');
  const curves = page.getByRole('region', { name: 'Curves of the chosen runs' });
  const chart = curves.getByRole('slider');
  await expect(chart).toHaveAttribute('aria-valuetext', /The good one.*seed 2|seed 2.*The good one/);
  await expect(chart).toHaveAttribute('aria-valuemax', '60');
  await accessible(page);
  await curves.getByRole('radio', { name: 'Tokens' }).check();
  await expect(chart).toHaveAttribute('aria-label', /, tokens$/);
  await curves.getByRole('radio', { name: 'Every step' }).check();
  const csv = await savedLines(page, /^Save: Loss/, 'CSV');
  expect(csv.filter((row) => row.startsWith('The good one,'))).toHaveLength(60);
  await curves.getByRole('combobox', { name: 'Curve' }).selectOption({ label: 'Perplexity a move' });
  await expect(curves.getByRole('figure')).toContainText('Perplexity a move');
  const rowsOfRun = await savedLines(page, 'Save: numbers of The good one', 'CSV');
  expect(rowsOfRun[0]).toMatch(/^step,loss,perplexity,testbed /);
  expect(rowsOfRun.filter((row) => /^\d+,\d/.test(row))).toHaveLength(60);
  const json = JSON.parse((await savedLines(page, 'Save: numbers of The good one', 'JSON')).join('\n'));
  expect(json).toMatchObject({ record: { name: 'The good one' }, config: { domain: 'chess' }, curve: { step: 60 } });
  expect(json.evaluations.length).toBeGreaterThan(2);

  // Where else models are chosen, the run has its new name.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/#/probe');
  await expect(page.locator('option', { hasText: 'The good one, step 60' }).first()).toBeAttached();
});

test('a browser that refuses its storage is told of on the Runs page', async ({ page }) => {
  await page.route(/train\.worker[^/]*\.js/, async (route) => {
    const response = await route.fetch();
    const refusing = `Object.defineProperty(self, 'indexedDB', {
      value: { open() { throw new DOMException('The operation is insecure.', 'SecurityError'); } },
    });`;
    await route.fulfill({ response, body: `${refusing}\n${await response.text()}` });
  });
  await page.goto('/#/runs');
  await expect(page.getByText('The list of runs could not be read')).toBeVisible();
  await expect(page.getByText('Reading the list.')).toBeHidden();
  await expect(button(page, 'Try again')).toBeVisible();
  await accessible(page);
});
