import type { Page } from '@playwright/test';
import { button, expect, open, quick, test, trainToEnd } from './lab.ts';

/**
 * Visible text under 14 px, where it stands; axes and marks of charts and the labels of boards, which are drawn as SVG,
 * may be smaller.
 */
function smallTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST = 14;
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent!.trim();
      const parent = node.parentElement!;
      if (text === '' || parent.closest('svg, script, style, .visually-hidden')) continue;
      const { fontSize } = getComputedStyle(parent);
      if (Number.parseFloat(fontSize) >= LEAST || !parent.checkVisibility({ visibilityProperty: true })) continue;
      found.add(`${fontSize} <${parent.tagName.toLowerCase()} class="${parent.className}">: ${text.slice(0, 40)}`);
    }
    return [...found];
  });
}

const readable = async (page: Page, where: string): Promise<void> =>
  expect(await smallTexts(page), `small text on ${where}`).toEqual([]);

test('text that one reads has 14 px or more, on every page and with numbers on it', async ({ page }) => {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=20'));
  await button(page, 'Change').click();
  await readable(page, 'Train, with its settings');
  await trainToEnd(page);
  await readable(page, 'Train, with a run');
  for (const address of ['runs', 'data', 'suites', 'play', 'compare', 'compare/arena', 'train/presentation']) {
    await page.goto(`/#/${address}`);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await readable(page, address);
  }

  await page.goto('/#/probe');
  await expect(page.getByRole('table', { name: /^Table 6/ })).toBeVisible();
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await readable(page, `Probe, ${await tab.textContent()}`);
  }
  await page.getByRole('tab', { name: 'What if', exact: true }).click();
  await button(page, 'Ask both').click();
  await expect(page.getByRole('list', { name: /answers/i }).first()).toBeVisible();
  await readable(page, 'What if, with answers');

  for (const domain of ['baseball', 'noughts']) {
    await page.goto('/#/train');
    await page.getByRole('combobox', { name: 'Game' }).selectOption(domain);
    await expect(page.getByRole('list', { name: /^Likeliest next/ })).toBeVisible();
    await button(page, 'Change').click();
    await readable(page, `Train, ${domain}`);
    await page.goto('/#/probe/state');
    await expect(page.getByRole('tab', { name: 'State', exact: true })).toHaveAttribute('aria-selected', 'true');
    await readable(page, `State, ${domain}`);
  }
});
