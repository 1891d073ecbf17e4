import type { Page } from '@playwright/test';
import { accessible, button, expect, openSettings, test } from './lab.ts';

/** A model that learns noughts and crosses, and questions about it, in seconds. */
const quick =
  'domain=noughts&model.layers=2&model.width=48&model.heads=2&model.context=32&batch=16&schedule.steps=60&evaluation.every=60&evaluation.games=5&evaluation.instances=12&checkpointEvery=60';

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const topic = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const model = (page: Page) => page.getByRole('combobox', { name: /^Model/ });

async function train(page: Page): Promise<void> {
  await expect(button(page, 'Train')).toBeEnabled();
  await button(page, 'Train').click();
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(run.getByText(/^Finished/)).toBeVisible();
}

async function ask(page: Page, many: string): Promise<void> {
  await page.getByRole('spinbutton', { name: 'Questions of each kind' }).fill(many);
  await page.getByRole('spinbutton', { name: 'Games for perplexity' }).fill('5');
  await button(page, 'Ask').click();
  await expect(page.getByRole('table', { name: /Table 3.*Noughts/ })).toBeVisible();
}

test('a game is learned, then questions about it; the Probe page tells what the model knows', async ({ page }) => {
  // The model that comes with the lab and a run that has read games alone are asked what may come next.
  await page.goto(`/?${quick}#/probe`);
  await expect(model(page)).toHaveValue('shipped');
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await train(page);
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  await expect(page.getByText(/games alone, in whole words/)).toBeVisible();
  await ask(page, '20');
  await expect(button(page, /: Legal verbs, \d/)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Assignment' })).toHaveCount(0);
  await topic(page, 'Probability mass').check();
  await expect(button(page, /: Legal mass, \d/)).toBeVisible();
  await tab(page, 'State').click();
  await expect(page.getByText(/choose “Questions about games”/)).toBeVisible();

  await page.getByRole('link', { name: 'Train page' }).click();
  await openSettings(page);
  await page.locator('summary', { hasText: 'Reads' }).click();
  await page.getByRole('radio', { name: /^Questions about games/ }).check();
  await page.locator('summary', { hasText: 'Starts from' }).click();
  const starts = page.getByRole('combobox', { name: 'First weights' });
  await starts.selectOption((await starts.locator('option', { hasText: '60 steps' }).getAttribute('value'))!);
  await expect(page).toHaveURL(/questions=/);
  // To answer takes longer than to read.
  await page.goto(page.url().replace('schedule.steps=60', 'schedule.steps=300'));
  await train(page);

  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  const tuned = model(page).getByRole('option', { name: /questions/ });
  await expect(tuned).toBeAttached();
  await model(page).selectOption((await tuned.getAttribute('value'))!);
  await expect(page.getByText(/fine-tuned on questions about noughts/)).toBeVisible();
  await tab(page, 'SPLAT').click();
  await ask(page, '100');
  await topic(page, 'Answers').check();
  const table = page.getByRole('table', { name: /Table 3.*Noughts/ });
  const assignment = table
    .getByRole('button', { name: /fine-tuned|Finetuned/ })
    .filter({ hasText: /^\d/ })
    .nth(1);
  await expect(assignment).toHaveAccessibleName(/: Assignment, \d/);
  // Parameters and Legal Verbs, then assignment.
  const chance = Number(
    await table
      .getByRole('row', { name: /^Random baseline/ })
      .getByRole('cell')
      .nth(2)
      .textContent(),
  );
  expect(chance).toBeGreaterThan(20);
  expect(Number(await assignment.textContent())).toBeGreaterThan(chance + 5);
  await expect(page.getByRole('table', { name: /what fine-tuning makes a model forget/ })).toBeVisible();

  // A number leads to its questions, and a question to its picture; wrong ones come first.
  await assignment.click();
  const behind = page.getByRole('region', { name: 'Questions behind the number' });
  const answers = behind.getByRole('listitem');
  await expect(answers).toHaveCount(12);
  await expect(answers.first()).toContainText(/After \d moves?: (what is on [abc][123]|whose turn is it)\?/);
  await expect(answers.first()).toContainText('; it is ');
  await behind.getByRole('radio', { name: 'Right' }).check();
  await expect(answers.first()).toContainText(', which is right');
  await expect(answers.first().getByRole('img')).toHaveAccessibleName(/a1 (empty|X|O)/);
  await accessible(page);

  await topic(page, 'Probability mass').check();
  await expect(page.getByRole('figure', { name: 'Where the probability goes' }).locator('rect.bf-bar')).not.toHaveCount(
    0,
  );
  await topic(page, 'Memorisation').check();
  await expect(page.getByRole('table', { name: /^Questions by distance/ })).toBeVisible();
  await accessible(page);

  // The state is reconstructed move by move, and scrubbed by keyboard.
  await tab(page, 'State').click();
  const strip = page.getByRole('slider', { name: 'Event of the game' });
  await expect(strip).toBeVisible();
  await page.getByRole('textbox', { name: /^Game/ }).fill('b2 a1 c3');
  await button(page, 'Look').click();
  await expect(strip).toHaveAttribute('aria-valuetext', /^after event 3, c3, \d+ of 10 right$/);
  await strip.press('ArrowLeft');
  await expect(strip).toHaveAttribute('aria-valuetext', /^after event 2, a1, /);
  const scene = page.getByRole('group', { name: 'The state, true and believed' });
  await expect(scene.getByRole('img').first()).toHaveAccessibleName(/a1 O, .*b2 X, .*c3 empty, turn X/);
  await scene.press('ArrowLeft');
  await expect(scene.getByRole('img').first()).toHaveAccessibleName(/a1 empty, .*b2 X/);
  await expect(scene.getByRole('img').nth(1)).toHaveAccessibleName(/^The model believes: a1 /);
  await accessible(page);
  await page.getByRole('textbox', { name: /^Game/ }).fill('b2 b2');
  await expect(page.getByRole('alert')).toContainText(/b2/);

  // What was kept is there after a reload.
  await page.reload();
  await model(page).selectOption((await tuned.getAttribute('value'))!);
  await tab(page, 'SPLAT').click();
  await expect(page.getByLabel('Assessments of this model')).toContainText('300 questions and 100 beginnings');
  await expect(page.getByRole('table', { name: /Table 3.*Noughts/ })).toBeVisible();
});
