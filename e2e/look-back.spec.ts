import type { Page } from '@playwright/test';
import { accessible, button, expect, open, quick, test, trainToEnd } from './lab.ts';

const query = `${quick}&schedule.steps=120&evaluation.every=30&batch=4`;

/** What the list of answers says now. */
async function answer(page: Page): Promise<string> {
  return (await page.locator('ol[data-prompt]').innerText()).replace(/\s+/g, ' ');
}

test('a slider takes every view back to what the model knew at a step, which the address names; a stored run, too', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByText(/of snapshots/)).toBeVisible();
  await open(page, query);
  await trainToEnd(page);
  const slider = page.getByRole('slider', { name: 'Look back' });
  await expect(slider).toHaveAttribute('aria-valuetext', 'Now, step 120');
  await expect(page.getByText(/\d+ steps stored, \d+ [kM]B/)).toBeVisible();
  const heading = page.getByRole('heading', { level: 1 });
  const played = page.getByText(/plies legal, at step \d+/);
  await expect.poll(() => answer(page)).not.toBe('');
  const now = await answer(page);

  // By keyboard: the end is now, one back is the newest step that is stored.
  await slider.focus();
  await slider.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', 'After step 90 of 120');
  await expect(page).toHaveURL(/#\/train&run=[^&]+&step=90$/);
  await expect(heading).toHaveText(/^After step 90 of 120:/);
  await expect(page.getByText('What it knew after step 90 of 120.')).toBeVisible();
  await expect(played).toContainText('at step 90');
  await slider.press('Home');
  await expect(heading).toHaveText(/^After step 0 of 120:/);
  await expect.poll(() => answer(page)).not.toBe(now);
  await expect(page.getByRole('list', { name: 'Milestones' })).not.toContainText('since step');
  await slider.press('ArrowRight');
  await slider.press('ArrowRight');
  const expected = 'After step 2 of 120';
  await expect(slider).toHaveAttribute('aria-valuetext', expected);
  await expect(page).toHaveURL(/&step=2$/);
  await expect(page.getByText(/on legal answers, at step 2\.$/)).toBeVisible();
  await expect(page.getByText('plies legal, at step 2.')).toBeVisible();
  const past = await answer(page);
  expect(past).not.toBe(now);
  await accessible(page);

  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuetext', expected);
  await expect(heading).toContainText(expected);
  await expect.poll(() => answer(page)).toBe(past);
  await button(page, 'Back to now').click();
  await expect(slider).toHaveAttribute('aria-valuetext', 'Now, step 120');
  await expect.poll(() => answer(page)).toBe(now);
  await expect(page).toHaveURL(/#\/train&run=[^&]+$/);

  // From the list of runs, and on to a measurement.
  await page.goto('/#/runs');
  await page.reload();
  await page.getByRole('link', { name: /^Look back at / }).click();
  await expect(slider).toHaveAttribute('aria-valuetext', 'Now, step 120');
  await expect(page.getByRole('region', { name: 'The same question, as it learned' })).toContainText('Step 0');

  await slider.focus();
  await slider.press('ArrowLeft');
  await page.getByRole('link', { name: 'measure it on the Probe page' }).click();
  await expect(page.getByText(/; 90 steps/).first()).toBeVisible();
  await page.getByRole('combobox', { name: 'After step' }).selectOption('60');
  await expect(page.getByText(/; 60 steps/).first()).toBeVisible();
  await expect(page).toHaveURL(/run=[^&]+&step=60/);
  await page.reload();
  await expect(page.getByText(/; 60 steps/).first()).toBeVisible();
});

test('one looks back while the model trains on', async ({ page }) => {
  await open(page, query.replace('schedule.steps=120', 'schedule.steps=100000'));
  await button(page, 'Train').click();
  const slider = page.getByRole('slider', { name: 'Look back' });
  await expect(slider).toBeVisible();
  await slider.focus();
  await slider.press('Home');
  await expect(page.getByText('What it knew after step 0 of 100,000.')).toBeVisible();
  const past = await answer(page);
  await expect(page.getByText(/Saved at step [1-9]\d+/)).toBeVisible();
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
  await expect.poll(() => answer(page)).not.toBe(past);
  await button(page, 'Stop').click();
  await expect(page.getByText(/^Stopped/)).toBeVisible();
});

test('a link to a run of another device says so', async ({ page }) => {
  await page.goto('/#/train&run=none&step=3');
  await expect(page.getByText('The run of the link is not stored on this device.')).toBeVisible();
  await expect(button(page, 'Train')).toBeEnabled();
});
