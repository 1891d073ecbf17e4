import { button, expect, open, test } from './lab.ts';

test('the prompt under the board is in the address, and opens in another browser', async ({ page, browser }) => {
  await open(page);
  expect(new URL(page.url()).hash).toBe('');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('e2e4 c7c5 g1f3 b8');
  await expect(page).toHaveURL(/#\/train&prompt=e2e4\.c7c5\.g1f3\.b8$/);
  const fresh = await browser.newPage();
  // A game that this browser looked at last does not take the link's place.
  await fresh.addInitScript(() => localStorage.setItem('blindfold.domain', 'baseball'));
  await fresh.goto(page.url());
  await expect(fresh.getByRole('textbox', { name: 'Prompt' })).toHaveValue('e2e4 c7c5 g1f3 b8');
  await expect(fresh.locator('ol[data-prompt="e2e4 c7c5 g1f3 b8"]')).toBeVisible();
  await fresh.close();
  // Settings stay where they were.
  await page.goto('/?batch=3#/train&prompt=e2e4.e7');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('e2e4 e7');
  expect(page.url()).toContain('batch=3');
});

test('back and forward go through tabs, and each has an address', async ({ page }) => {
  await page.goto('/#/probe');
  const selected = page.getByRole('tab', { selected: true });
  await expect(selected).toHaveText('Chess testbed');
  await expect(page).toHaveURL(/#\/probe\/testbed$/);
  await page.getByRole('tab', { name: 'What if' }).click();
  await expect(page).toHaveURL(/#\/probe\/what-if$/);
  await page.getByRole('tab', { name: 'Strength' }).click();
  await expect(page).toHaveURL(/#\/probe\/strength$/);
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  for (const [step, name] of [
    ['goBack', 'Strength'],
    ['goBack', 'What if'],
    ['goBack', 'Chess testbed'],
    ['goForward', 'What if'],
  ] as const) {
    await page[step]();
    await expect(selected).toHaveText(name);
  }
  // The first look at Train chooses settings for the device, which the address then has.
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(page).toHaveURL(/\?preset=.*#\/train/);
  await page.goBack();
  await expect(selected).toHaveText('What if');
});

test('what is looked at on a tab opens again; what cannot be read gives a sentence and the plain page', async ({
  page,
}) => {
  await page.goto('/#/probe/what-if&prompt=d2d4.d7d5.c2c4.e7e6.b1');
  await expect(page.getByRole('tab', { selected: true })).toHaveText('What if');
  await expect(page.getByRole('tabpanel').getByRole('textbox').first()).toHaveValue('d2d4 d7d5 c2c4 e7e6 b1');
  await page.goto('/#/probe/board&prompt=d2d4.d7d5.c2c4');
  await expect(page.getByText('After ply 3, c2c4').first()).toBeVisible();
  for (const [hostile, expected] of [
    ['#/train&prompt=e2e4.e7e5.e1e8', 'prompt was left out. Ply 3'],
    ['#/train&prompt=%3Cimg%20src=x%20onerror=alert(1)%3E', 'prompt was left out. Ply 1'],
    [`#/train&prompt=${'e2e4.'.repeat(3000)}`, 'prompt was left out. It has 15000 characters'],
    ['#/probe/nothing&prompt=e2e4', 'names a tab that this page does not have'],
    ['#/probe/what-if&prompt=e2e4.e2', 'prompt was left out. Ply 2'],
  ]) {
    await page.goto(`/${hostile}`);
    await expect(page.getByText(expected)).toBeVisible();
  }
  await expect(page.getByRole('tab', { name: 'What if' })).toBeVisible();
  await page.goto('/#/nowhere/at/all&&&=%%%');
  await expect(button(page, 'Train')).toBeVisible();
});
