import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { preview, type PreviewServer } from 'vite';
import { button, expect, quick, test as base } from './lab.ts';

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>';

/**
 * The built folder on a host that sends no headers of ours, in a folder of somebody's web space; a page of theirs in the
 * same folder shows a picture of another host.
 */
const test = base.extend<object, { host: string }>({
  host: [
    async ({}, use) => {
      const elsewhere = createServer((_, response) => {
        response.setHeader('Content-Type', 'image/svg+xml').end(picture);
      });
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      const from = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
      const neighbour = {
        name: 'neighbour',
        configurePreviewServer({ middlewares }: PreviewServer) {
          middlewares.use('/school/lab/theirs.js', (_, response) => {
            response.setHeader('Content-Type', 'text/javascript').end('/* It does nothing. */');
          });
          middlewares.use('/school/lab/neighbour.html', (_, response) => {
            response.setHeader('Content-Type', 'text/html').end(`<img src="${from}"><script>self.ran = true</script>`);
          });
        },
      };
      const server = await preview({
        plugins: [neighbour],
        configFile: false,
        base: '/school/lab/',
        preview: { port: 0 },
        logLevel: 'error',
      });
      const { port } = server.httpServer.address() as AddressInfo;
      await use(`http://localhost:${port}/school/lab/`);
      await server.close();
      elsewhere.close();
    },
    { scope: 'worker' },
  ],
});

test.use({ serviceWorkers: 'allow' });

test('on a host that sends no headers the page isolates itself, also after a forced reload, and no other page', async ({
  page,
  host,
}) => {
  const response = await page.goto(`${host}?${quick}`);
  expect(response?.headers()).not.toHaveProperty('cross-origin-embedder-policy');
  await expect(button(page, 'Train')).toBeEnabled();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(page.url()).toContain('model.width=32');
  expect(page.workers().length).toBeGreaterThan(0);
  for (const worker of page.workers()) expect(await worker.evaluate(() => crossOriginIsolated)).toBe(true);
  await button(page, 'Train').click();
  await expect(page.getByText('Finished.')).toBeVisible();
  await expect(page.locator('body')).not.toContainText('without cross-origin isolation');

  // A forced reload goes past the service worker.
  const session = await page.context().newCDPSession(page);
  await session.send('Page.reload', { ignoreCache: true });
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false)).toBe(true);
  await expect(button(page, 'Train')).toBeEnabled();

  // Another page of the same folder is left as it is.
  await page.goto(`${host}neighbour.html`);
  expect(await page.evaluate(() => document.querySelector('img')!.naturalWidth)).toBe(7);
  expect(await page.evaluate(() => [crossOriginIsolated, 'ran' in globalThis])).toEqual([false, true]);
});

test('who wants no service worker is rid of it by an address', async ({ page, host }) => {
  const isolated = () => page.evaluate(() => crossOriginIsolated).catch(() => null);
  const installed = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await page.goto(host);
  await expect(button(page, 'Train')).toBeEnabled();
  expect(await installed()).toBe(1);
  await page.goto(`${host}?isolation=off`);
  await expect.poll(isolated).toBe(false);
  await expect(button(page, 'Train')).toBeEnabled();
  await page.goto(host);
  await expect(button(page, 'Train')).toBeEnabled();
  expect([await isolated(), await installed()]).toEqual([false, 0]);
  await page.goto(`${host}?isolation=on`);
  await expect.poll(isolated).toBe(true);
});

test('a service worker that the folder has from somebody else stays', async ({ page, host }) => {
  await page.goto(`${host}neighbour.html`);
  await page.evaluate(() => navigator.serviceWorker.register('./theirs.js'));
  await page.goto(host);
  await expect(button(page, 'Train')).toBeEnabled();
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL),
  ).toContain('theirs.js');
});

test.describe('where service workers are off', () => {
  test.use({ serviceWorkers: 'block' });

  test('one thread trains, and the page says why', async ({ page, host }) => {
    await page.goto(`${host}?${quick}`);
    await expect(button(page, 'Train')).toBeEnabled();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await button(page, 'Train').click();
    await expect(page.getByText('Finished.')).toBeVisible();
    await expect(page.locator('body')).toContainText('one CPU thread with SIMD, since this page is served without');
  });
});
