import type { Page } from '@playwright/test';
import { accessible, button, expect, quick, test } from './lab.ts';

const left = `preset=nano&${quick}&seed=3`;
const right = 'preset=lstm&model.layers=1&model.width=32';

/** The address of an arena of two small models. */
function arena(equal: string, amount: number): string {
  return `/#/compare/arena&${new URLSearchParams({ left, right, equal, amount: String(amount) }).toString()}`;
}

/** What both models have used, by the heading of the row. */
async function used(page: Page, row: string): Promise<string[]> {
  const cells = page
    .getByRole('table', { name: 'What each has used' })
    .getByRole('row', { name: row })
    .getByRole('cell');
  return cells.allTextContents();
}

test('two models train in turns at equal tokens, answer one prompt, and their link runs it again', async ({ page }) => {
  await page.goto('/#/compare');
  await page.getByRole('link', { name: 'In the arena' }).click();
  await expect(button(page, 'Train both')).toBeEnabled();
  await accessible(page);

  await page.goto(arena('tokens', 6_000));
  await button(page, 'Run it again').press('Enter');
  await expect(page.getByText('The models are training in turns.')).toBeVisible();

  await expect(page.getByText('Which is better')).toBeVisible();
  await expect(page.getByText(/^End legal, short: LFM2 [\d.]+% \(95% interval|^End legal, short: LSTM/)).toBeVisible();
  const [tokens, others] = await used(page, 'Tokens');
  expect(tokens).toBe(others);
  expect(Number(tokens.replace(/\D/g, ''))).toBeGreaterThan(3000);
  for (const seconds of await used(page, 'Seconds')) expect(Number(seconds)).toBeGreaterThan(0);

  // One prompt, two answers.
  const answers = (name: string) => page.getByRole('list', { name: `Likeliest answers of ${name}` });
  await page.getByRole('textbox', { name: 'Prompt' }).fill('e2e4 e7e5 g1');
  for (const name of ['LFM2', 'LSTM']) {
    await expect(answers(name)).toHaveAttribute('data-prompt', 'e2e4 e7e5 g1');
    await expect(answers(name).getByRole('listitem').first()).toBeVisible();
  }
  await page
    .getByRole('gridcell')
    .getByRole('button', { name: /^f3, empty/ })
    .press('Enter');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('e2e4 e7e5 g1f3');
  await accessible(page);

  // A pawn that arrives becomes what one chooses.
  const before = 'a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6';
  await page.getByRole('textbox', { name: 'Prompt' }).fill(`${before} b7`);
  await button(page, /^b8, /).press('Enter');
  await page.getByRole('group', { name: 'The pawn becomes' }).getByRole('button', { name: 'knight' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(`${before} b7b8n`);

  const address = page.url();
  await page.goto('/#/runs');
  for (const side of ['left', 'right'])
    await expect(page.getByText(`Arena: LFM2 against LSTM, ${side}`).first()).toBeVisible();

  await page.goto('about:blank');
  await page.goto(address);
  await expect(page.getByRole('combobox', { name: 'Right model' })).toContainText('As in the link: LSTM');
  await expect(page.getByRole('spinbutton', { name: 'Tokens each' })).toHaveValue('6000');
  await button(page, 'Run it again').click();
  await expect(page.getByText('Which is better')).toBeVisible();
  expect(await used(page, 'Tokens')).toEqual([tokens, others]);
});

test('an arena of equal time measures both first, can be paused, and is stopped at checkpoints', async ({ page }) => {
  await page.goto(arena('seconds', 600));
  await button(page, 'Run it again').click();
  await expect(page.getByText('Measuring the speed of LFM2.')).toBeVisible();
  await expect(page.getByText('The models are training in turns.')).toBeVisible();
  // Nothing else trains beside them.
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await button(page, 'Train').click();
  await expect(page.getByText('Two models are being trained in the arena')).toBeVisible();
  await page.goBack();
  await button(page, 'Pause').click();
  await expect(page.getByText('Paused.', { exact: true })).toBeVisible();
  await button(page, 'Continue').click();
  await expect.poll(async () => Math.min(...(await used(page, 'Seconds')).map(Number))).toBeGreaterThan(0);
  await button(page, 'Stop both').click();
  await expect(page.getByText('This arena ended early.')).toBeVisible();
  await page.goto('/#/runs');
  const rows = page.locator('tbody tr').filter({ hasText: 'Arena: LFM2 against LSTM' });
  // Trials of the speed leave no run.
  await expect(rows).toHaveCount(2);
  await expect(page.locator('tbody tr')).toHaveCount(2);
});

test('what a link says wrongly is said in words, and the rest of it is taken', async ({ page }) => {
  await page.goto('/#/compare/arena&left=preset%3Dnone&right=preset%3Dlstm&equal=luck&amount=5');
  await expect(page.getByText(/The link names the preset .none., which this build does not have/)).toBeVisible();
  await expect(
    page.getByText('The link does not say what is equal for both models: tokens, FLOPs, parameters or time.'),
  ).toBeVisible();
  await expect(button(page, 'Run it again')).toBeEnabled();
  // Games of another device.
  const elsewhere = new URLSearchParams({ left: `${left}&data.games=elsewhere`, right, equal: 'seconds', amount: '5' });
  await page.goto('about:blank');
  await page.goto(`/#/compare/arena&${elsewhere.toString()}`);
  await expect(page.getByText(/“elsewhere”, are not on this device/)).toBeVisible();
  await expect(button(page, 'Run it again')).toBeDisabled();
  // A model that no tab has room for is refused before anything is measured.
  const large = {
    left: 'preset=nano&batch=512&model.context=1024&model.width=1024',
    right,
    equal: 'seconds',
    amount: '5',
  };
  await page.goto('about:blank');
  await page.goto(`/#/compare/arena&${new URLSearchParams(large).toString()}`);
  await expect(page.getByText(/takes about .* of memory/)).toBeVisible();
  await expect(button(page, 'Run it again')).toBeDisabled();
});
