import { expect, test } from 'vitest';
import type { RunRecord } from '../../../workers/train/protocol.ts';
import { presets } from '../../config/presets.ts';
import { sampleConfig } from '../../../fixtures/sample-run.ts';
import { searched, sorted, tagsOf, type SortKey } from './run-search.ts';

const run = (id: string, changes: Partial<RunRecord> = {}): RunRecord => ({
  ...{ id, name: `Run ${id}`, config: sampleConfig, status: 'finished', step: 8, parameters: 1, backend: 'wasm' },
  ...{ createdAt: 1, updatedAt: 1, loss: 2, evaluation: null, ...changes },
});
const ids = (runs: readonly RunRecord[]): string => runs.map(({ id }) => id).join(' ');
const noughts = { ...sampleConfig, domain: 'noughts', notation: 'cells' };

const list = [
  run('a', { notes: 'Wider than the others', tags: ['thesis', 'wide'] }),
  run('b', { config: noughts, tags: ['thesis'] }),
  run('c', {
    name: 'Écho',
    config: {
      ...sampleConfig,
      optimizer: presets.map(({ config }) => config.optimizer).find(({ kind }) => kind === 'adamw')!,
    },
  }),
];
const all = { text: '', game: '', tag: '' };

test.each([
  ['nothing', all, 'a b c'],
  ['a word of the notes, in any case', { ...all, text: 'WIDER' }, 'a'],
  ['words of different places', { ...all, text: 'thesis run' }, 'a b'],
  ['a word that one place lacks', { ...all, text: 'thesis nowhere' }, ''],
  ['a name', { ...all, text: 'écho' }, 'c'],
  ['the title of a game', { ...all, text: 'noughts' }, 'b'],
  ['the kind of model and the optimiser', { ...all, text: 'gpt-2 adamw' }, 'c'],
  ['a tag and nothing that holds it', { ...all, tag: 'wide' }, 'a'],
  ['a game and a tag', { ...all, game: 'chess', tag: 'thesis' }, 'a'],
])('a search for %s', (_, filter, found) => {
  expect(ids(searched(list, filter))).toBe(found);
});

test('tags stand once, in the order of the alphabet', () => {
  expect(tagsOf([...list, run('d', { tags: ['alpha', 'run 10', 'run 9'] })])).toEqual([
    ...['alpha', 'run 9', 'run 10', 'thesis', 'wide'],
  ]);
});

test.each<[SortKey, boolean, string]>([
  ['name', false, 'two ten one'],
  ['name', true, 'one ten two'],
  ['loss', false, 'one two ten'],
  // Without a loss it comes last either way.
  ['loss', true, 'two one ten'],
  ['step', true, 'ten two one'],
  ['change', true, 'one two ten'],
  ['perplexity', false, 'ten one two'],
  ['status', false, 'one two ten'],
])('sorted by %s, descending %s', (by, descending, order) => {
  const evaluation = (devPerplexity: number) => ({ step: 1, devPerplexity, scores: {} });
  const runs = [
    run('one', { name: 'z', loss: 1, step: 1, updatedAt: 9, evaluation: evaluation(20) }),
    run('two', { name: 'Run 2', loss: 3, step: 2, evaluation: null }),
    run('ten', { name: 'run 10', loss: null, step: 10, evaluation: evaluation(9) }),
  ];
  expect(ids(sorted(runs, { by, descending }))).toBe(order);
});

test('the score that sorts is the one that stands first in the row', () => {
  const score = (mean: number) => ({
    ...{ step: 1, devPerplexity: 9 },
    scores: {
      testbed: { 'end-legal-short': { mean, n: 8, ci95: null }, 'end-legal-long': { mean, n: 8, ci95: null } },
    },
  });
  const config = presets[0].config;
  const runs = [
    run('low', { config, evaluation: score(0.1) }),
    run('none', { config }),
    run('high', { config, evaluation: score(0.9) }),
  ];
  expect(ids(sorted(runs, { by: 'score', descending: true }))).toBe('high low none');
});
