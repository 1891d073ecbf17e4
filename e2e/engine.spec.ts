import { accessible, button, expect, open, openSettings, savedCurve, small, stepOf, stop, test } from './lab.ts';

test('a run says what computes it, how near it is to the measured peak, and where its time goes', async ({ page }) => {
  await open(page, `preset=plain&${small.replace('schedule.steps=60', 'schedule.steps=100000')}`);
  await button(page, 'Train').click();
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(run.getByText(/compiled for WebAssembly, (one thread|\d+ threads)/i)).toBeVisible();
  await expect(run.getByText(/\d+% of this device's measured peak, [\d.]+ [GT]FLOP\/s/)).toBeVisible();
  await page.locator('summary', { hasText: 'Where the time goes' }).click();
  const table = page.getByRole('table', { name: 'Where the time goes' });
  await expect(table.getByRole('row', { name: /^matrix products/ })).toHaveCount(1);
  const shares = await table.getByRole('cell').allTextContents();
  const sum = shares.reduce((total, share) => total + Number(share.replace('%', '')), 0);
  expect(sum).toBeGreaterThan(99);
  expect(sum).toBeLessThan(101);
  await accessible(page);
  await stop(page);
  await page.goto('/#/runs');
  await expect(page.getByRole('row', { name: /GPT-2, AdamW/ })).toContainText(/compiled for WebAssembly/);
});

for (const [name, query, expected] of [
  ['an LSTM with slots', 'preset=plain&model.kind=lstm&model.slots=true', 'LSTM, AdamW'],
  [
    'a Qwen3 with a window and Muon',
    'preset=plain&model.kind=qwen3&model.heads=2&model.mlp=48&model.window=24&optimizer.kind=muon',
    'Modern (Qwen3 layout), Muon',
  ],
])
  test(`${name} trains from a link`, async ({ page }) => {
    await open(page, `${query}&${small}`);
    for (const field of query.split('&')) expect(page.url()).toContain(field);
    await button(page, 'Train').click();
    await expect.poll(() => stepOf(page)).toBe(60);
    await expect(page.getByText(/^Finished/)).toBeVisible();
    const losses = (await savedCurve(page))
      .trim()
      .split('\n')
      .slice(1, 61)
      .map((row) => Number(row.split(',')[1]));
    // Two games a step: one step tells little.
    const meanOf = (some: number[]) => some.reduce((sum, loss) => sum + loss) / some.length;
    expect(meanOf(losses.slice(-10))).toBeLessThan(meanOf(losses.slice(0, 10)) - 0.05);
    await expect(page.getByRole('list', { name: 'Likeliest answers' }).getByRole('listitem').first()).toBeVisible();
    await page.goto('/#/runs');
    await expect(page.getByRole('rowheader').filter({ hasText: expected })).toBeVisible();
  });

test('the form changes the kind of model and optimiser, and the address follows', async ({ page }) => {
  await open(page, 'preset=plain');
  await openSettings(page);
  await page.locator('summary', { hasText: 'Model' }).click();
  await page.getByLabel('Kind of model').selectOption('lstm');
  await expect(page.getByLabel('Heads')).toHaveCount(0);
  await expect(page.getByText('Does not export to transformers or a PyTorch job')).toBeVisible();
  await page.getByLabel('Slot embedding').check();
  await expect(page.getByLabel('Slot embedding')).toHaveAccessibleDescription(
    /whose move it is, nothing about the board/,
  );
  await page.locator('summary', { hasText: 'Optimiser' }).click();
  await page.getByLabel('Kind of optimiser').selectOption('muon');
  await page.getByLabel('Matrix rate').fill('0.02');
  await expect(page).toHaveURL(
    /preset=plain&model\.kind=lstm&model\.slots=true&optimizer\.kind=muon&optimizer\.matrixRate=0\.02/,
  );
  await accessible(page);
});
