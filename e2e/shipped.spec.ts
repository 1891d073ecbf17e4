import { button, expect, open, quick, shippedFile, test, trainToEnd } from './lab.ts';

test('the page opens with a model that answers, before anything was trained', async ({ page }) => {
  await page.goto('/');
  const answers = page.getByRole('list', { name: 'Likeliest answers' });
  await expect(answers.getByRole('listitem')).toHaveCount(6);

  // The bishop of the first example has legal squares to go to, and the heat is on the board.
  const board = page.getByRole('grid', { name: 'Board' });
  await expect(board.getByRole('button', { name: /model ([5-9]|\d\d) percent/ }).first()).toBeAttached();
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  const before = await prompt.inputValue();
  const chosen = answers.getByRole('button', { name: /legal/ }).first();
  const token = (await chosen.innerText()).slice(0, 2);
  await chosen.click();
  await expect(prompt).toHaveValue(before + token);
  await expect(page.locator(`ol[data-prompt="${before + token}"]`)).toBeVisible();
  await expect(board.getByRole('button', { name: /model ([5-9]|\d\d) percent/ }).first()).toBeAttached();

  await button(page, 'What is the shipped model?').click();
  const record = page.getByRole('group', { name: 'What is the shipped model?' });
  await expect(record).toContainText(/(GPT-2|Qwen3|LFM2) of \d+ layers/);
  const [about] = await Promise.all([
    page.waitForEvent('popup'),
    record.getByRole('link', { name: 'Full record' }).click(),
  ]);
  await expect(about.locator('body')).toContainText('"sha256"');
  await about.close();

  await button(page, 'Let the shipped model play').click();
  await expect(page.getByText(/plies legal, at step/)).toBeVisible();
});

test('a slow connection opens the small taught model; another can be chosen, and is again after a reload', async ({
  page,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' }, configurable: true }),
  );
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto('/');
  await expect(page.getByText(/^Small taught shipped model, 850,000 parameters/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Likeliest answers' }).getByRole('listitem')).toHaveCount(6);
  expect(fetched).not.toContain('/checkpoints/chess/model.safetensors');

  await button(page, 'What is the shipped model?').click();
  await button(page, 'Ask the main model instead').click();
  await expect(page.getByText(/^Shipped model, 1.6 million parameters/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Shipped model, 1.6 million parameters/)).toBeVisible();
  await page.goto('/#/probe');
  const model = page.getByRole('combobox', { name: 'Model' });
  await expect(model).toHaveValue('shipped');
  await model.selectOption('shipped-small');
  await expect(page.getByText(/13 layers of 96/)).toBeVisible();
});

test('a run takes the shipped model’s place, and gives it back when it is over', async ({ page }) => {
  await open(page, quick);
  await expect(button(page, 'What is the shipped model?')).toBeVisible();
  await trainToEnd(page);
  const verdict = page.getByRole('region', { name: 'World' }).getByText(/on legal answers, at step/);
  await expect(verdict).toContainText('at step 60.');
  await expect(button(page, 'What is the shipped model?')).toBeHidden();
  await button(page, 'Ask the shipped model').click();
  await expect(button(page, 'What is the shipped model?')).toBeVisible();
  const { training } = JSON.parse(shippedFile('training-record.json').toString()) as { training: { steps: number } };
  await expect(verdict).toContainText(`at step ${training.steps.toLocaleString('en-GB')}.`);
});

test('a shipped model that is cut short, changed or missing is told of, and the lab works without it', async ({
  page,
}) => {
  for (const [damage, expected] of [
    [(bytes: Buffer) => bytes.subarray(0, 900_000), /ends too early/],
    [(bytes: Buffer) => bytes.fill(0x2b, 1_000_000, 1_000_100), /does not hold the weights/],
    [() => null, /could not be loaded \(the server says 404\)/],
  ] as const) {
    await page.unrouteAll();
    await page.route('**/checkpoints/chess/model.safetensors', (route) => {
      const body = damage(shippedFile('model.safetensors'));
      return body === null ? route.fulfill({ status: 404 }) : route.fulfill({ body });
    });
    await open(page, quick);
    await expect(page.getByText(/The model that comes with the lab could not be opened/)).toContainText(expected);
    await expect(page.getByText("The model's answers come once training starts", { exact: false })).toBeVisible();
  }
  await button(page, 'Train').click();
  await expect(page.getByRole('list', { name: 'Likeliest answers' })).toBeVisible();
  await expect(page.getByText(/^Finished/)).toBeVisible();
});
