import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import type { Download, Page } from '@playwright/test';
import { button, expect, open, quick, test } from './lab.ts';

/** The Probe page with the shipped model opened. */
async function openProbe(page: Page, tab = 'Scores'): Promise<void> {
  await page.goto('/#/probe');
  await expect(page.getByText(/parameters, a piece name before/)).toBeVisible();
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

/** Probes a few positions after 51 to 100 plies. */
async function probe(page: Page, positions: string): Promise<void> {
  await page.getByRole('radio', { name: positions, exact: true }).check();
  await page.getByRole('radio', { name: '51 to 100', exact: true }).check();
  await page.getByRole('spinbutton', { name: 'Games for perplexity' }).fill('5');
  await button(page, 'Probe').click();
}

async function textOf(download: Download): Promise<string> {
  let text = '';
  for await (const chunk of await download.createReadStream()) text += chunk;
  return text;
}

const clean = async (page: Page): Promise<void> =>
  expect(
    (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
  ).toEqual([]);

test('twenty positions are probed; a number leads to its positions, and a position to its prompt', async ({ page }) => {
  await openProbe(page);
  await probe(page, '20');
  await expect(page.getByRole('heading', { name: 'After 51 to 100 plies' })).toBeVisible({ timeout: 60_000 });
  const gallery = page.getByRole('region', { name: 'Positions behind the number' });
  await page.getByRole('button', { name: /^End, the piece that moved: Legal, / }).click();
  await expect(gallery).toContainText('20 positions');
  await expect(gallery.getByRole('listitem')).toHaveCount(12);
  await clean(page);

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Save: After 51 to 100 plies' })
      .click()
      .then(() => button(page, 'CSV').click()),
  ]);
  expect((await textOf(saved)).split('\r\n')[1]).toMatch(/^"End, the piece that moved",\d/);

  await page.getByRole('tab', { name: 'Scores' }).press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Errors' })).toBeFocused();
  const wrong = page.getByRole('button', { name: /^End, the piece that moved: All wrong, / });
  const errors = Number(await wrong.textContent());
  await wrong.click();
  await expect(gallery).toContainText(`All wrong ${errors} position`);
  await expect(gallery.getByRole('listitem')).toHaveCount(Math.min(12, errors));
  await clean(page);
  await gallery.getByRole('button').first().click();
  await expect(page).toHaveURL(/#\/train$/);
  const prompt = await page.getByRole('textbox', { name: 'Prompt' }).inputValue();
  expect(prompt.split(' ').at(-1)).toMatch(/^[a-h][1-8]$/);
  await expect(page.locator(`ol[data-prompt="${prompt}"]`)).toBeVisible();
  // The answer on the Train page is the wrong one that was counted.
  await expect(page.getByRole('list', { name: 'Likeliest answers' }).getByRole('button').first()).toHaveClass(/wrong/);

  await page.reload();
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  await expect(page.getByLabel('Kept assessments of this model')).toContainText('20 positions of each kind');
  await expect(page.getByRole('heading', { name: 'After 51 to 100 plies' })).toBeVisible();
});

test('a measurement can be cancelled, and one whose worker dies takes nothing else with it', async ({ page }) => {
  await openProbe(page);
  await page.getByRole('checkbox', { name: 'Random play too' }).check();
  await probe(page, '1,000');
  await expect(page.getByRole('progressbar', { name: 'Probing' })).toBeVisible();
  await button(page, 'Cancel').click();
  await expect(button(page, 'Probe')).toBeEnabled({ timeout: 30_000 });
  await expect(page.getByRole('alert')).toHaveCount(0);

  await button(page, 'Probe').click();
  await expect(page.getByRole('progressbar', { name: 'Probing' })).toBeVisible();
  const worker = page.workers().find((candidate) => candidate.url().includes('measure.worker'))!;
  await worker.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('the measuring broke');
      }),
  );
  await expect(page.getByText(/Measuring stopped unexpectedly.*the measuring broke/)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Random play too' }).uncheck();
  await probe(page, '20');
  await expect(page.getByRole('heading', { name: 'After 51 to 100 plies' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Likeliest answers' })).toBeVisible();
});

test('a game is scrubbed by keyboard, and bad games are refused with a reason', async ({ page }) => {
  await openProbe(page, 'Board');
  const strip = page.getByRole('slider', { name: 'Ply of the game' });
  await expect(strip).toHaveAttribute('aria-valuenow', '22', { timeout: 60_000 });
  await strip.press('ArrowLeft');
  await strip.press('ArrowLeft');
  await expect(strip).toHaveAttribute('aria-valuetext', /^after ply 20, c6e7, agreement \d/);
  const pieces = page.getByRole('list', { name: 'Pieces that may move' });
  await expect(pieces.getByRole('button', { name: /^bishop on c4/ })).toBeVisible();
  await pieces.getByRole('button', { name: /^bishop on c4/ }).focus();
  await expect(page.getByText(/The bishop on c4: .*% of the model’s answers are legal/)).toBeVisible();
  await clean(page);
  const [saved] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV').click()]);
  expect((await textOf(saved)).trim().split('\n')).toHaveLength(1 + 23 * 64);

  const game = page.getByRole('textbox', { name: 'Game, in any notation' });
  for (const [text, words] of [
    ['', /no moves here/],
    ['e2e4 e7e5 e1e3', /Ply 3/],
    ['<img src=x onerror=alert(1)>', /Ply 1/],
    ['g1f3 g8f6 f3g1 f6g8 '.repeat(200), /does not fit this model/],
    ['x'.repeat(100_000), /100000 characters/],
  ] as const) {
    await game.fill(text);
    await button(page, 'Look').click();
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible({ timeout: 20_000 });
  }
  await expect(strip).toHaveAttribute('aria-valuenow', '20');
});

test('a game at random is looked at at once, and the small boards are those of the kinds that are there', async ({
  page,
}) => {
  await openProbe(page, 'Board');
  const strip = page.getByRole('slider', { name: 'Ply of the game' });
  await expect(strip).toHaveAttribute('aria-valuenow', '22', { timeout: 60_000 });
  const game = page.getByRole('textbox', { name: 'Game, in any notation' });
  const example = await game.inputValue();
  await button(page, 'A game of this set at random').click();
  await expect(game).not.toHaveValue(example, { timeout: 60_000 });
  const moves = (await game.inputValue()).split(' ');
  await expect(strip).toHaveAttribute('aria-valuemax', `${moves.length}`, { timeout: 60_000 });
  await expect(strip).toHaveAttribute('aria-valuetext', new RegExp(`^after ply ${moves.length}, ${moves.at(-1)}`));
  await expect(page.getByRole('img', { name: `The true board: After ply ${moves.length}, ` })).toBeVisible();

  const queenless = 'e2e4 e7e5 d2d4 e5d4 d1d4 b8c6 g1f3 c6d4';
  await game.fill(queenless);
  await button(page, 'Look').click();
  await expect(strip).toHaveAttribute('aria-valuenow', '8', { timeout: 60_000 });
  await expect(page.getByRole('img', { name: /^From where the model would move a / })).toHaveCount(5);
  await expect(page.getByRole('img', { name: 'From where the model would move a queen' })).toHaveCount(0);
  await button(page, 'Open as a prompt').click();
  await expect(button(page, 'Ask for the knight')).toBeVisible();
  await expect(button(page, 'Ask for the queen')).toHaveCount(0);
});

test('a story is retold with a piece elsewhere; where that cannot be, the page says so', async ({ page }) => {
  await openProbe(page, 'What if');
  await button(page, 'Ask both').click();
  const both = page.getByRole('region', { name: 'Both answers' });
  await expect(both).toContainText('The board is the one you asked for', { timeout: 60_000 });
  await expect(both).toContainText(/bits apart/);
  // Once the pawn is back on d2 the bishop has no move: what is said there is named wrong, as on the Train page.
  const answers = both.getByRole('list', { name: 'The changed story: likeliest answers' }).getByRole('button');
  await expect(answers.first()).toHaveText(/path obstruction: pawn on d2/);
  await expect(answers.first()).toHaveClass(/wrong/);
  const token = (await answers.first().locator('.token').textContent())!;
  const changed = both.getByRole('row').filter({ has: page.getByRole('rowheader', { name: token }) });
  await expect(changed.getByRole('cell').nth(1)).toHaveClass(/is-wrong/);
  await expect(both.locator('rect.wrong')).not.toHaveCount(0);
  const first = both.getByRole('list', { name: 'The story: likeliest answers' }).getByRole('button').first();
  await expect(first).toHaveText(/legal/);
  await expect(first).not.toHaveClass(/wrong/);
  await page.getByRole('radio', { name: 'Add a piece' }).check();
  await page.getByRole('textbox', { name: 'Square' }).fill('d4');
  await button(page, 'Ask both').click();
  await expect(page.getByRole('alert')).toContainText(/taken/);
  await clean(page);
});

test('rules are tried on a few games', async ({ page }) => {
  await openProbe(page, 'Soundness');
  for (const [name, words] of [
    ['Playing alone', /of 2 games without an illegal ply/],
    ['Under attack', /plays at random/],
    ['Two ways to one position', /2 pairs of each/],
  ] as const) {
    const part = page.getByRole('region', { name });
    await part.getByRole('spinbutton').first().fill('2');
    // Games that begin alike would be one game then.
    if (name === 'Playing alone') await part.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
    await part.getByRole('button', { name: /^Run/ }).click();
    await expect(part).toContainText(words, { timeout: 90_000 });
    if (name === 'Playing alone')
      await expect(part).toContainText('At temperature 0, each after the first 10 plies of a held-out game.');
  }
  await clean(page);
});

test('a BIG-bench file is scored; broken ones are refused with the place', async ({ page }) => {
  await openProbe(page, 'BIG-bench');
  const task = {
    name: 'chess_state_tracking_made_here',
    examples: [
      { input: 'e2e4 e7e5 g1f3 b8c6 f1', target: ['e2', 'd3', 'c4', 'b5', 'a6'] },
      { input: 'e2e4 e7e5 g1', target: ['f3', 'h3', 'e2'] },
    ],
  };
  const give = (name: string, content: string) =>
    page
      .getByRole('tabpanel')
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  await give('task.json', JSON.stringify(task));
  const result = page.getByRole('region', { name: 'BIG-bench result' });
  await expect(result).toContainText('of 2 answers right', { timeout: 60_000 });
  // One of five, and one of three: 26.7 percent.
  await expect(result).toContainText('26.7%');
  for (const [name, content, words] of [
    ['empty.json', '', /empty\.json: the file is empty/],
    ['cut.json', JSON.stringify(task).slice(0, 90), /cut\.json: .*middle of its JSON/],
    ['wrong.json', JSON.stringify({ ...task, examples: [{ input: 'e2e4 e7e5 e1e3 a1', target: 'a2' }] }), /example 1/],
  ] as const) {
    await give(name, content);
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
  }
  await expect(result).toContainText('task.json');
  await clean(page);
});

test('a model’s own files are measured, and files that are none are refused', async ({ page }) => {
  await openProbe(page);
  const files = page.locator('input[type=file]').first();
  await files.setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from([1, 2, 3]) });
  await expect(page.getByRole('alert')).toContainText('no model in cat.png');
  const folder = ['model.safetensors', 'config.json', 'blindfold.json'].map((name) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: readFileSync(new URL(`../public/checkpoints/chess/${name}`, import.meta.url)),
  }));
  await files.setInputFiles([{ ...folder[0], buffer: folder[0].buffer.subarray(0, 5000) }, ...folder.slice(1)]);
  await expect(page.getByRole('alert')).toContainText(/ends too early|cut/);
  await files.setInputFiles(folder);
  await expect(page.getByRole('combobox', { name: /^Model/ })).toHaveValue('files');
  await expect(page.getByText(/\d layers of 128/)).toBeVisible();
  await probe(page, '20');
  await expect(page.getByRole('heading', { name: 'After 51 to 100 plies' })).toBeVisible({ timeout: 60_000 });
});

