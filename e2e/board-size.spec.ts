import type { Locator, Page } from '@playwright/test';
import { expect, open, test } from './lab.ts';

/** Laptops at 125% and 150%, a phone on its side, and the usual three. */
const sizes = [
  { width: 1024, height: 576 },
  { width: 853, height: 480 },
  { width: 844, height: 390 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
  { width: 1920, height: 1080 },
];
/** Of the shorter side of the screen; a diamond is wider than high. */
const shares = { board: 0.45, diamond: 0.29 };

test('the board is the largest thing on the Train page at every size and zoom, and so is the diamond', async ({
  page,
}) => {
  await open(page);
  await measure(page, page.locator('.right .board'), shares.board, true);
  await page.getByRole('combobox', { name: 'Game' }).selectOption('baseball');
  await measure(page, page.locator('.right .picture > svg'), shares.diamond, true);
});

test('the board of a mapped game stays as large, and never higher than the screen', async ({ page }) => {
  await page.goto('/#/probe/board');
  const board = page.getByRole('img', { name: /^The true board/ });
  await expect(board).toBeVisible();
  await measure(page, board, 0.4, false);
});

/** The smaller side of a picture against the screen's, at each size; nothing of the page lies beyond its edge. */
async function measure(page: Page, picture: Locator, share: number, first: boolean): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    const name = `${size.width} x ${size.height}`;
    await expect
      .poll(async () => {
        const { width, height } = (await picture.boundingBox())!;
        return Math.min(width, height) / Math.min(size.width, size.height);
      }, name)
      .toBeGreaterThan(share);
    const { y, height } = (await picture.boundingBox())!;
    expect(height, name).toBeLessThanOrEqual(size.height - 46);
    if (first) expect(y + height, name).toBeLessThanOrEqual(size.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(size.width);
  }
}
