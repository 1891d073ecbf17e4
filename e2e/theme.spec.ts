import type { Page } from '@playwright/test';
import { accessible, button, expect, open, quick, test, trainToEnd } from './lab.ts';

const colours = (page: Page) =>
  page.evaluate(() => {
    const of = (selector: string, property: string) => {
      const found = document.querySelector(selector);
      return found && getComputedStyle(found).getPropertyValue(property);
    };
    return {
      page: of('body', 'background-color'),
      text: of('body', 'color'),
      chart: of('.bf text', 'fill'),
      browser: [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].find(
        ({ media }) => matchMedia(media).matches,
      )?.content,
    };
  });
const light = { page: 'rgb(251, 250, 247)', text: 'rgb(29, 28, 26)', chart: 'rgb(98, 95, 88)', browser: '#fbfaf7' };
const dark = { page: 'rgb(22, 21, 19)', text: 'rgb(236, 233, 226)', chart: 'rgb(166, 161, 149)', browser: '#161513' };

test('light and dark are chosen whatever the system is, and are there before the page is', async ({ page }) => {
  await open(page, quick);
  await trainToEnd(page);
  await expect(page.locator('.bf text').first()).toBeAttached();
  const radio = (name: string) => page.getByRole('radio', { name, exact: true });
  for (const [system, chosen, title, expected, otherwise] of [
    ['light', 'dark', 'Dark', dark, light],
    ['dark', 'light', 'Light', light, dark],
  ] as const) {
    await page.emulateMedia({ colorScheme: system });
    await button(page, 'Help').click();
    await radio(title).check();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(chosen);
    // Charts are of a run, which a reload puts away.
    const { chart, ...rest } = await colours(page);
    expect({ ...rest, chart: chart ?? expected.chart }).toEqual(expected);
    await accessible(page);

    // The colours are those chosen when the page has nothing but its style.
    await page.route('**/assets/first-*.js', (route) => route.abort());
    await page.reload();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(expected.page);
    await page.unroute('**/assets/first-*.js');
    await page.reload();
    await button(page, 'Help').click();
    await expect(radio(title)).toBeChecked();
    await radio('System').check();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(otherwise.page);
    await page.keyboard.press('Escape');
  }
});
