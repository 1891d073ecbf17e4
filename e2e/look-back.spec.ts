import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { button, expect, open, quick, test } from './lab.ts';

const query = `${quick}&schedule.steps=400&evaluation.every=100&evaluation.instances=20&batch=8`;

/** What the list of answers says now. */
async function answer(page: Page): Promise<string> {
  return (await page.locator('ol[data-prompt]').innerText()).replace(/\s+/g, ' ');
}

async function train(page: Page): Promise<Locator> {
  await open(page, query);
  await button(page, 'Train').click();
  await expect(page.getByText(/^Finished/)).toBeVisible({ timeout: 120_000 });
  return page.getByRole('slider', { name: 'Look back' });
}

test('a slider takes every view back to what the model knew at a step, which the address names', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText(/of snapshots/)).toBeVisible();
  const slider = await train(page);
  await expect(slider).toHaveAttribute('aria-valuetext', 'Now, step 400');
  await expect(page.getByText(/\d+ steps stored, \d+ [kM]B/)).toBeVisible();
  const heading = page.getByRole('heading', { level: 1 });
  const played = page.getByText(/plies legal, at step \d+/);
  await expect.poll(() => answer(page)).not.toBe('');
  const now = await answer(page);

  // By keyboard: the end is now, one back is the newest step that is stored.
  await slider.focus();
  await slider.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', 'After step 300 of 400');
  await expect(page).toHaveURL(/#\/train&run=[^&]+&step=300$/);
  await expect(heading).toHaveText(/^After step 300 of 400:/);
  await expect(page.getByText('What it knew after step 300 of 400.')).toBeVisible();
  await expect(played).toContainText('at step 300', { timeout: 20_000 });
  await slider.press('Home');
  await expect(heading).toHaveText(/^After step 0 of 400:/);
  await expect.poll(() => answer(page)).not.toBe(now);
  await expect(page.getByRole('list', { name: 'Milestones' })).not.toContainText('since step');
  await slider.press('ArrowRight');
  await slider.press('ArrowRight');
  const words = 'After step 5 of 400';
  await expect(slider).toHaveAttribute('aria-valuetext', words);
  await expect(page).toHaveURL(/&step=5$/);
  await expect(page.getByText(/on legal answers, at step 5\.$/)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('plies legal, at step 5.')).toBeVisible({ timeout: 20_000 });
  const past = await answer(page);
  expect(past).not.toBe(now);
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);

  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuetext', words, { timeout: 30_000 });
  await expect(heading).toContainText(words);
  await expect.poll(() => answer(page), { timeout: 20_000 }).toBe(past);
  await button(page, 'Back to now').click();
  await expect(slider).toHaveAttribute('aria-valuetext', 'Now, step 400');
  await expect.poll(() => answer(page)).toBe(now);
  await expect(page).toHaveURL(/#\/train&run=[^&]+$/);
});

test('one looks back while the model trains on', async ({ page }) => {
  await open(page, query.replace('schedule.steps=400', 'schedule.steps=100000'));
  await button(page, 'Train').click();
  const slider = page.getByRole('slider', { name: 'Look back' });
  await expect(slider).toBeVisible({ timeout: 60_000 });
  await slider.focus();
  await slider.press('Home');
  await expect(page.getByText('What it knew after step 0 of 100,000.')).toBeVisible();
  const past = await answer(page);
  await expect(page.getByText(/Saved at step [1-9]\d+/)).toBeVisible({ timeout: 60_000 });
  const title = await page.title();
  await expect
    .poll(() =>
      page
        .getByText(/steps of 100,000/)
        .first()
        .innerText(),
    )
    .not.toBe('');
  expect(title).toContain('%');
  expect(await answer(page)).toBe(past);
  await button(page, 'Back to now').click();
  await expect.poll(() => answer(page), { timeout: 20_000 }).not.toBe(past);
  await button(page, 'Stop').click();
  await expect(page.getByText(/^Stopped/)).toBeVisible({ timeout: 20_000 });
});

test('a stored run is opened to look back at, and measured after a step', async ({ page }) => {
  await train(page);
  await page.goto('/#/runs');
  await page.reload();
  await page.getByRole('link', { name: /^Look back at / }).click();
  const slider = page.getByRole('slider', { name: 'Look back' });
  await expect(slider).toHaveAttribute('aria-valuetext', 'Now, step 400', { timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'The same question, as it learned' })).toContainText('Step 0');

  await slider.focus();
  await slider.press('ArrowLeft');
  await page.getByRole('link', { name: 'measure it on the Probe page' }).click();
  await expect(page.getByText(/at step 300/).first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('combobox', { name: 'After step' }).selectOption('200');
  await expect(page.getByText(/at step 200/).first()).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveURL(/run=[^&]+&step=200/);
  await page.reload();
  await expect(page.getByText(/at step 200/).first()).toBeVisible({ timeout: 30_000 });
});

test('a link to a run of another device says so', async ({ page }) => {
  await page.goto('/#/train&run=none&step=3');
  await expect(page.getByText('The run of the link is not stored on this device.')).toBeVisible({ timeout: 20_000 });
  await expect(button(page, 'Train')).toBeEnabled();
});
