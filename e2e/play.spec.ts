import type { Page } from '@playwright/test';
import { button, centreOf, drag, expect, test } from './lab.ts';

/** Moves of an embedded game, after which the shipped model wants to leave its king in check. */
const CONFUSING =
  'h2h3.a7a6.b1c3.d7d5.e2e4.b7b5.e4d5.g8f6.d2d4.c8b7.f1d3.f6d5.c3d5.b7d5.d1g4.b8d7.a2a4.h7h5.g4g3.h5h4.g3g5.e7e5.g5d8.a8d8.g1f3.e5e4.d3e4.d5e4.e1f1.e4f3.c1g5.f3h5.a1e1.d7e5.g2g4.f8d6.g4h5.f7f6.d4e5.d6e5.e1e5';

const moves = (page: Page) => page.getByRole('list', { name: 'Moves' });
const status = (page: Page) => page.locator('.status');

/** Waits until the model has answered, and White is to move again. */
async function answered(page: Page, plies: number): Promise<void> {
  await expect(moves(page).getByRole('button')).toHaveCount(plies);
  await expect(status(page)).toHaveText(/your move/);
}

/** Clicks on squares of the board, one after another. */
async function click(page: Page, ...squares: string[]): Promise<void> {
  for (const square of squares) await page.mouse.click(...(await centreOf(page, square)));
}

test('a game against the shipped model by mouse, by click and by keyboard, and back through it', async ({ page }) => {
  await page.goto('/#/play');
  await expect(status(page)).toHaveText('White to move: your move.');
  // Dragged.
  await drag(page, 'e2', 'e3', 'e4');
  await answered(page, 2);
  // Clicked: the piece, then its square. A piece cannot go where the rules forbid it.
  await click(page, 'g1', 'g4');
  await expect(status(page)).toContainText(/knight/);
  await click(page, 'f3');
  await answered(page, 4);
  // By keyboard, from square to square.
  await button(page, /^f1, white bishop/).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await expect(button(page, /^e2, empty, legal answer/)).toBeFocused();
  await page.keyboard.press('Enter');
  await answered(page, 6);
  await expect(moves(page)).toContainText('e4');
  await expect(moves(page)).toContainText('Be2');
  await expect(page.getByRole('list', { name: 'Its first choices' }).getByRole('listitem')).toHaveCount(5);

  // Arrow keys and clicks go to any move; the board shows that position, and nothing can be played there.
  await moves(page).focus();
  await page.keyboard.press('Home');
  await expect(button(page, /^e2, white pawn/)).toBeAttached();
  await page.keyboard.press('ArrowRight');
  await expect(button(page, /^e4, white pawn/)).toBeAttached();
  await moves(page).getByRole('button', { name: 'Nf3' }).click();
  await expect(button(page, /^f1, white bishop/)).toBeAttached();
  await click(page, 'd2');
  await expect(status(page)).toContainText('earlier position');
  // A move is taken back with the model's answer to it.
  await button(page, 'Take back').click();
  await answered(page, 4);
});

test('an illegal choice is shown, counted, and stops the game where one asks for it', async ({ page }) => {
  await page.goto(`/#/play&moves=${CONFUSING}`);
  await expect(page.locator('.said')).toContainText('which is illegal');
  await expect(page.locator('.said')).toContainText('It plays its best legal move instead');
  await expect(page.locator('.side', { hasText: 'shipped' })).toContainText('1 of 1 choices illegal');
  await page.getByLabel('Stop at its first illegal move').check();
  await button(page, 'New game').click();
  await expect(status(page)).toHaveText('Stopped at an illegal move by Black.');
  // The board shows the choice where it would have gone, and what forbids it.
  await expect(page.locator('svg .wrong')).toBeVisible();
  await button(page, /and go on$/).click();
  await expect(status(page)).toHaveText(/your move/);
  await expect(page.locator('.side', { hasText: 'shipped' })).toContainText('1 of 1 choices illegal');
});

