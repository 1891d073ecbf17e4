import type { AddressInfo } from 'node:net';
import { preview } from 'vite';
import { button, expect, quick, test as base } from './lab.ts';

/** The built folder on a host that sends no headers of ours, in a folder of somebody's web space. */
const test = base.extend<object, { host: string }>({
  host: [
    async ({}, use) => {
      const server = await preview({
        configFile: false,
        base: '/school/lab/',
        preview: { port: 0 },
        logLevel: 'error',
      });
      const { port } = server.httpServer.address() as AddressInfo;
      await use(`http://localhost:${port}/school/lab/`);
      await server.close();
    },
    { scope: 'worker' },
  ],
});

test('on a host that sends no headers the page isolates itself, so that threads can be had', async ({ page, host }) => {
  const response = await page.goto(`${host}?${quick}`);
  expect(response?.headers()).not.toHaveProperty('cross-origin-embedder-policy');
  await expect(button(page, 'Train')).toBeEnabled();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(page.url()).toContain('model.mlp=64');
  expect(page.workers().length).toBeGreaterThan(0);
  for (const worker of page.workers()) expect(await worker.evaluate(() => crossOriginIsolated)).toBe(true);
  await button(page, 'Train').click();
  await expect(page.getByText('Finished.')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('body')).not.toContainText('without cross-origin isolation');
});

test('after a forced reload, which goes past the service worker, it isolates itself again', async ({ page, host }) => {
  await page.goto(`${host}?${quick}`);
  await expect(button(page, 'Train')).toBeEnabled();
  const session = await page.context().newCDPSession(page);
  await session.send('Page.reload', { ignoreCache: true });
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false)).toBe(true);
  await expect(button(page, 'Train')).toBeEnabled();
});

test.describe('where service workers are off', () => {
  test.use({ serviceWorkers: 'block' });

  test('one thread trains, and the page says why', async ({ page, host }) => {
    await page.goto(`${host}?${quick}`);
    await expect(button(page, 'Train')).toBeEnabled();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await button(page, 'Train').click();
    await expect(page.getByText('Finished.')).toBeVisible({ timeout: 60_000 });
    await expect(page.locator('body')).toContainText('one CPU thread with SIMD, since this page is served without');
  });
});
