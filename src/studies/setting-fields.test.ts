import * as v from 'valibot';
import { expect, it } from 'vitest';
import { field, fieldsOf } from '../config/fields.ts';
import { choiceSetting, fileSetting, numberSetting, readSettings, switchSetting } from './setting-fields.ts';
import { STUDIES } from './studies.ts';

const schema = v.object({
  count: numberSetting('Games', 20, { min: 1, max: 100 }),
  temperature: numberSetting('Temperature', 1, { min: 0, max: 5, whole: false }),
  seed: numberSetting(null, 1, { min: 0, max: 9 }),
  goals: choiceSetting('How goals go on', ['released', 'corrected'], 'released'),
  ranges: v.optional(v.pipe(v.array(v.picklist(['long', 'short'])), v.minLength(1), v.title('After')), ['long']),
  random: switchSetting('Random play too', false),
  line: v.optional(v.pipe(v.string(), v.title('Line'), v.description('moves of a game')), 'e2e4'),
  kinds: v.optional(field(v.array(v.picklist(['a', 'b'])), { title: 'Kinds', labels: { a: 'the first' } }), ['b']),
  task: fileSetting('A task', 'of BIG-bench', { accept: '.json', nameIn: 'name' }),
});

it('every kind of setting is a field with its bounds, choices and default', () => {
  expect(fieldsOf(schema)).toEqual([
    { name: 'count', title: 'Games', description: '', kind: 'number', initial: 20, min: 1, max: 100, whole: true },
    {
      name: 'temperature',
      title: 'Temperature',
      description: '',
      kind: 'number',
      initial: 1,
      min: 0,
      max: 5,
      whole: false,
    },
    { name: 'seed', title: null, description: '', kind: 'number', initial: 1, min: 0, max: 9, whole: true },
    {
      name: 'goals',
      title: 'How goals go on',
      description: '',
      kind: 'choice',
      initial: 'released',
      options: ['released', 'corrected'],
    },
    { name: 'ranges', title: 'After', description: '', kind: 'several', initial: ['long'], options: ['long', 'short'] },
    { name: 'random', title: 'Random play too', description: '', kind: 'switch', initial: false },
    { name: 'line', title: 'Line', description: 'moves of a game', kind: 'text', initial: 'e2e4' },
    {
      ...{ name: 'kinds', title: 'Kinds', description: '', kind: 'several', initial: ['b'] },
      ...{ options: ['a', 'b'], labels: { a: 'the first' } },
    },
    {
      ...{ name: 'task', title: 'A task', description: 'of BIG-bench', kind: 'file', initial: '' },
      ...{ accept: '.json', nameIn: 'name' },
    },
  ]);
});

it('what is not given has its default; what cannot be is refused by its name', () => {
  const defaults = Object.fromEntries(fieldsOf(schema).map(({ name, initial }) => [name, initial]));
  expect(readSettings(schema, undefined)).toEqual({ ok: true, value: defaults });
  expect(readSettings(schema, { count: 3, ranges: ['short'] })).toEqual({
    ok: true,
    value: { ...defaults, count: 3, ranges: ['short'] },
  });
  const refused: [string, unknown][] = [
    ['count', { count: 0 }],
    ['count', { count: 1.5 }],
    ['count', { count: NaN }],
    ['temperature', { temperature: 5.1 }],
    ['goals', { goals: 'own' }],
    ['ranges', { ranges: [] }],
    ['ranges.1', { ranges: ['long', 'middle'] }],
    ['random', { random: 'yes' }],
    ['the settings', 3],
  ];
  for (const [name, given] of refused) {
    const read = readSettings(schema, given);
    expect(read).toMatchObject({ ok: false, error: { code: 'bad-setting' } });
    expect(!read.ok && read.error.message).toMatch(new RegExp(`^${name}: .+\\.$`));
  }
});

it('the defaults of every study on the list pass its own checks', () => {
  for (const { name, settings } of STUDIES) {
    expect([name, readSettings(settings, {}).ok]).toEqual([name, true]);
    for (const field of fieldsOf(settings)) {
      if (field.kind === 'number') expect(field.min).toBeLessThan(field.max);
      if (field.kind === 'choice') expect(field.options).toContain(field.initial);
    }
  }
});
