import { accessible, button, expect, open, openSettings, quick, test, trainToEnd } from './lab.ts';

test.use({ tried: false });

test('the first screen has one sentence, one Train button and the shipped model’s answer', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('heading', { level: 1, name: 'A model that has never seen a board' })).toBeInViewport();
  await expect(page.getByText(/reads chess games as plain text/)).toBeInViewport();
  await expect(button(page, 'Train')).toHaveCount(1);
  await expect(button(page, 'Train')).toBeInViewport();
  const board = page.getByRole('grid', { name: 'Board' });
  await expect(board.getByRole('button', { name: /model ([5-9]|\d\d) percent/ }).first()).toBeAttached();
  await expect(page.getByRole('slider', { name: /^Loss/ })).toHaveCount(0);
  // The settings are behind the preset's name.
  const model = page.locator('summary', { hasText: 'Model' });
  await expect(model).toBeHidden();
  await openSettings(page);
  await expect(model).toBeVisible();
  await accessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await openSettings(page);
  await page.evaluate(() => scrollTo(0, 0));
  await expect(button(page, 'Train')).toBeInViewport({ ratio: 1 });
  await expect(board).toBeInViewport({ ratio: 1 });
});

test('a run says what it has come to, and shows one question as it learned', async ({ page }) => {
  await open(page, `${quick}&schedule.steps=240&evaluation.every=60&evaluation.instances=60&batch=8`);
  const boards = page.getByRole('region', { name: 'The same question, as it learned' }).getByRole('listitem');
  await expect(page.getByText('A question that only a board answers')).toBeVisible();
  await trainToEnd(page);

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /^It (spells moves|answers better than a table without a board could)\.$/,
  );
  await expect(
    page.getByText(/it names a square where that piece may go \d+ times in 100 \(95% interval/),
  ).toBeVisible();
  const milestones = page.getByRole('list', { name: 'Milestones' }).getByRole('listitem');
  await expect(milestones.first()).toContainText(/since step \d+/);
  await expect(milestones.last()).toContainText('not reached');

  await expect(boards.last()).toContainText('Shipped model');
  await expect(boards.filter({ hasText: 'Step 240' })).toContainText(/[\d.]+% legal/);
  expect(await boards.count()).toBeGreaterThanOrEqual(3);
  await accessible(page);

  await button(page, 'ask it a hard question on the board').click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(/ b8$/);
  await page.getByRole('link', { name: 'measure it on the Probe page' }).click();
  await expect(page).toHaveURL(/#\/probe/);
});
