import { modelHost, type ModelHost } from '../fixtures/model-host.ts';
import { button, expect, open, shippedModel, test as base } from './lab.ts';

const WEIGHTS = '/owner/model/model.safetensors';

/** A host elsewhere with the shipped model's folder. */
const test = base.extend<{ host: ModelHost }>({
  host: async ({}, use) => {
    const files = shippedModel().map(({ name, buffer }) => [`/owner/model/${name}`, new Uint8Array(buffer)] as const);
    const host = await modelHost(new Map(files));
    await use(host);
    host.close();
  },
});

test('a model opens from an address, over a connection that breaks off', async ({ page, host }) => {
  await open(page);
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  const address = page.getByLabel('Or the address of a model');
  await address.fill(`${host.address}/owner/nothing`);
  await address.press('Enter');
  await expect(page.getByRole('alert')).toContainText('There is no model at');

  host.manners.shared = false;
  await address.fill(`${host.address}/owner/model`);
  await button(page, 'Fetch the model').click();
  await expect(page.getByRole('alert')).toContainText('does not allow other pages to read it');

  host.manners.shared = true;
  host.manners.dropAfter = 300_000;
  host.asked.length = 0;
  await button(page, 'Fetch the model').click();
  await expect(page.getByRole('combobox', { name: /^Model/ })).toHaveValue('files');
  await expect(page.getByRole('combobox', { name: /^Model/ })).toContainText('model (your files)');
  await expect(page.getByText(/\d layers of 96/)).toBeVisible();
  const weights = host.asked.filter((asked) => asked.startsWith(WEIGHTS));
  // The browser itself may say where the file ends.
  const from = weights.map((asked) => Number(/bytes=(\d+)-/.exec(asked)?.[1] ?? 0));
  // Each goes on where the one before broke off: at the latest where the host ended it, and where it began if nothing came.
  expect(from.length).toBeGreaterThan(4);
  expect(from[0]).toBe(0);
  for (const [i, at] of from.slice(1).entries()) {
    expect(at).toBeGreaterThanOrEqual(from[i]);
    expect(at).toBeLessThanOrEqual(from[i] + 300_000);
  }
  expect(from.at(-1)).toBeGreaterThan(3_000_000);
});

test('a transfer on the Suites page shows its bytes, can be cancelled, and ends in a model to ask', async ({
  page,
  host,
}) => {
  let answer: (() => void) | null = null;
  host.manners.instead[WEIGHTS] = (response) => {
    response.writeHead(200, { 'Content-Length': 4_000_000, 'Content-Type': 'application/octet-stream' });
    response.write(new Uint8Array(2_000_000));
    answer = () => response.destroy();
  };
  await open(page);
  await page.getByRole('link', { name: 'Suites', exact: true }).click();
  await page.getByLabel('Or the address of a model').fill(`${host.address}${WEIGHTS}`);
  await page.getByLabel('Or the address of a model').press('Enter');
  await expect(page.getByText('model.safetensors, 2 MB of 4 MB')).toBeVisible();
  await button(page, 'Cancel').click();
  await expect(page.getByText('2 MB of 4 MB')).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);
  answer!();
  host.manners.instead = {};
  await page.getByLabel('Or the address of a model').press('Enter');
  await expect(page.getByRole('checkbox', { name: 'model (your files)' })).toBeChecked();
});
