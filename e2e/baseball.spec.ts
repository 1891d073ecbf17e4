import type { Page } from '@playwright/test';
import { button, expect, openSettings, savedCurve, stepOf, test } from './lab.ts';

/** A model that reads forty steps of baseball in seconds. */
const quickest =
  'model.layers=1&model.width=32&model.heads=2&model.mlp=64&model.context=300&schedule.steps=40&batch=2&evaluation.every=40&evaluation.games=2&evaluation.instances=12&checkpointEvery=10&data.limit=60';

const run = (page: Page) => page.getByRole('region', { name: 'Run', exact: true });

/** What a chart of the run says at its newest point: "legal 71.6, ...". */
const curve = (page: Page, title: RegExp) => run(page).getByRole('slider', { name: title });

async function trained(page: Page): Promise<void> {
  await button(page, 'Train').click();
  await expect.poll(() => stepOf(page)).toBe(40);
  await expect(run(page).getByText(/^Finished/)).toBeVisible();
}

test('a newcomer turns to baseball, trains on made-up games, then on questions, and finds both again', async ({
  page,
}) => {
  await page.goto('/');
  const game = page.getByRole('combobox', { name: 'Game', exact: true });
  await game.selectOption('Baseball');
  await expect(page).toHaveURL(/\?domain=baseball/);
  await expect(page.getByRole('heading', { name: 'A model that has never seen a game' })).toBeVisible();
  const world = page.getByRole('region', { name: 'World' });
  await expect(world.getByRole('img', { name: /(Top|Bottom) of the/ })).toBeVisible();

  await page.goto(`/?domain=baseball&${quickest}`);
  await expect(game).toHaveValue('baseball');
  await expect(button(page, 'Train')).toBeEnabled();
  await trained(page);
  const rows = (await savedCurve(page)).trim().split('\n');
  const [first, last] = [/^1,/, /^40,/].map((step) => Number(rows.find((row) => step.test(row))!.split(',')[1]));
  // Uniform over 144 tokens is 4.97 nats; forty steps teach at least which of them are rare.
  expect(first).toBeGreaterThan(4.5);
  expect(last).toBeLessThan(first - 0.5);
  await expect(curve(page, /^Next token/)).toHaveAttribute('aria-valuetext', /legal \d/);
  await expect(curve(page, /^Assignment/)).toHaveCount(0);
  await expect(world.getByText(/on tokens that the rules allow/)).toBeVisible();

  // Fine-tuning starts where that run ended, and its questions are scored.
  await openSettings(page);
  await page.locator('summary', { hasText: 'Reads' }).click();
  await page.getByRole('radio', { name: /^Questions about games/ }).check();
  await page.locator('summary', { hasText: 'Starts from' }).click();
  const starts = page.getByRole('combobox', { name: 'First weights' });
  await starts.selectOption(await starts.locator('option', { hasText: '40 steps' }).getAttribute('value'));
  await expect(page).toHaveURL(/questions=/);
  await expect(page).toHaveURL(/model\.width=32/);
  await trained(page);
  await expect(curve(page, /^Next token/)).toHaveAttribute('aria-valuetext', /legal \d/);
  await expect(curve(page, /^Assignment/)).toHaveAttribute('aria-valuetext', /right \d/);
  await expect(curve(page, /^Winning/)).toHaveAttribute('aria-valuetext', /right \d/);

  // The address keeps the game and the questions; the list of runs tells both runs and what they scored.
  await page.reload();
  await expect(game).toHaveValue('baseball');
  await expect(page.locator('summary', { hasText: 'Reads' })).toContainText('Questions about games');
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  const listed = page.getByRole('row').filter({ hasText: 'Baseball' });
  await expect(listed).toHaveCount(2);
  await expect(listed.filter({ hasText: /on questions, from/ })).toContainText(/Assignment/);

  // Chess is where it was.
  await game.selectOption('Chess');
  await expect(page).toHaveURL(/\/(\?[^d][^#]*)?#\/runs$/);
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(page.getByRole('grid', { name: 'Board' })).toBeVisible();
});

test('a link to a game that the lab does not have is told, and opens the lab', async ({ page }) => {
  await page.goto('/?domain=poker');
  await expect(page.getByText(/"poker" is no game of this lab/)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Game', exact: true })).toHaveValue('chess');
});
