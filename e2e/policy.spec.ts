import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { button, expect, open, quick, repeatedGames, savedBy, stepOf, stop, test as base } from './lab.ts';

/** One suite of one item. */
const suite = JSON.stringify({
  meta: { name: 'from_elsewhere', metric: 'sum' },
  region_meta: { 1: 'moves' },
  predictions: [],
  items: [{ item_number: 1, conditions: [{ condition_name: 'a', regions: [{ region_number: 1, content: 'e2e4' }] }] }],
});

/** A host elsewhere that lets every page read its games and its suite, and counts the requests for them. */
const test = base.extend<{ elsewhere: { address: string; asked: () => number } }>({
  elsewhere: async ({}, use) => {
    let asked = 0;
    const server: Server = createServer(({ url }, response) => {
      asked++;
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.end(url === '/suite.json' ? suite : repeatedGames.buffer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await use({ address: `http://127.0.0.1:${port}/mine.uci.txt`, asked: () => asked });
    server.close();
  },
});

const report = (page: Page) => page.getByRole('region', { name: 'Import report' });

// Every test fails where the policy forbids something (lab.ts): here is what no other test does.
test('threads, exports read back by their clients, and files of other hosts keep to the policy', async ({
  page,
  elsewhere,
}) => {
  // Threads are started where there are cores for them.
  await page.route('**/train.worker*', async (route) => {
    const response = await route.fetch();
    const body = `Object.defineProperty(navigator, 'hardwareConcurrency', { value: 3 });${await response.text()}`;
    await route.fulfill({ response, body });
  });
  await open(page, quick.replace('schedule.steps=60', 'schedule.steps=4000'));
  await button(page, 'Train').click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(20);
  await expect(page.getByText('Compiled for WebAssembly, 2 threads')).toBeVisible();
  await page.unroute('**/train.worker*');
  // Nothing moves between a press and its release any more.
  await stop(page);
  for (const format of ['CSV', 'SVG', 'PNG']) {
    await button(page, /^Save: Loss/).click();
    await savedBy(page, button(page, format).first());
  }

  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await button(page, /^Export /)
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  for (const [form, client] of [
    ['ONNX', 'onnxruntime-web'],
    ['TensorFlow.js', 'TensorFlow.js'],
  ]) {
    await dialog.getByRole('radio', { name: new RegExp(`^${form}`) }).check();
    await savedBy(page, dialog.getByRole('button', { name: 'Export', exact: true }));
    await expect(dialog.getByText(`Read back by ${client} on 64 prompts`)).toBeVisible();
  }
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('link', { name: 'Suites', exact: true }).click();
  await page.getByLabel('Or an address').fill(new URL('/gone', 'http://127.0.0.1:1').href);
  await button(page, 'Fetch').click();
  await expect(page.getByRole('alert')).toContainText('could not be reached');
  await page.getByLabel('Or an address').fill(new URL('/suite.json', elsewhere.address).href);
  await button(page, 'Fetch').click();
  await expect(page.getByRole('textbox', { name: 'Name of condition 1' })).toHaveValue('a');

  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByLabel('Or an address').fill(elsewhere.address);
  await page.getByLabel('Or an address').press('Enter');
  await expect(report(page)).toContainText('3 of 30 games kept');
  expect(elsewhere.asked()).toBe(2);
});

test.describe('an attack', () => {
  test.use({ attacked: true });

  test('scripts that get into the page do not run, and only the importing worker reaches other hosts', async ({
    page,
    elsewhere,
  }) => {
    await open(page);
    const ran = await page.evaluate(async () => {
      const marks = globalThis as unknown as { marks: string[] };
      marks.marks = [];
      const script = document.createElement('script');
      script.textContent = "globalThis.marks.push('script')";
      const picture = document.createElement('img');
      picture.setAttribute('onerror', "globalThis.marks.push('handler')");
      picture.src = 'data:,';
      const blob = document.createElement('script');
      blob.src = URL.createObjectURL(new Blob(["globalThis.marks.push('blob')"], { type: 'text/javascript' }));
      document.body.append(script, picture, blob);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return marks.marks;
    });
    expect(ran).toEqual([]);

    const reached = (address: string) =>
      fetch(address).then(
        () => true,
        () => false,
      );
    expect(await page.evaluate(reached, elsewhere.address)).toBe(false);
    const others = page.workers().filter((worker) => !worker.url().includes('data.worker'));
    expect(others.length).toBeGreaterThan(0);
    for (const worker of others) expect(await worker.evaluate(reached, elsewhere.address)).toBe(false);
    expect(elsewhere.asked()).toBe(0);
  });
});
