import type { Page } from '@playwright/test';
import { accessible, button, expect, openSettings, savedBy, test, textOf } from './lab.ts';

/** A model that reads a few questions about noughts and crosses in seconds. */
const quickest =
  'domain=noughts&model.layers=1&model.width=32&model.heads=2&model.context=32&batch=8&schedule.steps=40&evaluation.every=20&evaluation.games=5&evaluation.instances=24&checkpointEvery=40';

const QUESTION = 'crosses on the board';

const section = (page: Page, name: string) => page.locator('summary', { hasText: name });

test('a question of one’s own is written, tried, learned and scored; a bad one is told and loses nothing', async ({
  page,
}) => {
  await page.goto(`/?${quickest}`);
  await openSettings(page);
  await section(page, 'Reads').click();
  await page.getByRole('radio', { name: /^Questions about games/ }).check();
  await section(page, 'Custom questions').click();
  await button(page, 'Write a question').click();

  // What is wrong is said in words, nothing can be kept so, and what was typed stays.
  const form = page.getByRole('form', { name: 'A custom question' });
  const name = form.getByRole('textbox', { name: 'Name' });
  const answer = form.getByRole('textbox', { name: 'Answer, from the state' });
  await expect(name).toBeFocused();
  await name.fill('Crosses');
  await answer.fill('count("Y")');
  await expect(form.getByRole('alert')).toContainText('A name begins with a small letter');
  await expect(answer).toHaveAccessibleDescription(/^Character 7: .*"Y"/);
  await expect(answer).toHaveAttribute('aria-invalid', 'true');
  await expect(button(page, 'Keep it')).toBeDisabled();
  await answer.fill('count("X"');
  await expect(form.getByText('A ) is missing here for a ( before.')).toBeVisible();
  await expect(answer).toHaveValue('count("X"');
  await expect(name).toHaveValue('Crosses');
  await accessible(page);

  // Right answers at the points of sample games: crosses begin, so that two or more are often there.
  await name.fill(QUESTION);
  await answer.fill('count("X")');
  const tried = form.getByRole('table', { name: /^Right answers at \d+ points of 100 games/ });
  await expect(tried).toBeVisible();
  await expect(tried.getByRole('row', { name: /^2 .*%$/ })).toBeVisible();
  const shares = await tried.getByRole('cell').filter({ hasText: '%' }).allTextContents();
  const sum = shares.reduce((total, share) => total + parseFloat(share), 0);
  expect(sum).toBeGreaterThan(99);
  expect(sum).toBeLessThan(101);
  await button(page, 'Keep it').click();
  const own = page.getByRole('list', { name: 'Custom questions' });
  await expect(own.getByRole('listitem')).toHaveText([new RegExp(`${QUESTION}.*count\\("X"\\)`)]);

  // A bad change that is given up leaves the question as it was.
  await own.getByRole('button', { name: new RegExp(`^${QUESTION}`) }).click();
  await answer.fill('count(');
  await expect(button(page, 'Keep it')).toBeDisabled();
  await button(page, 'Cancel').click();
  await expect(own.getByRole('listitem')).toContainText(['count("X")']);

  await button(page, 'Train').click();
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(run.getByText(/^Finished/)).toBeVisible();
  await expect(run.getByRole('slider', { name: new RegExp(QUESTION, 'i') })).toHaveAttribute(
    'aria-valuetext',
    /right \d/,
  );
  await expect(run.getByText(new RegExp(`in .*\\d+ of ${QUESTION}`))).toBeVisible();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Noughts' })).toContainText(/Crosses on the board\s*\d/);

  // Asked on the Probe page, it is a column of the tables there and on the Compare page, and leads to its answers.
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  await page.getByRole('spinbutton', { name: 'Questions of each kind' }).fill('20');
  await page.getByRole('spinbutton', { name: 'Games for perplexity' }).fill('5');
  await button(page, 'Ask').click();
  await expect(page.getByRole('columnheader', { name: `Custom: ${QUESTION}` })).toBeVisible();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'SPLAT' })).toBeChecked();
  // Each game has a table of the same title.
  const index = page.getByRole('navigation', { name: 'Tables and figures' });
  await index
    .getByRole('listitem')
    .filter({ hasText: /Table 3/ })
    .getByRole('link')
    .first()
    .click();
  const table = page.getByRole('table', { name: /Table 3.*Noughts/ });
  await table.getByRole('button', { name: new RegExp(`Custom: ${QUESTION}, .*Show its questions`) }).click();
  const answers = page.getByRole('region', { name: 'Questions behind the number' });
  await expect(answers.getByRole('listitem')).toHaveCount(12);
  await expect(answers.getByRole('img').first()).toHaveAccessibleName(/a1 (empty|X|O)/);
  await accessible(page);
  expect(await textOf(await savedBy(page, button(page, 'Save all as HTML')))).toContain(`Custom: ${QUESTION}`);
  await answers.getByRole('button', { name: 'Open on the Train page' }).first().click();

  // The settings still have the question.
  await page.reload();
  await openSettings(page);
  await section(page, 'Reads').waitFor();
  await expect(section(page, 'Custom questions')).toContainText(QUESTION);
});
