import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { subject } from '../../../../fixtures/hand-made.ts';
import { listToy } from '../../../../fixtures/toy-study.ts';
import type { MeasureService, StoredRecord } from '../../../../workers/measure/protocol.ts';
import type { Cloneable } from '../../../../workers/wire.ts';
import { ok } from '../../../base/result.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import { MeasureState } from '../measure.svelte.ts';
import Probe from '../Probe.svelte';
import { Route } from '../../shell/route.svelte.ts';

const model = { ...subject, name: 'the shipped model', notation: 'rap:15' };
let asked: unknown[] = [];
let records: StoredRecord[] = [];
let unlist = () => {};
let shown: Record<string, unknown> | null = null;

/** A measuring worker that opens one model and answers the toy study alone. */
const service: MeasureService = {
  domainOf: async () => null,
  open: async () => ok(model),
  async run(study, { settings }) {
    asked.push({ study, settings });
    const answers = [{ token: 'e2', probability: 0.75 }];
    const assessment = { subject: model, game: '', answers };
    const stored = { id: `${records.length}`, study, run: null, createdAt: 1, asked: { games: '' }, assessment };
    records = [stored, ...records];
    return ok({ answer: assessment as unknown as Cloneable, stored, notStored: null });
  },
  count: async () => ok(null),
  list: async (study) => records.filter((one) => one.study === study),
  readRecord: async () => ok([]),
  async remove(_study, id) {
    records = records.filter((one) => one.id !== id);
  },
  store: async () => expect.fail('nothing is brought'),
  cancel: async () => {},
};

beforeEach(() => {
  unlist = listToy();
  asked = [];
  records = [];
});
afterEach(async () => {
  unlist();
  if (shown) await unmount(shown);
  shown = null;
});

it('a study that is only on the list has a tab, a form from its settings, its table and the answers behind a number', async () => {
  const lab = {
    domain: 'chess',
    games: { list: [], named: () => null, of: () => [] },
    runs: { list: [], named: () => null, refresh: async () => {} },
    run: { record: null },
    shippedScores: { of: async () => [] },
    workers: { measure: service, guard: <T>(promise: Promise<T>) => promise },
    notices: { report: (failure: { message: string }) => expect.fail(failure.message) },
  } as unknown as Lab;
  document.body.innerHTML = '<main></main>';
  const target = document.querySelector('main')!;
  shown = mount(Probe, { target, props: { lab, measure: new MeasureState(lab), route: new Route() } });
  flushSync();

  const tab = [...target.querySelectorAll('[role=tab]')].find(({ textContent }) => textContent === 'The opening')!;
  await userEvent.click(tab);
  const field = target.querySelector<HTMLInputElement>('form[aria-label="The opening"] input')!;
  expect(field.value).toBe('3');
  await userEvent.fill(field, '5');
  await userEvent.click(target.querySelector('form[aria-label="The opening"] button[type=submit]')!);
  await expect.poll(() => target.querySelector('table')?.textContent).toContain('75.0');
  expect(asked).toEqual([{ study: 'toy', settings: { tokensAsked: 5 } }]);
  const list = target.querySelector<HTMLSelectElement>('select')!;
  expect([...target.querySelectorAll('option')].some(({ textContent }) => textContent?.includes('likeliest'))).toBe(
    true,
  );
  expect(list).not.toBeNull();

  await userEvent.click(
    [...target.querySelectorAll('td button')].find(({ textContent }) => textContent?.includes('75.0'))!,
  );
  await expect
    .poll(() => target.querySelector('[aria-label="Questions behind the number"] li')?.textContent)
    .toContain('Probability 0.750.');
});
