import { accessible, button, expect, open, quick, savedCurve, stepOf, stop, test } from './lab.ts';

test('the page is interactive and accessible', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toBeEditable();
  for (const hash of ['#/train', '#/runs', '#/data']) {
    await page.goto(`/${hash}`);
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
    await page.waitForTimeout(300);
    await accessible(page);
  }
});

test('a newcomer presses Train and watches a model learn, play and answer', async ({ page }) => {
  await open(page, quick);
  await button(page, 'Train').click();
  await expect.poll(() => stepOf(page)).toBe(60);
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(run.getByText('Finished.')).toBeVisible();
  const curve = (await savedCurve(page)).trim().split('\n');
  const [first, last] = [curve.find((row) => /^1,/.test(row)), curve.find((row) => /^60,/.test(row))].map((row) =>
    Number(row!.split(',')[1]),
  );
  // Uniform over 77 tokens is 4.34 nats; sixty steps teach at least that piece names and ends are rare.
  expect(first).toBeGreaterThan(4.2);
  expect(last).toBeLessThan(first - 0.1);
  await expect(page.getByRole('list', { name: 'Likeliest answers' }).getByRole('listitem').first()).toBeVisible();
  await expect(run.getByText(/plies legal, at step/)).toBeVisible();
  await expect(page.getByRole('img', { name: /knight/i }).first()).toBeVisible();

  // The rules that it knows, by keyboard.
  const rules = page.getByRole('region', { name: 'Which rules does it know?' });
  const [highest, second] = [0, 1].map((row) => rules.locator('tbody').getByRole('button').nth(row));
  await highest.focus();
  await page.keyboard.press('Tab');
  await expect(second).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(second).toHaveAttribute('aria-pressed', 'true');
  await expect(rules.getByRole('slider', { name: await second.innerText() })).toBeVisible();
  await accessible(page);

  // Probe begins with what was trained, and with its games.
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  const model = page.getByRole('combobox', { name: 'Model' });
  await expect(model.getByRole('option', { selected: true })).toContainText('step 60');
  const other = page.getByText('The model learned from other games.');
  await expect(button(page, 'Ask')).toBeEnabled();
  await expect(other).toBeHidden();
  await model.selectOption('shipped');
  await expect(other).toBeVisible();
});

test('pause holds, step takes one, continue goes on, stop keeps what was learned', async ({ page }) => {
  await open(page, `${quick}&schedule.steps=4000`);
  await button(page, 'Train').click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(5);
  await button(page, 'Pause').click();
  await expect(page.getByText(/^Paused/)).toBeVisible();
  const held = await stepOf(page);
  await page.waitForTimeout(500);
  expect(await stepOf(page)).toBe(held);
  await button(page, 'Step').click();
  await expect.poll(() => stepOf(page)).toBe(held + 1);
  await button(page, 'Continue').click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(held + 3);
  await stop(page);
  await page.goto('/#/runs');
  await expect(button(page, /^Resume/).first()).toBeVisible();
});

test('the address is the experiment', async ({ page }) => {
  await open(page, 'model.pattern=caa&seed=9');
  expect(page.url()).toContain('model.pattern=caa');
  expect(page.url()).toContain('seed=9');
  await page.goto('/?model.width=banana&preset=gigantic');
  await expect(page.getByText(/preset "gigantic"/)).toBeVisible();
  await expect(page.getByText(/model.width=banana/)).toBeVisible();
});

test('terms explain themselves by keyboard, and the header lists them', async ({ page }) => {
  await page.goto('/#/data');
  const term = page.getByRole('button', { name: 'perplexity' }).first();
  await term.press('Enter');
  const note = page.getByRole('note').filter({ hasText: 'equally likely' });
  await expect(note).toBeVisible();
  await accessible(page);
  await page.keyboard.press('Escape');
  await expect(note).toBeHidden();
  await expect(term).toBeFocused();

  const opener = page.getByRole('button', { name: 'Help' });
  await opener.press('Enter');
  await page.getByRole('button', { name: 'Glossary' }).press('Enter');
  const glossary = page.getByRole('dialog', { name: 'Glossary' });
  await glossary.getByRole('searchbox').fill('muon');
  await expect(glossary.getByRole('term')).toHaveText(['Muon']);
  await accessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(glossary).toBeHidden();
  await expect(opener).toBeFocused();
});

test('a link to a model that no tab can train says its size and what to change, and Train waits for that', async ({
  page,
}) => {
  const huge = '/?preset=plain&model.layers=48&model.width=2048&model.heads=16&model.context=1024&batch=';
  const settings = page.getByRole('region', { name: 'Experiment', exact: true });
  for (const [batch, remedy] of [
    [512, 'choose a smaller batch or context'],
    [1, 'choose fewer layers or a smaller width'],
  ] as const) {
    await page.goto(`${huge}${batch}`);
    await expect(settings).toContainText(/takes about [\d,]+ GB of memory, and a browser tab has 16 GB at most/);
    await expect(settings).toContainText(remedy);
    await expect(button(page, 'Train')).toBeDisabled();
  }
});

test('an address of 30 KB opens the page, which says what it left out', async ({ page }) => {
  for (const address of ['/?', '/#/train?']) {
    // A change of the fragment alone would load nothing anew.
    await page.goto('about:blank');
    await page.goto(`${address}batch=3&model.none=${'1'.repeat(30_000)}`);
    await expect(page.getByText('which this build does not know')).toBeVisible();
    await expect(page).toHaveURL(/batch=3/);
    expect(page.url().length).toBeLessThan(200);
  }
  // Settings that are too long for a query stay in the address from page to page.
  const questions = JSON.stringify({
    ...{ from: null, perGame: 1, perLine: 1, goals: 'released', learn: 'line' },
    own: Array.from({ length: 7 }, (_, i) => ({
      name: `q${i}`,
      indicator: `Q${9 + i}`,
      expression: 'count("X") + '.repeat(37) + '1',
    })),
  });
  await page.goto(`/?domain=noughts&preset=splat-tlm-small&batch=3&questions=${encodeURIComponent(questions)}`);
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page).toHaveURL(/\/#\/runs\?.{6000}.*batch=3/);
  await page.reload();
  await expect(page).toHaveURL(/\/#\/runs\?.{6000}.*batch=3/);
  await page.goto(`/?batch=3&model.none=${'1'.repeat(90_000)}`);
  await expect(page.getByText('64,000 at most')).toBeVisible();
});
