import type { Page } from '@playwright/test';
import { accessible, button, expect, openInIndex, quick, savedBy, test, textOf } from './lab.ts';

const runs = quick.replace('schedule.steps=60', 'schedule.steps=120');

async function rowsOf(page: Page, table: RegExp): Promise<number> {
  return page.getByRole('table', { name: table }).locator('tbody tr').count();
}

test('before anything is measured, the records of the shipped models give one answer and fill the tables', async ({
  page,
}) => {
  await page.goto('/#/compare');
  await expect(page.getByText(/^Pieces found after .*shipped model \d.*interval.*shipped model \d/s)).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'the small shipped model' });
  await expect(row).toContainText('measured when the model was made');
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  await expect(page.getByLabel('Assessments of this model')).toContainText('Measured when the model was made');
  await expect(page.getByRole('table', { name: /^Table 6/ }).getByRole('row')).not.toHaveCount(0);
  await expect(button(page, 'Delete')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('noughts');
  const answers = page.getByRole('table', { name: /Table 3/ });
  await expect(answers).toContainText(/\d\d\.\d/);
  // On a phone no number is beyond the edge.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('baseball');
  const score = answers.getByRole('row', { name: /^Next token \d\d/ }).first();
  await expect(score).toBeVisible();
  const box = (await score.boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(390);
});

test('a sweep survives a reload, and its runs fill the tables as they finish', async ({ page }) => {
  await page.goto(`/?${runs}#/compare`);
  await expect(button(page, 'Queue these 2 runs')).toBeEnabled();
  await accessible(page);
  await page.getByText(/^Measured on/).click();
  await page.getByLabel('Positions for each').fill('6');
  await page.getByLabel('Games for perplexity').fill('4');
  await button(page, 'Queue these 2 runs').click();

  const queue = page.getByRole('region', { name: /^Sweep,/ });
  await expect(queue.getByRole('listitem')).toHaveCount(2);
  // Beyond its first checkpoints, so that the reload cuts it off in the middle.
  await expect(queue.getByText(/step ([4-9]\d|1\d\d) of 120/)).toBeVisible();
  await page.reload();
  await expect(queue.getByText(/step ([3-9]\d|1\d\d) of 120/)).toBeVisible();
  await expect(page.getByText('was interrupted')).toHaveCount(0);

  const perplexity = page.getByRole('table', { name: /perplexity/i });
  await expect(perplexity.locator('tbody tr')).toHaveCount(1);
  await expect(queue.getByText('All runs are done.')).toBeVisible();
  await expect(perplexity.locator('tbody tr')).toHaveCount(2);
  // The index leads to each table and figure, one at a time, and each has an address.
  await openInIndex(page, /Table 6$/);
  await expect.poll(() => rowsOf(page, /^Table 6/)).toBeGreaterThanOrEqual(2);
  await expect(perplexity).toBeHidden();
  await expect(page).toHaveURL(/#\/compare\/testbed\/./);
  await page.reload();
  await expect.poll(() => rowsOf(page, /^Table 6/)).toBeGreaterThanOrEqual(2);
  await page.goBack();
  await expect(perplexity).toBeVisible();

  await page.goto('/#/runs');
  await expect(page.getByRole('row').filter({ hasText: 'finished' })).toHaveCount(2);
  await page.goto('/#/compare');
  await button(page, /^Save: .*perplexity/i).click();
  expect((await textOf(await savedBy(page, button(page, 'CSV').first()))).trim().split('\r\n')).toHaveLength(3);

  const saved = await savedBy(page, button(page, 'Save all as JSON'));
  const { study, assessments } = JSON.parse(await textOf(saved)) as {
    study: string;
    assessments: { sets: unknown[] }[];
  };
  expect(study).toBe('testbed');
  expect(assessments.map(({ sets }) => sets.length)).toEqual([2, 2]);

  await openInIndex(page, /Table 6$/);
  await button(page, /Show its positions$/)
    .first()
    .click();
  const answers = page.getByRole('region', { name: 'Positions behind the number' });
  await expect(answers.getByRole('img').first()).toBeVisible();
  await accessible(page);
  await answers.getByRole('listitem').first().getByRole('button').click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).not.toHaveValue('');
});

test('opened anew, the page asks before it goes on with a sweep', async ({ context }) => {
  const first = await context.newPage();
  await first.goto(`/?${quick.replace('schedule.steps=60', 'schedule.steps=4000')}#/compare`);
  await button(first, 'Queue these 2 runs').click();
  await expect(first.getByText(/step \d\d of 4,000/)).toBeVisible();
  await first.close();

  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByText(/A sweep was begun earlier/)).toBeVisible();
  await button(second, 'Continue the sweep').first().click();
  await expect(second.getByText(/step \d+ of 4,000/)).toBeVisible();
  await button(second, 'Pause the sweep').click();
  await expect(second.getByText(/^Paused/)).toBeVisible();
});

/** What the Probe page would have kept of an attack on a model. */
const attack = {
  id: 'attack',
  study: 'soundness',
  run: null,
  createdAt: 1_700_000_000_000,
  asked: { games: 'Engine self-play' },
  assessment: {
    subject: {
      ...{ name: 'nano', kind: 'gpt2', layers: 1, width: 32, parameters: 20_000, window: null, notation: 'uci' },
      ...{ objective: 'next', games: 'embedded', trainGames: 50, steps: 60, tokens: 1000, seed: 1 },
    },
    games: 4,
    rows: [
      {
        ...{
          adversary: 'random',
          attackSuccess: 0.5,
          ci95: [0.1, 0.9],
          legalMoves: 0.9,
          pliesToSuccess: 12,
          resigned: 0,
        },
        examples: [{ prompt: 'e2e4 e7e5', wrote: 'g1g3', words: 'the knight on g1 does not move like that' }],
      },
    ],
  },
};

test('whatever study has something kept is compared, and lets go of it', async ({ page }) => {
  await page.goto('/#/compare');
  const choice = page.getByRole('group', { name: 'Tables and figures of' });
  await expect(choice.getByRole('radio')).toHaveCount(5);
  await page.evaluate(
    (record) =>
      new Promise<void>((done) => {
        const opening = indexedDB.open('blindfold-soundness', 1);
        // Where the page has not come to it yet.
        opening.onupgradeneeded = () => opening.result.createObjectStore('assessments', { keyPath: 'id' });
        opening.onsuccess = () => {
          const writing = opening.result.transaction('assessments', 'readwrite');
          writing.objectStore('assessments').put(record);
          writing.oncomplete = () => done();
        };
      }),
    attack,
  );
  await page.reload();
  await choice.getByRole('radio', { name: 'Under attack' }).check();
  await expect(page.getByText('4 games for each opponent, from Engine self-play')).toBeVisible();
  await button(page, /Attack succeeds.*50\.0/).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'What does the model answer?' })).toContainText('g1g3');
  await accessible(page);
  await button(page, 'Delete the assessment of nano').click();
  await button(page, 'Delete the assessment').click();
  await expect(button(page, 'Delete the assessment of nano')).toHaveCount(0);
  // The records of the shipped models stay.
  await expect(page.getByText('100 games for each opponent, measured when the model was made').first()).toBeVisible();
  await page.goto('about:blank');
  await page.goto('/#/compare');
  await expect(choice.getByRole('radio')).toHaveCount(5);
});
