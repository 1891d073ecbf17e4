import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { accessible, asFile, button, expect, savedBy, test } from './lab.ts';

/** Goes to a control with the Tab key alone. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'textbox'): Promise<void> {
  const control = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await expect(control).toBeVisible();
  for (let presses = 0; presses < 150; presses++) {
    if (await control.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} was not reached by the Tab key`);
}

async function write(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name, 'textbox');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

test('a suite is written by keyboard, asked of the shipped model, and is there after a reload', async ({ page }) => {
  await page.goto('/#/suites');
  await expect(button(page, 'Ask the shipped model')).toBeEnabled();
  await expect(page.getByRole('list', { name: 'Suites' }).getByRole('listitem')).toHaveCount(16);
  await accessible(page);

  await tabTo(page, 'New suite', 'button');
  await page.keyboard.press('Enter');
  await write(page, 'Name', 'first_moves');
  await write(page, 'Prediction 1', '(2;%fits%) < (3;%fails%)');
  await expect(page.getByText('Character 14: there is no region 3').first()).toBeVisible();
  await expect(button(page, 'Ask the shipped model')).toBeDisabled();
  await write(page, 'Name of condition 2', 'wrong');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  for (const [region, [fits, fails]] of [
    ['context', ['e2e4 e7e5', 'e2e4 e7e5']],
    ['answer', ['g1f3', 'g1g5']],
  ] as const) {
    await page.getByRole('textbox', { name: `fits, ${region}` }).focus();
    await page.keyboard.insertText(fits);
    await page.getByRole('textbox', { name: `wrong, ${region}` }).focus();
    await page.keyboard.insertText(fails);
  }
  await page.getByRole('textbox', { name: 'Prediction 1' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('(2;%fits%) < (2;%wrong%)');
  await expect(page.getByText('The surprisal of “answer” of fits is less than “answer” of wrong.')).toBeVisible();
  await expect(page.getByText('g1g5 breaks the rules')).toBeVisible();
  await expect(page.getByText('Nothing is wrong with this suite.')).toBeVisible();
  await accessible(page);

  await tabTo(page, 'Ask the shipped model', 'button');
  await page.keyboard.press('Enter');
  const number = button(page, /first_moves: Models: the shipped model, 100\.0/);
  await expect(number).toBeVisible();
  // Another model beside it, and people as a column.
  await page.getByRole('checkbox', { name: 'the small shipped model' }).check();
  await button(page, 'Ask 2 models').click();
  await expect(button(page, /first_moves: Models: the small shipped model/)).toBeVisible();
  await page.getByRole('slider', { name: /^Models on first_moves/ }).press('Enter');
  const behind = page.getByRole('region', { name: 'Positions behind the number' });
  await expect(behind.getByText('first_moves, the shipped model, the small shipped model')).toBeVisible();
  await button(page, 'Add a reference value').click();
  await expect(page.getByRole('columnheader', { name: 'Human' })).toBeVisible();
  await number.click();
  await expect(page.getByText('Every prediction holds')).toBeVisible();
  await accessible(page);

  await page.reload();
  await button(page, 'first_moves').click();
  await expect(number).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'wrong, answer' })).toHaveValue('g1g5');

  const saved = await savedBy(page, button(page, 'Suite with results, one file'));
  await button(page, 'Delete').click();
  await button(page, 'Delete the suite').click();
  await expect(button(page, 'first_moves')).toHaveCount(0);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles((await saved.path())!);
  await expect(number).toBeVisible();
  // One suite that two models have read is opened.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('first_moves');
});

test('files that hold no suite are refused with a reason, and nothing is lost', async ({ page }, info) => {
  // On the disk: what a test hands over as a buffer goes through the browser's control as text.
  const large = info.outputPath('large.json');
  writeFileSync(large, Buffer.alloc(50e6, 32));
  await page.goto('/#/suites');
  const suites = page.getByRole('list', { name: 'Suites' }).getByRole('listitem');
  const files = page.locator('input[type=file]').first();
  await expect(suites).toHaveCount(16);
  const item = (n: number) => `{"item_number":${n},"conditions":[]}`;
  const whole = (items: string) =>
    `{"meta":{"name":"__proto__","metric":"sum"},"region_meta":{"1":"a"},"predictions":[],"items":[${items}]}`;
  const condition = '{"condition_name":"__proto__","regions":[{"region_number":1,"content":"e2e4"}]}';
  for (const [name, content, message] of [
    ['empty.json', '', /empty\.json: the file is empty/],
    ['cut.json', whole(item(1)).slice(0, 60), /cut\.json: this is not JSON/],
    ['cat.png', Buffer.from([137, 80, 78, 71, 0, 1]), /cat\.png is no suite/],
    ['list.json', '[1, 2]', /list\.json, suite 1: The suite/],
    ['many.json', whole(Array.from({ length: 100_000 }, (_, n) => item(n)).join()), /more than 20000 items/],
  ] as const) {
    await files.setInputFiles(asFile(name, content, 'application/json'));
    await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible();
  }
  await files.setInputFiles(large);
  await expect(page.getByRole('alert').filter({ hasText: /up to 32 MB/ })).toBeVisible();
  await expect(suites).toHaveCount(16);
  await files.setInputFiles(
    asFile('proto.json', whole(`{"item_number":1,"conditions":[${condition}]}`), 'application/json'),
  );
  await expect(page.getByRole('textbox', { name: 'Name of condition 1' })).toHaveValue('__proto__');
});
