import { accessible, button, expect, open, quick, test } from './lab.ts';

test('a key shows the run alone, large enough for a projector, at an address; Escape leaves it', async ({ page }) => {
  await open(page, quick);
  await button(page, 'Train').click();
  await page.keyboard.press('F9');
  await expect(page).toHaveURL(/#\/train\/presentation/);
  const region = page.getByRole('region', { name: 'Presentation' });
  await expect(region.getByRole('slider')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(button(page, 'Pause')).toHaveCount(0);
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [853, 480],
    [844, 390],
  ]) {
    await page.setViewportSize({ width, height });
    const board = (await page.getByRole('grid', { name: 'Board' }).boundingBox())!;
    expect(board.height).toBeGreaterThan(0.75 * height);
    expect(board.y + board.height).toBeLessThanOrEqual(height);
    const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
    expect(scrolls).toBe(false);
    const smallest = () =>
      region.evaluate((node) =>
        Math.min(
          ...[...node.querySelectorAll<HTMLElement>('h1, p, figcaption, .bf text')]
            .filter((text) => text.checkVisibility() && !text.closest('.visually-hidden'))
            .map((text) => {
              const svg = text.closest('svg');
              const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
              return parseFloat(getComputedStyle(text).fontSize) * scale;
            }),
        ),
      );
    // A chart is drawn anew after its place has changed.
    await expect.poll(smallest).toBeGreaterThanOrEqual(13.5);
  }
  await accessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await expect(page).not.toHaveURL(/presentation/);
  await page.goto('/#/train/presentation');
  await expect(region.getByRole('heading', { level: 1 })).toBeVisible();
  await button(page, 'Leave the presentation').click();
  await expect(button(page, 'Train').or(button(page, 'Resume')).first()).toBeVisible();
});