test('a run is measured at its newest checkpoint while it goes on', async ({ page }) => {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=100000'));
  await button(page, 'Train').click();
  await expect(page.getByText(/Saved at step [1-9]/)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  const model = page.getByRole('combobox', { name: /^Model/ });
  const run = model.getByRole('option', { name: /, step [1-9]/ });
  await expect(run).toBeAttached();
  await model.selectOption((await run.getAttribute('value'))!);
  await expect(page.getByText(/one layer of 32/)).toBeVisible();
  await probe(page, '20');
  await expect(page.getByRole('heading', { name: 'After 51 to 100 plies' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /^End, another piece: Legal, / }).click();
  await page.getByRole('region', { name: 'Positions behind the number' }).getByRole('listitem').first().click();
  // The run answers there itself, so there is nothing to warn of.
  await expect(page.getByRole('list', { name: 'Likeliest answers' })).toBeVisible();
  await expect(page.getByText(/You asked about/)).toHaveCount(0);

  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  await model.selectOption('shipped');
  await page.getByRole('tab', { name: 'Board' }).click();
  await expect(page.getByRole('slider', { name: 'Ply of the game' })).toBeVisible({ timeout: 60_000 });
  await button(page, 'Open as a prompt').click();
  await expect(page.getByText(/You asked about the shipped model. On this page .* answers/)).toBeVisible();
});
