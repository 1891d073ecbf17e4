import { byteLevelFiles } from '../fixtures/byte-level-tokenizer.ts';
import { pytorchModel } from '../fixtures/pytorch-bin.ts';
import { seededRandom } from '../src/base/random.ts';
import { defaultPreset } from '../src/config/presets.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import { modelFolder } from '../src/interchange/huggingface.ts';
import { initialParameters } from '../src/models/model.ts';
import { modelOf } from '../src/models/of-config.ts';
import { asFile, button, expect, open, openSettings, shippedModel, test } from './lab.ts';

test('a run starts from the shipped model, says so in its address and its record, and starts from files', async ({
  page,
}) => {
  await open(
    page,
    'schedule.steps=3&batch=2&evaluation.every=3&evaluation.games=2&evaluation.instances=4&data.limit=60',
  );
  await openSettings(page);
  await page.locator('summary', { hasText: 'Starts from' }).click();
  const start = page.getByRole('combobox', { name: 'First weights' });
  await start.selectOption('shipped');
  await expect(page.getByText(/has taken over the settings of the shipped model/)).toBeVisible();
  await expect(page).toHaveURL(/from=%7B%22id%22:%22shipped%22/);
  await page.reload();
  await openSettings(page);
  await page.locator('summary', { hasText: 'Starts from' }).click();
  await expect(start).toHaveValue('shipped');

  const files = page.getByRole('group', { name: 'Settings of the experiment' }).locator('input[type=file]').first();
  await files.setInputFiles(shippedModel());
  await expect(start).toHaveValue(/^files:[0-9a-f]{16}$/);
  await button(page, 'Train').click();
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText(/3 of 3|Finished/i);
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'from model' })).toBeVisible();
});

test('a model of English as pytorch_model.bin is asked on the Suites page, and learns questions as text', async ({
  page,
}) => {
  const config: RunConfig = {
    ...defaultPreset.config,
    model: {
      ...{ kind: 'gpt2', layers: 1, width: 16, heads: 2, context: 512, dropout: 0, window: null },
      ...{ slots: false, start: 'gpt2', tied: true },
    },
  };
  const parameters = initialParameters(modelOf(config, { size: 262, slots: null }), seededRandom('text'));
  const folder = modelFolder(config, parameters, { tokens: [], step: 0 }, { slots: null, tokenizerRules: () => null });
  const tokenizer = byteLevelFiles(['Ġ i', 'Ġi s', 'Ġ a', 'Ġa r', 'Ġar e']);
  const given = [
    asFile('pytorch_model.bin', pytorchModel(parameters)),
    asFile('config.json', folder.get('config.json')!),
    ...[...tokenizer].map(([name, bytes]) => asFile(name, bytes)),
  ];
  await page.goto(
    '/?schedule.steps=2&batch=2&evaluation.every=2&evaluation.games=2&evaluation.instances=2&data.limit=40#/suites',
  );
  const [suites, models] = [page.locator('input[type=file]').nth(0), page.locator('.ask input[type=file]')];
  const condition = (name: string, verb: string) => ({
    condition_name: name,
    regions: [
      { region_number: 1, content: 'The key' },
      { region_number: 2, content: verb },
    ],
  });
  const suite = {
    meta: { name: 'agreement', metric: 'sum' },
    region_meta: { 1: 'subject', 2: 'verb' },
    predictions: [{ type: 'formula', formula: '(2;%match%) < (2;%mismatch%)' }],
    items: [{ item_number: 1, conditions: [condition('match', 'is'), condition('mismatch', 'are')] }],
  };
  await suites.setInputFiles(asFile('agreement.json', new TextEncoder().encode(JSON.stringify(suite))));
  await expect(page.getByRole('textbox', { name: 'Name of condition 1' })).toHaveValue('match');
  await models.setInputFiles(given);
  await expect(page.getByRole('checkbox', { name: 'pytorch_model (your files)' })).toBeChecked();
  const shipped = page.getByRole('checkbox', { name: 'the shipped model' });
  if (await shipped.isChecked()) await shipped.uncheck();
  await button(page, 'Ask pytorch_model (your files)').click();
  await expect(button(page, /agreement: Models: pytorch_model, (0|100)\.0/)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await openSettings(page);
  await page.locator('summary', { hasText: 'Starts from' }).click();
  const starts = page.getByRole('group', { name: 'Settings of the experiment' }).locator('input[type=file]').first();
  await starts.setInputFiles(given);
  const start = page.getByRole('combobox', { name: 'First weights' });
  await expect(start).toHaveValue(/^files:[0-9a-f]{16}$/);
  await page.locator('summary', { hasText: 'Reads' }).click();
  await page.getByRole('radio', { name: /^Questions about games/ }).check();
  await page.locator('summary', { hasText: 'Starts from' }).click();
  await start.selectOption({ label: 'pytorch_model (opened)' });
  await expect(page.getByText(/has taken over the settings of pytorch_model/)).toBeVisible();
  await button(page, 'Train').click();
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(run).toContainText(/2 of 2|Finished/i);
  await expect(page.getByText('A model of text cannot be asked here.')).toBeVisible();
  // Its own tokenizer goes with it, so that it can be asked as any run.
  await page.getByRole('link', { name: 'Probe', exact: true }).click();
  await expect(page.getByText(/fine-tuned on questions about chess/)).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Questions of each kind' }).fill('2');
  await page.getByRole('spinbutton', { name: 'Games for perplexity' }).fill('2');
  await button(page, 'Ask').click();
  await expect(button(page, /: Legal verbs, \d/)).toBeVisible();
});
