import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { button, expect, open, quick, test } from './lab.ts';

async function train(page: Page, query: string): Promise<void> {
  await open(page, query);
  await button(page, 'Train').click();
  await expect(page.getByText(/^Finished/)).toBeVisible({ timeout: 60_000 });
}

async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([]);
}

test('runs are named, noted and tagged by keyboard, found and sorted', async ({ page }) => {
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
  await expect(page.getByText('Before the change of seed')).toBeVisible({ timeout: 20_000 });
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

  // Where else models are chosen, the run has its new name.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/#/probe');
  await expect(page.locator('option', { hasText: 'The good one, step 60' }).first()).toBeAttached();
});
