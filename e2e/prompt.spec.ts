import { button, drag, expect, open, stepOf, stop, test } from './lab.ts';

test('the prompt takes UCI, SAN and PGN, and says at which ply the rules are broken', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('e2e4 e7e5 g1f3 b8c6 f1');
  await expect(page.getByText(/Where does the bishop on f1 go/)).toBeVisible();
  await prompt.fill('e2e4 e7e5 N');
  await expect(
    page.getByRole('region', { name: 'World' }).getByText("Which square does White's knight leave?"),
  ).toBeVisible();
  await prompt.fill('e2e4 e7e5 g1f3 b8c6 f1f3');
  await expect(page.getByRole('region', { name: 'World' }).getByRole('alert')).toContainText(/ply 5/i);
  for (const [pasted, canonical] of [
    ['1. e4 e5 2. Nf3 Nc6 3. Bb5', 'e2e4 e7e5 g1f3 b8c6 f1b5'],
    ['[Event "?"]\n[Result "1-0"]\n\n1. d4 {a comment} d5 2. c4 (2. Nf3 Nf6) e6 1-0', 'd2d4 d7d5 c2c4 e7e6'],
  ]) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
    await prompt.fill('');
    await prompt.press('ControlOrMeta+v');
    await expect(prompt).toHaveValue(canonical);
  }
});

test('a piece dragged on the board edits the prompt', async ({ page }) => {
  await open(page);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('e2e4');
  await drag(page, 'e7', 'e6', 'e5');
  await expect(prompt).toHaveValue('e2e4 e7e5');
  await drag(page, 'a1', 'a5');
  await expect(prompt).toHaveValue('e2e4 e7e5');
});

test('a promotion on the board asks which piece, and so does one by keyboard', async ({ page }) => {
  await open(page);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  const before = 'a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6';
  const choice = page.getByRole('group', { name: 'The pawn becomes' });
  await prompt.fill(before);
  await drag(page, 'b7', 'a8');
  await expect(choice.getByRole('button')).toHaveCount(4);
  await expect(prompt).toHaveValue(before);
  await choice.getByRole('button', { name: 'knight' }).click();
  await expect(prompt).toHaveValue(`${before} b7a8n`);
  await button(page, 'Undo').click();
  for (const [keys, expected] of [
    [['Escape'], `${before} b7`],
    [['ArrowUp', 'Enter'], `${before} b7b8n`],
  ] as const) {
    await prompt.fill(`${before} b7`);
    await button(page, /^b8, /).focus();
    await page.keyboard.press('Enter');
    await expect(choice.getByRole('button').first()).toBeFocused();
    for (const key of keys) await page.keyboard.press(key);
    await expect(choice).toHaveCount(0);
    await expect(prompt).toHaveValue(expected);
  }
});

// How fast: npm run bench:page.
test('prompts are answered while training goes on', async ({ page }) => {
  // The default model, on prompts as long as the probes': 60 plies.
  await open(page, 'schedule.steps=100000');
  await button(page, 'Train').click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(3);
  const before = await stepOf(page);
  const shuffle = 'g1f3 g8f6 f3g1 f6g8 '.repeat(15);
  for (const end of ['b1', 'g1', 'N', 'e2', 'K', 'd2', 'P', 'c2', 'Q', 'a2']) {
    await page.getByRole('textbox', { name: 'Prompt' }).fill(shuffle + end);
    // The list names the prompt that it answers.
    await expect(page.locator(`ol[data-prompt="${shuffle}${end}"]`).getByRole('listitem').first()).toBeVisible();
  }
  await expect.poll(() => stepOf(page)).toBeGreaterThan(before);
  await stop(page);
});
