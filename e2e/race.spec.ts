import AxeBuilder from '@axe-core/playwright';
import { button, expect, open, quick, test } from './lab.ts';

test('the race shows both engines, their ratio and their losses, by keyboard alone', async ({ page }) => {
  await open(page, quick);
  await button(page, 'Device').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(button(page, 'Race this device').first()).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Race this device' });
  await expect(dialog).toContainText('Modern with convolutions (LFM2) with one layer of 32');
  await button(page, 'Start the race').focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/times as fast: the median of \d+ rounds/)).toBeVisible({ timeout: 90_000 });
  await expect(button(page, 'Race again')).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByText(/compiled for WebAssembly/i)).toBeVisible();
  await expect(dialog.getByText(/TensorFlow\.js, one thread/)).toBeVisible();
  const words = (await dialog.textContent())!;
  const [, apart] = /never more than ([\d.e-]+)% apart/.exec(words.replace(/\s+/g, ' '))!;
  expect(Number(apart)).toBeLessThan(0.1);
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save CSV').click()]);
  let csv = '';
  for await (const chunk of await download.createReadStream()) csv += chunk;
  const rows = csv.trim().split('\n');
  expect(rows[0]).toBe('round,tokens,compiled_ms,stock_ms,compiled_loss,stock_loss');
  expect(rows.length).toBeGreaterThanOrEqual(4);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a race can be cancelled and is refused beside a run', async ({ page }) => {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=100000'));
  await button(page, 'Race this device').first().click();
  await button(page, 'Start the race').click();
  await expect(page.getByText(/^Round \d+\./)).toBeVisible({ timeout: 60_000 });
  await button(page, 'Cancel').click();
  await expect(page.getByText(/^Cancelled after/)).toBeVisible();
  await button(page, 'Close').click();
  await button(page, 'Train').click();
  await expect(button(page, 'Pause')).toBeEnabled({ timeout: 60_000 });
  await button(page, 'Device').click();
  await button(page, 'Race this device').click();
  await button(page, 'Start the race').click();
  await expect(page.getByRole('alert')).toContainText('A run is being trained on this device');
});
