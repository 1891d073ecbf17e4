import type { Page } from '@playwright/test';
import {
  accessible,
  asFile,
  breakWorker,
  button,
  expect,
  open,
  quick,
  savedBy,
  shippedModel,
  test,
  textOf,
} from './lab.ts';

/** The Probe page with the shipped model opened. */
async function openProbe(page: Page, tab = 'Chess testbed'): Promise<void> {
  await page.goto('/#/probe');
  await expect(page.getByText(/parameters, a piece name before/)).toBeVisible();
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

/** Probes a few positions after 51 to 100 plies. */
async function probe(page: Page, positions: string): Promise<void> {
  await page.getByRole('spinbutton', { name: 'Positions of each kind' }).fill(positions);
  await page.getByRole('checkbox', { name: '5 to 50' }).uncheck();
  await page.getByRole('spinbutton', { name: 'Games for perplexity' }).fill('5');
  await button(page, 'Ask').click();
}

test('twenty positions are probed; a number leads to its positions, and a position to its prompt', async ({ page }) => {
  await openProbe(page);
  await probe(page, '20');
  await expect(page.getByRole('table', { name: 'Table 6: ending squares' })).toBeVisible();
  const answers = page.getByRole('region', { name: 'Positions behind the number' });
  const legal = page
    .getByRole('table', { name: 'Table 6: ending squares' })
    .getByRole('button', { name: /: Piece moved in the game: legal, %, / });
  await legal.click();
  await expect(answers).toContainText('20 answers');
  await expect(answers.getByRole('listitem')).toHaveCount(12);

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Save: Table 6: ending squares' })
      .click()
      .then(() => button(page, 'CSV').click()),
  ]);
  expect((await textOf(saved)).split('\r\n')[1]).toMatch(/,UCI \+ RAP 35,.*,\d/);
  expect((await textOf(await savedBy(page, button(page, 'Save these as CSV')))).trim().split('\r\n')).toHaveLength(21);

  // Every wrong answer to an End question is of one kind, and opens as a prompt.
  await page.getByRole('radio', { name: 'Errors', exact: true }).check();
  await expect(page.getByRole('table', { name: 'Table 6: ending squares' })).toHaveCount(0);
  const kinds = page.getByRole('region', { name: 'Figure 5: wrong answers by kind' });
  const kind = kinds.locator('button:enabled').first();
  const errors = Number((await kind.textContent())!.split(': ')[1]);
  expect(errors).toBeGreaterThan(0);
  await kind.click();
  await expect(answers).toContainText(errors === 1 ? '1 answer.' : `${errors} answers.`);
  await expect(answers.getByRole('listitem')).toHaveCount(Math.min(12, errors));
  await accessible(page);
  await answers.getByRole('button', { name: 'Open on the Train page' }).first().click();
  await expect(page).toHaveURL(/#\/train&prompt=/);
  const prompt = await page.getByRole('textbox', { name: 'Prompt' }).inputValue();
  expect(prompt.split(' ').at(-1)).toMatch(/^[a-h][1-8]$/);
  await expect(page.locator(`ol[data-prompt="${prompt}"]`)).toBeVisible();
  // The answer on the Train page is the wrong one that was counted.
  await expect(page.getByRole('list', { name: 'Likeliest answers' }).getByRole('button').first()).toHaveClass(/wrong/);

  await page.reload();
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  await expect(page.getByLabel('Assessments of this model')).toContainText('20 positions of each kind');
  await expect(page.getByRole('table', { name: 'Table 6: ending squares' })).toBeVisible();
});

test('a measurement can be cancelled, and one whose worker dies takes nothing else with it', async ({ page }) => {
  await openProbe(page);
  await page.getByRole('checkbox', { name: 'Random play too' }).check();
  await probe(page, '1000');
  await expect(page.getByRole('progressbar', { name: 'Chess testbed' })).toBeVisible();
  await button(page, 'Cancel').click();
  await expect(button(page, 'Ask')).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await button(page, 'Ask').click();
  await expect(page.getByRole('progressbar', { name: 'Chess testbed' })).toBeVisible();
  await breakWorker(page, 'measure', 'the measuring broke');
  await expect(page.getByText(/Measuring stopped unexpectedly.*the measuring broke/)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Random play too' }).uncheck();
  await probe(page, '20');
  await expect(page.getByRole('table', { name: 'Table 6: ending squares' })).toBeVisible();
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Likeliest answers' })).toBeVisible();
});

test('a game is scrubbed by keyboard, and bad games are refused with a reason', async ({ page }) => {
  await openProbe(page, 'Board');
  const strip = page.getByRole('slider', { name: 'Ply of the game' });
  await expect(strip).toHaveAttribute('aria-valuenow', '22');
  await strip.press('ArrowLeft');
  await strip.press('ArrowLeft');
  await expect(strip).toHaveAttribute('aria-valuetext', /^after ply 20, c6e7, agreement \d/);
  const pieces = page.getByRole('list', { name: 'Pieces that may move' });
  await expect(pieces.getByRole('button', { name: /^bishop on c4/ })).toBeVisible();
  await pieces.getByRole('button', { name: /^bishop on c4/ }).focus();
  await expect(page.getByText(/The bishop on c4: .*% of the model’s answers are legal/)).toBeVisible();
  await accessible(page);
  expect((await textOf(await savedBy(page, button(page, 'CSV')))).trim().split('\n')).toHaveLength(1 + 23 * 64);

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
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
  }
  await expect(strip).toHaveAttribute('aria-valuenow', '20');
});

