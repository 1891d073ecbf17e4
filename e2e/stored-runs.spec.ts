import type { Page } from '@playwright/test';
import { button, damageStoredRun, expect, open, quick, stepOf, test, trainToEnd } from './lab.ts';

/** Checkpoints far apart, and more steps than the test waits for. */
const rare = quick
  .replace('schedule.steps=60', 'schedule.steps=100000')
  .replace('checkpointEvery=10', 'checkpointEvery=90000');

async function trained(page: Page): Promise<void> {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=20'));
  await trainToEnd(page);
}

const clearFiles = (page: Page): Promise<void> =>
  page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry('runs', { recursive: true }));

async function runsPage(page: Page): Promise<void> {
  await page.goto('/#/runs');
  await page.reload();
}

test('a run cut off seconds after its start has a checkpoint; a notice put away stays away', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { asked: 0 });
    StorageManager.prototype.persist = async () => ++(window as unknown as { asked: number }).asked > 0;
  });
  await open(page, rare);
  expect(await page.evaluate('asked')).toBe(0);
  await button(page, 'Train').click();
  await expect(page.getByText(/Saved at step [1-9]/)).toBeVisible();
  // The browser was asked to keep what the run stores.
  expect(await page.evaluate('asked')).toBe(1);
  await page.reload();
  const notice = page.getByText(/was interrupted\. Resume goes on from its checkpoint of step [1-9]/);
  await expect(notice).toBeVisible();
  await button(page, 'Not now').click();
  await expect(notice).toBeHidden();
  await runsPage(page);
  await expect(button(page, /^Resume/)).toHaveCount(1);
  await expect(notice).toBeHidden();
});

test('a run whose storage is cleared goes on and stores its next checkpoint, by which it is found again', async ({
  page,
  context,
}) => {
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=100000'));
  await button(page, 'Train').click();
  await expect(page.getByText(/Saved at step [1-9]/)).toBeVisible();
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await expect(page.getByText(/The run list could not be written/)).toBeVisible();
  const cleared = await stepOf(page);
  await expect.poll(() => stepOf(page)).toBeGreaterThan(cleared + 30);
  await button(page, 'Stop').click();
  await expect(page.getByText(/^Stopped/)).toBeVisible();
  await runsPage(page);
  await expect(page.getByText(/made again from its newest checkpoint/)).toBeVisible();
  await expect(button(page, /^Resume/)).toHaveCount(1);
});

test('a run without a row, or with a damaged one, is made again from its checkpoint; without files it is only deleted', async ({
  page,
}) => {
  await trained(page);
  for (const config of ['lost', null] as const) {
    await damageStoredRun(page, config);
    await runsPage(page);
    await expect(page.getByText(/made again from its newest checkpoint/)).toBeVisible();
  }
  await button(page, /^Open /).click();
  await expect(page.getByText(/^Finished/)).toBeVisible();

  await clearFiles(page);
  await runsPage(page);
  await expect(page.getByText(/checkpoints are gone/)).toBeVisible();
  await expect(button(page, /^(Resume|Open|Start) /)).toHaveCount(0);

  // A damaged row without files keeps no other back.
  await damageStoredRun(page, null);
  await trained(page);
  await runsPage(page);
  await expect(page.getByText(/settings cannot be used/)).toBeVisible();
  await expect(button(page, /^Open /)).toHaveCount(1);
  await button(page, /^Delete /)
    .first()
    .click();
  await button(page, 'Delete the run').click();
  await expect(button(page, /^Delete /)).toHaveCount(1);
});
