import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeServiceWorker } from '../scripts/service-worker.ts';
import { button, expect, quick, test as base } from './lab.ts';
import { StaticHost } from './static-host.ts';

const built = new URL('../dist', import.meta.url).pathname;

const test = base.extend<{ host: StaticHost; address: string }>({
  host: async ({}, use) => {
    const host = new StaticHost(built);
    await use(host);
    host.stop();
  },
  address: async ({ host }, use) => use(await host.start()),
});
test.use({ serviceWorkers: 'allow' });

/** A copy of the built lab without its suites, half of what it stores: enough for tests that open none. */
function withoutSuites(folder: string): string {
  cpSync(built, folder, { recursive: true, filter: (path) => !/suites\/(?!index\.json$)/.test(path) });
  writeServiceWorker(folder);
  return folder;
}

/** Waits until the page says that it is stored, and returns what it says. */
async function stored(page: Page): Promise<string> {
  await button(page, 'Help').click();
  const says = page.getByText(/^Works without a network: \d+ MB/);
  await expect(says).toBeVisible();
  const text = await says.innerText();
  await page.keyboard.press('Escape');
  return text;
}

const caches = (page: Page) => page.evaluate(() => globalThis.caches.keys());

test('after one visit the lab opens, answers and trains without a network', async ({ page, host, address }) => {
  await page.goto(`${address}?${quick}`);
  await expect(page.getByText(/^Shipped model, 1.6 million parameters/)).toBeVisible();
  await stored(page);
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then(({ length }) => length))).toBe(1);

  await page.context().setOffline(true);
  host.stop();
  await page.reload();
  await expect(page.getByText(/^Shipped model, 1.6 million parameters/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Likeliest answers' }).getByRole('listitem')).toHaveCount(6);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await button(page, 'Train').click();
  await expect(page.getByText('Finished.')).toBeVisible();
  for (const name of ['Play', 'Probe', 'Suites', 'Compare', 'Runs', 'Data']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.locator('main').getByRole('heading', { name, exact: true, level: 1 })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Suites', exact: true }).click();
  await page.getByRole('list', { name: 'Suites' }).getByRole('button').first().click();
  await expect(page.getByRole('table').first()).toBeVisible();
});

test('without a network the small taught model answers where no other was used', async ({
  page,
  host,
  address,
}, info) => {
  host.folder = withoutSuites(info.outputPath('lab'));
  await page.addInitScript(() => {
    // A slow line on the first visit only.
    const effectiveType = localStorage.getItem('visited') === null ? '3g' : '4g';
    Object.defineProperty(navigator, 'connection', { value: { effectiveType }, configurable: true });
  });
  await page.goto(address);
  await expect(page.getByText(/^Small taught shipped model/)).toBeVisible();
  await stored(page);
  await page.evaluate(() => localStorage.setItem('visited', ''));
  host.stop();
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText(/^Small taught shipped model/)).toBeVisible();
});

/** A later version of the lab: its page says so, and two of its files have other names. */
function laterVersion(folder: string): void {
  withoutSuites(folder);
  const assets = join(folder, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const moved = ['first', 'Suites'].map((name) => ({
    from: scripts.find((script) => script.startsWith(`${name}-`))!,
    to: `${name}-later.js`,
  }));
  const renamed = (text: string): string => moved.reduce((all, { from, to }) => all.replaceAll(from, to), text);
  for (const name of scripts) writeFileSync(join(assets, name), renamed(readFileSync(join(assets, name), 'utf8')));
  for (const { from, to } of moved) renameSync(join(assets, from), join(assets, to));
  const page = renamed(readFileSync(join(folder, 'index.html'), 'utf8'));
  writeFileSync(join(folder, 'index.html'), page.replace('<body>', '<body data-version="later">'));
  writeServiceWorker(folder);
}

test('an update is taken at a visit, whole, and not while another tab shows the version before', async ({
  page,
  host,
  address,
}, info) => {
  host.folder = withoutSuites(info.outputPath('lab'));
  const folder = info.outputPath('later');
  laterVersion(folder);
  const version = (tab: Page) => tab.evaluate(() => document.body.dataset.version ?? 'first').catch(() => '');
  const waiting = () => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));
  await page.goto(address);
  await expect(button(page, 'Train')).toBeEnabled();
  await stored(page);
  const [before] = await caches(page);

  host.folder = folder;
  const other = await page.context().newPage();
  await other.goto(address);
  await expect(button(other, 'Train')).toBeEnabled();
  await expect.poll(waiting).toBe(true);
  expect([await version(page), await version(other)]).toEqual(['first', 'first']);
  // The host no longer has this chunk; the page has it from its copy.
  await page.getByRole('link', { name: 'Suites', exact: true }).click();
  await expect(page.locator('main').getByRole('heading', { name: 'Suites', level: 1 })).toBeVisible();

  await page.goto(address);
  await expect(button(page, 'Train')).toBeEnabled();
  expect(await version(page)).toBe('first');
  await other.close();
  // The browser may count a closed tab for a while. A visit that ends at once is not given the time to take the update.
  await expect(async () => {
    await page.goto(address);
    await expect.poll(() => version(page), { timeout: 10_000 }).toBe('later');
  }).toPass();
  await expect(button(page, 'Train')).toBeEnabled();
  const names = await caches(page);
  expect(names).toHaveLength(1);
  expect(names).not.toContain(before);
  await page.getByRole('link', { name: 'Suites', exact: true }).click();
  await expect(page.locator('main').getByRole('heading', { name: 'Suites', level: 1 })).toBeVisible();
});

test('files of another version than the worker’s are not stored', async ({ page, host, address }, info) => {
  const folder = withoutSuites(info.outputPath('mixed'));
  const suite = join(folder, 'suites', 'index.json');
  writeFileSync(suite, `${readFileSync(suite, 'utf8')} `);
  host.folder = folder;
  await page.goto(address);
  await expect(button(page, 'Train')).toBeEnabled();
  await button(page, 'Help').click();
  await expect(page.getByText('/suites/index.json is of another version of the lab.')).toBeVisible();
  await page.reload();
  await expect(button(page, 'Train')).toBeEnabled();
});

test('where the host has something else now, the lab leaves', async ({ page, host, address }, info) => {
  host.folder = withoutSuites(info.outputPath('lab'));
  await page.goto(address);
  await stored(page);
  const folder = info.outputPath('another');
  cpSync(join(built, 'icons'), join(folder, 'icons'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<h1>Another project</h1>');
  host.folder = folder;
  await page.goto(address);
  const left = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length).catch(() => -1);
  await expect.poll(left).toBe(0);
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Another project' })).toBeVisible();
});