test('a game at random is looked at at once, and the small boards are those of the kinds that are there', async ({
  page,
}) => {
  await openProbe(page, 'Board');
  const strip = page.getByRole('slider', { name: 'Ply of the game' });
  await expect(strip).toHaveAttribute('aria-valuenow', '22');
  const game = page.getByRole('textbox', { name: 'Game, in any notation' });
  const example = await game.inputValue();
  await button(page, 'A game of this set at random').click();
  await expect(game).not.toHaveValue(example);
  const moves = (await game.inputValue()).split(' ');
  await expect(strip).toHaveAttribute('aria-valuemax', `${moves.length}`);
  await expect(strip).toHaveAttribute('aria-valuetext', new RegExp(`^after ply ${moves.length}, ${moves.at(-1)}`));
  await expect(page.getByRole('img', { name: `The true board: After ply ${moves.length}, ` })).toBeVisible();

  const queenless = 'e2e4 e7e5 d2d4 e5d4 d1d4 b8c6 g1f3 c6d4';
  await game.fill(queenless);
  await button(page, 'Look').click();
  await expect(strip).toHaveAttribute('aria-valuenow', '8');
  await expect(page.getByRole('img', { name: /^From where the model would move a / })).toHaveCount(5);
  await expect(page.getByRole('img', { name: 'From where the model would move a queen' })).toHaveCount(0);
  await button(page, 'Open as a prompt').click();
  await expect(button(page, 'Ask for the knight')).toBeVisible();
  await expect(button(page, 'Ask for the queen')).toHaveCount(0);
});

test('a prefix is changed so that a piece stands elsewhere; where that cannot be, the page says so', async ({
  page,
}) => {
  await openProbe(page, 'What if');
  await button(page, 'Ask both').click();
  const both = page.getByRole('region', { name: 'Both answers' });
  await expect(both).toContainText('The board is the one you asked for');
  await expect(both).toContainText(/bits apart/);
  // Once the pawn is back on d2 the bishop has no move: what is said there is named wrong, as on the Train page.
  const answers = both.getByRole('list', { name: 'The changed prefix: likeliest answers' }).getByRole('button');
  await expect(answers.first()).toHaveText(/path obstruction: pawn on d2/);
  await expect(answers.first()).toHaveClass(/wrong/);
  const token = (await answers.first().locator('.token').textContent())!;
  const changed = both.getByRole('row').filter({ has: page.getByRole('rowheader', { name: token }) });
  await expect(changed.getByRole('cell').nth(1)).toHaveClass(/is-wrong/);
  await expect(both.locator('rect.wrong')).not.toHaveCount(0);
  const first = both.getByRole('list', { name: 'The prefix: likeliest answers' }).getByRole('button').first();
  await expect(first).toHaveText(/legal/);
  await expect(first).not.toHaveClass(/wrong/);
  await page.getByRole('radio', { name: 'Add a piece' }).check();
  await page.getByRole('textbox', { name: 'Square' }).fill('d4');
  await button(page, 'Ask both').click();
  await expect(page.getByRole('alert')).toContainText(/taken/);
  await accessible(page);
});

test('rules are tried on a few games', async ({ page }) => {
  await openProbe(page);
  for (const [name, field, expected] of [
    ['Playing alone', 'Number of games', /Games without an illegal move, %/],
    ['Under attack', 'Games for each opponent', /plays at random/],
    ['Two ways to one position', 'Pairs', /Compression, %/],
  ] as const) {
    await page.getByRole('tab', { name }).click();
    const form = page.getByRole('form', { name });
    await form.getByRole('spinbutton', { name: field, exact: true }).fill('2');
    // Games that begin alike would be one game then.
    if (name === 'Playing alone') await form.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
    await form.getByRole('button', { name: 'Ask' }).click();
    const table = page.getByRole('table', { name });
    await expect(table).toContainText(expected);
    if (name === 'Playing alone') {
      await expect(table).toContainText('temperature 0');
      await page.getByText('What to bear in mind with these numbers').click();
      await expect(page.getByText(/each game after the first 10 plies of a held-out game/)).toBeVisible();
      await expect(page.getByRole('figure', { name: 'Plies that it plays' })).toBeVisible();
    }
  }
  await accessible(page);
});

