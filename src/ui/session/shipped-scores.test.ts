import { expect, it } from 'vitest';
import type { StoredRecord } from '../../../workers/measure/protocol.ts';
import { fail, ok } from '../../base/result.ts';
import { ShippedScores } from './shipped-scores.ts';
import { CrashedError } from './workers.ts';

const guard = <T>(promise: Promise<T>): Promise<T> => promise;
// Nothing else of a record is read here.
const record = (study: string): StoredRecord => ({ id: study, study }) as unknown as StoredRecord;

it('without a network there is nothing, and the next question asks again; what was read is read once', async () => {
  let [online, fetches] = [false, 0];
  const scores = new ShippedScores(
    { guard, measure: { readRecord: async () => ok([record('testbed'), record('splat')]) } },
    () => expect.fail('nothing is wrong with the records'),
    async () => {
      fetches++;
      if (!online) throw new Error('offline');
      return new Uint8Array();
    },
  );
  expect(await scores.of('testbed')).toEqual([]);
  online = true;
  const found = await scores.of('testbed');
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ study }) => study === 'testbed')).toBe(true);
  const before = fetches;
  await scores.of('splat');
  expect(fetches).toBe(before);
});

it('after a crash of the worker they are read again', async () => {
  let crashed = true;
  const readRecord = async () => {
    if (crashed) throw new CrashedError('it stopped');
    return ok([record('testbed')]);
  };
  const scores = new ShippedScores(
    { guard, measure: { readRecord } },
    () => expect.fail('a crash is reported elsewhere'),
    async () => new Uint8Array(),
  );
  expect(await scores.of('testbed')).toEqual([]);
  crashed = false;
  expect(await scores.of('testbed')).not.toEqual([]);
});

it('a record that is wrong is reported', async () => {
  const codes: string[] = [];
  const readRecord = async () => fail('training-record-invalid', 'It is wrong.');
  const scores = new ShippedScores(
    { guard, measure: { readRecord } },
    ({ code }) => codes.push(code),
    async () => new Uint8Array(),
  );
  expect(await scores.of('testbed')).toEqual([]);
  expect(new Set(codes)).toEqual(new Set(['training-record-invalid']));
});
