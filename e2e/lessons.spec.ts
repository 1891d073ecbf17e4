import { LESSONS } from '../src/ui/lessons/lessons.ts';
import { accessible, expect, test } from './lab.ts';

test('every lesson is taken to its end by keyboard', async ({ page }) => {
  await page.goto('/#/lessons');
  const panel = page.getByRole('complementary', { name: 'Lesson' });
  for (const { id, title, steps } of LESSONS) {
    await page.getByRole('heading', { name: title }).getByRole('link').press('Enter');
    for (const [at, step] of steps.entries()) {
      await expect(panel.getByRole('heading')).toHaveText(`${at + 1} of ${steps.length} ${step.title}`);
      // The model of baseball that comes with the lab has learned no questions, and so there is no tab for its state.
      const place = id === 'count' ? step.place.hash.replace('/state', '') : step.place.hash;
      await expect.poll(() => page.url()).toContain(place);
      const right = step.check.answers.find((answer) => answer.right)!;
      await panel.getByRole('radio', { name: right.text, exact: true }).press('Space');
      await expect(panel.getByRole('status')).toContainText(`Right. ${right.why}`);
      const on =
        at === steps.length - 1
          ? panel.getByRole('link', { name: 'Finish' })
          : panel.getByRole('button', { name: 'Next' });
      await on.press('Enter');
    }
    const listed = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
    await expect(listed).toContainText(`${steps.length} of ${steps.length} answered rightly`);
    await expect(panel).toBeHidden();
  }
});

test('a link leads to a step and its settings, which a reload keeps; a wrong one is told', async ({ page }) => {
  await page.goto('/#/lessons/count/2');
  const panel = page.getByRole('complementary', { name: 'Lesson' });
  await expect(panel.getByRole('heading')).toContainText('2 of 4');
  await expect(page.getByRole('combobox', { name: 'Game' })).toHaveValue('baseball');
  await accessible(page);
  await page.reload();
  await expect(panel.getByRole('heading')).toContainText('2 of 4');
  await panel.getByRole('button', { name: 'Leave the lesson' }).click();
  await expect(panel).toBeHidden();

  await page.goto('/#/lessons/count/99');
  await expect(page.getByText('a lesson or a step that there is not')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Lessons' })).toBeVisible();
});

test('a sheet has every question and no answer; a phone folds the step away', async ({ page }) => {
  await page.goto('/#/lessons/sheet/rules');
  const article = page.getByRole('article');
  await expect(article.getByRole('heading', { level: 1 })).toHaveText('Which rule is hardest?');
  await expect(article).toContainText('What must the model remember?');
  await expect(article).not.toContainText('The history of the game counts');
  await accessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/#/lessons/rules/1');
  const next = page.getByRole('button', { name: 'Next' });
  await expect(next).toBeInViewport();
  await page.getByRole('button', { name: 'Fold the step away' }).click();
  await expect(next).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