test('a BIG-bench file is scored; broken ones are refused with the place', async ({ page }) => {
  await openProbe(page, 'BIG-bench chess state tracking');
  const task = {
    name: 'chess_state_tracking_made_here',
    examples: [
      { input: 'e2e4 e7e5 g1f3 b8c6 f1', target: ['e2', 'd3', 'c4', 'b5', 'a6'] },
      { input: 'e2e4 e7e5 g1', target: ['f3', 'h3', 'e2'] },
    ],
  };
  const give = async (name: string, content: string): Promise<void> => {
    const files = page.getByRole('tabpanel').locator('input[type=file]');
    await files.setInputFiles(asFile(name, content, 'application/json'));
    await expect(page.getByRole('form')).toContainText(name);
    await button(page, 'Ask').click();
  };
  await give('task.json', JSON.stringify(task));
  const table = page.getByRole('table', { name: 'BIG-bench chess state tracking' });
  await expect(table).toContainText('task.json');
  // One of five, and one of three: 26.7 percent.
  await expect(table).toContainText('26.7');
  await button(page, /: Right, %, .* Show its questions$/).click();
  const answers = page.getByRole('region', { name: 'Questions behind the number' });
  await expect(answers.getByRole('listitem')).toHaveCount(2);
  for (const [name, content, words] of [
    ['empty.json', '', /empty\.json: the file is empty/],
    ['cut.json', JSON.stringify(task).slice(0, 90), /cut\.json: .*ends in the middle/],
    ['wrong.json', JSON.stringify({ ...task, examples: [{ input: 'e2e4 e7e5 e1e3 a1', target: 'a2' }] }), /example 1/],
  ] as const) {
    await give(name, content);
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
  }
  await expect(table).toContainText('task.json');
  await accessible(page);
  await answers.getByRole('button', { name: 'Open on the Train page' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(/ [gf]1$/);
});

test('a model’s own files are measured, and files that are none are refused', async ({ page }) => {
  await openProbe(page);
  const files = page.locator('input[type=file]').first();
  await files.setInputFiles(asFile('cat.png', Uint8Array.of(1, 2, 3), 'image/png'));
  await expect(page.getByRole('alert')).toContainText('no model in cat.png');
  const folder = shippedModel();
  await files.setInputFiles([{ ...folder[0], buffer: folder[0].buffer.subarray(0, 5000) }, ...folder.slice(1)]);
  await expect(page.getByRole('alert')).toContainText(/ends too early|cut/);
  await files.setInputFiles(folder);
  await expect(page.getByRole('combobox', { name: /^Model/ })).toHaveValue('files');
  await expect(page.getByText(/\d layers of 96/)).toBeVisible();
  await probe(page, '20');
  await expect(page.getByRole('table', { name: 'Table 6: ending squares' })).toBeVisible();
});

test('a run is measured at its newest checkpoint while it goes on', async ({ page }) => {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=100000'));
  await button(page, 'Train').click();
  await expect(page.getByText(/Saved at step [1-9]/)).toBeVisible();
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  const model = page.getByRole('combobox', { name: /^Model/ });
  const run = model.getByRole('option', { name: /, step [1-9]/ });
  await expect(run).toBeAttached();
  await model.selectOption((await run.getAttribute('value'))!);
  // Training has both cores meanwhile.
  await expect(page.getByText(/one layer of 32/)).toBeVisible();
  await probe(page, '20');
  await expect(page.getByRole('table', { name: 'Table 6: ending squares' })).toBeVisible();
  await button(page, /: Another piece: legal, %, /)
    .first()
    .click();
  await page
    .getByRole('region', { name: 'Positions behind the number' })
    .getByRole('button', { name: 'Open on the Train page' })
    .first()
    .click();
  // The run answers there itself, so there is nothing to warn of.
  await expect(page.getByRole('list', { name: 'Likeliest answers' })).toBeVisible();
  await expect(page.getByText(/You asked about/)).toHaveCount(0);

  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  await model.selectOption('shipped');
  await page.getByRole('tab', { name: 'Board' }).click();
  await expect(page.getByRole('slider', { name: 'Ply of the game' })).toBeVisible();
  await button(page, 'Open as a prompt').click();
  await expect(page.getByText(/You asked about the shipped model. On this page .* answers/)).toBeVisible();
});
