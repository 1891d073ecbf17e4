import { button, bytesOf, expect, open, quick, savedBy, savedCurve, small, stepOf, test } from './lab.ts';

const longer = quick.replace('schedule.steps=60', 'schedule.steps=200');

test('a tab killed in mid-run loses only the steps since its checkpoint, and the resumed curve is that of a run that never stopped', async ({
  context,
}) => {
  const first = await context.newPage();
  await open(first, longer);
  await button(first, 'Train').click();
  await expect(first.getByText(/Saved at step [1-9]/)).toBeVisible();
  // The tab goes without a word: its renderer is killed, as the system does where memory is short.
  const killed = new Promise((resolve) => first.on('crash', resolve));
  void first.goto('chrome://crash').catch(() => {});
  await killed;
  await first.close();

  const second = await context.newPage();
  await second.goto('/');
  await button(second, /^Resume/)
    .first()
    .click();
  await expect.poll(() => stepOf(second)).toBe(200);
  await expect(second.getByText(/^Finished/)).toBeVisible();
  const resumed = await savedCurve(second);

  const whole = await context.newPage();
  await open(whole, longer);
  await button(whole, 'Train').click();
  await expect.poll(() => stepOf(whole)).toBe(200);
  await expect(whole.getByText(/^Finished/)).toBeVisible();
  expect(resumed.split('\n').length).toBeGreaterThan(20);
  expect(resumed).toBe(await savedCurve(whole));
});

test('weights are taken away as safetensors; after a reload the run is opened again, and answers', async ({ page }) => {
  await open(page, `preset=plain&${small}`);
  await button(page, 'Train').click();
  await expect.poll(() => stepOf(page)).toBe(60);
  await expect(page.getByText(/^Finished/)).toBeVisible();
  await page.goto('/#/runs');
  await button(page, /^Export /).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^Weights alone/ }).check();
  const download = await savedBy(page, dialog.getByRole('button', { name: 'Export', exact: true }));
  await expect(
    dialog.getByText(/Read back by this lab on 64 prompts: no logit differs by more than\s+0/),
  ).toBeVisible();
  expect(download.suggestedFilename()).toMatch(/\.safetensors$/);
  const file = await bytesOf(download);
  const header = JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE(0))).toString()) as Record<
    string,
    { shape: number[] }
  >;
  expect(header['transformer.wte.weight'].shape).toEqual([77, 32]);

  await dialog.getByRole('radio', { name: /^Weights and optimiser state/ }).check();
  const state = await savedBy(page, dialog.getByRole('button', { name: 'Export', exact: true }));
  expect(state.suggestedFilename()).toMatch(/-step-60-checkpoint\.zip$/);
  await expect(dialog.getByText(/-checkpoint\.zip\. Read back by this lab/)).toBeVisible();

  await page.reload();
  await button(page, /^Open /).click();
  await expect(page.getByText(/^Finished/)).toBeVisible();
  expect(await stepOf(page)).toBe(60);
  await expect(page.getByRole('list', { name: 'Likeliest answers' }).getByRole('listitem').first()).toBeVisible();
});
