import { craftedFiles } from '../fixtures/crafted-files.ts';
import { asFile, button, expect, repeatedGames, test } from './lab.ts';

const fileOf = (name: string, made = name) => asFile(name, craftedFiles[made]());

const costly = 'page-of-two-thousand-million.parquet';

test('small files that would take all memory are refused within twenty seconds, and may be read anyway', async ({
  page,
}) => {
  await page.goto('/#/data');
  const files = page.locator('input[type=file]');
  const going = button(page, 'Cancel the import');
  // One of each container; src/data/costly-files.test.ts reads them all.
  for (const name of ['many-frames-of-large-windows.uci.txt.zst', 'bomb.pgn', 'overlapping.zip', costly]) {
    await files.setInputFiles(fileOf(name));
    await expect(page.getByText(name, { exact: false }).first()).toBeVisible();
    await expect(going).toBeHidden();
    await expect(page.locator('.failed')).toContainText(name);
  }
  await files.setInputFiles(fileOf(costly));
  await button(page, 'Read it anyway, up to 2 GB').click();
  await expect(page.locator('.failed')).toContainText(costly);
});

test('Cancel ends an import whose worker does not answer, and the next import is read', async ({ page }) => {
  await page.goto('/#/data');
  const files = page.locator('input[type=file]');
  await files.setInputFiles(fileOf('blocks-of-one-byte.uci.txt.zst'));
  const cancel = button(page, 'Cancel the import');
  await cancel.click();
  // Sooner than the page would end it by itself.
  await expect(cancel).toBeHidden({ timeout: 15_000 });
  await files.setInputFiles(repeatedGames);
  await expect(page.getByRole('region', { name: 'Import report' })).toContainText('3 of 30 games kept');
});

test('an archive that unpacks to gigabytes leaves the page answering on Probe', async ({ page }) => {
  await page.goto('/#/probe');
  const files = page.locator('input[type=file]').first();
  await files.setInputFiles(fileOf('model.zip', 'one-member-60000-times.zip'));
  const start = Date.now();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(Date.now() - start).toBeLessThan(10_000);
  await expect(page.getByText(/names more than 50000 files/)).toBeVisible();
});