test('two models play each other, the same game for the same seed, and it opens in another browser', async ({
  page,
  browser,
}) => {
  await page.goto('/#/play&white=shipped&temperature=1&seed=5');
  await button(page, 'Start the game').click();
  await expect.poll(() => moves(page).getByRole('button').count()).toBeGreaterThan(5);
  await button(page, 'Pause').click();
  const six = async (): Promise<string[]> => (await moves(page).getByRole('button').allTextContents()).slice(0, 6);
  const first = await six();
  await button(page, 'New game').click();
  await button(page, 'Start the game').click();
  await expect.poll(() => moves(page).getByRole('button').count()).toBeGreaterThan(5);
  await button(page, 'Pause').click();
  expect(await six()).toEqual(first);

  await expect(page).toHaveURL(/moves=/);
  const fresh = await browser.newPage();
  await fresh.goto(page.url());
  await expect.poll(() => moves(fresh).getByRole('button').count()).toBeGreaterThan(5);
  expect((await moves(fresh).getByRole('button').allTextContents()).slice(0, 6)).toEqual(first);
  await expect(fresh.getByLabel('Seed')).toHaveValue('5');
  await expect(fresh.getByRole('combobox', { name: 'White' })).toHaveValue('shipped');
  await fresh.close();
});

test('a position of FEN begins a game; what is no position or too long gives a sentence and the plain page', async ({
  page,
}) => {
  await page.goto('/#/play');
  await expect(status(page)).toHaveText(/your move/);
  await page.getByText('Begin from another position').click();
  const field = page.getByLabel('Moves or position');
  await field.fill('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
  await button(page, 'Begin here').click();
  await expect(button(page, /^c5, black pawn/)).toBeAttached();
  await field.fill('8/8/4k3/8/8/3QK3/8/8 w - - 0 60');
  await button(page, 'Begin here').click();
  await expect(page.getByRole('alert')).toContainText('paste the moves');
  for (const [at, hostile] of ['e2e4.e7', 'e2e4.'.repeat(2000), '%3Cscript%3E&white=run:gone'].entries()) {
    await page.goto(`/#/play&moves=${hostile}`);
    await expect(page.getByText(/The link's moves could not be read/)).toHaveCount(at + 1);
    await expect(button(page, /^e2, white pawn/)).toBeAttached();
  }
  await expect(page.getByText(/player of White is not on this device/)).toBeVisible();
});

test('noughts is played on its picture, and baseball says what to do instead', async ({ page }) => {
  await page.goto('/?domain=noughts#/play&o=you');
  await expect(status(page)).toHaveText('X to move: your move.');
  for (const square of ['a1', 'b1', 'a2', 'b2', 'a3']) await button(page, square).click();
  await expect(status(page)).toHaveText('The game is over: X wins.');
  // The game is changed where one plays.
  const game = page.getByRole('combobox', { name: 'Game', exact: true });
  await game.selectOption('Chess');
  await button(page, /^e2, white pawn/).focus();
  await page.keyboard.press('Enter');
  await game.selectOption('Noughts and crosses');
  await expect(status(page)).toHaveText('X to move: your move.');
  // The model that comes with the lab answers as O.
  await page.getByRole('combobox', { name: 'O', exact: true }).selectOption('The shipped model');
  await button(page, 'b2').click();
  await expect(status(page)).toHaveText('X to move: your move.');
  await expect(page.locator('.side', { hasText: 'shipped' })).toContainText('0 of 1 choices illegal');
  await page.goto('/?domain=baseball#/play');
  await expect(page.getByText(/Let the model play/)).toBeVisible();
});

test('strength is estimated with an interval, and can be cancelled', async ({ page }) => {
  await page.goto('/#/play');
  await button(page, /^Estimate/).click();
  await expect(page.getByRole('progressbar', { name: 'Strength' })).toBeVisible();
  await button(page, 'Cancel').click();
  await expect(page.getByRole('progressbar', { name: 'Strength' })).toBeHidden();
  await expect(page.getByText(/against random moves in 20 games/)).toHaveCount(0);
  // Games of nine plies are over sooner.
  await page.goto('/?domain=noughts#/play');
  await button(page, /^Estimate/).click();
  await expect(page.getByText(/Scores \d+ to \d+% against random moves in 20 games; \d+ to \d+% of its/)).toBeVisible();
});

test('a promotion asks which piece, by mouse, by touch and by keyboard', async ({ page }) => {
  // White promotes on a8; the pieces lie over the file.
  await page.goto('/#/play&moves=a2a4.b7b5.a4b5.a7a6.b5a6.c8b7.a6b7.b8c6&black=you');
  const choice = page.getByRole('group', { name: 'The pawn becomes' });
  const choices = choice.getByRole('button');
  await answered(page, 8);
  await click(page, 'b7', 'b8');
  await expect(choices).toHaveCount(4);
  // Elsewhere on the page it is put away, and the pawn is where it was.
  await page.getByRole('heading', { name: 'Play', exact: true }).click();
  await expect(choice).toHaveCount(0);
  await expect(button(page, /^b7, white pawn/)).toBeAttached();
  // Dragged.
  await drag(page, 'b7', 'a8');
  await choice.getByRole('button', { name: 'knight' }).click();
  await expect(button(page, /^a8, white knight/)).toBeAttached();
  await expect(moves(page)).toContainText('bxa8=N');
  await button(page, 'Take back').click();
  // By keyboard; Escape takes the move back.
  for (const press of [['Escape'], ['ArrowDown', 'Enter']]) {
    await button(page, /^b7, white pawn/).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(choices.first()).toBeFocused();
    for (const key of press) await page.keyboard.press(key);
    await expect(choice).toHaveCount(0);
  }
  await expect(button(page, /^b8, white rook/)).toBeFocused();
});

test.describe('on a screen that is touched', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('the board has the full width and nothing is cut off; a pawn becomes a bishop', async ({ page }) => {
    await page.goto('/#/play&moves=a2a4.b7b5.a4b5.a7a6.b5a6.c8b7.a6b7.b8c6&black=you');
    await answered(page, 8);
    const board = (await page.getByRole('grid', { name: 'Board' }).boundingBox())!;
    expect(board.width).toBeGreaterThan(340);
    expect(board.y + board.height).toBeLessThan(700);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.getByRole('grid', { name: 'Board' }).scrollIntoViewIfNeeded();
    await page.touchscreen.tap(...(await centreOf(page, 'b7')));
    await page.touchscreen.tap(...(await centreOf(page, 'b8')));
    await page.getByRole('group', { name: 'The pawn becomes' }).getByRole('button', { name: 'bishop' }).tap();
    await expect(button(page, /^b8, white bishop/)).toBeAttached();
  });
});

test('a position that no short game reaches does not hold the page up', async ({ page }) => {
  await page.goto('/#/play');
  await expect(status(page)).toHaveText('White to move: your move.');
  await page.getByText('Begin from another position').click();
  // All pieces at home and all rights to castle, but Black to move: the whole budget is searched.
  await page.getByLabel('Moves or position').fill('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1');
  // A timer of the page runs while the search goes on only if the search is elsewhere.
  await page.evaluate(() => {
    const during = ((globalThis as unknown as { during: string[] }).during = [] as string[]);
    const shown = document.querySelector('.status')!;
    new MutationObserver(() => setTimeout(() => during.push(shown.textContent))).observe(shown, {
      characterData: true,
      subtree: true,
      childList: true,
    });
  });
  await button(page, 'Begin here').click();
  await expect(page.getByRole('alert')).toContainText('no short game was found');
  await expect(status(page)).toHaveText('White to move: your move.');
  expect(await page.evaluate(() => (globalThis as unknown as { during: string[] }).during)).toContain(
    'Looking for a game that leads to this position.',
  );
});
