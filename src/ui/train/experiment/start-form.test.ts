import { describe, expect, it } from 'vitest';
import { presetNamed } from '../../../config/presets.ts';
import { startOf, type RunConfig } from '../../../config/run-config.ts';
import { MOVES_TUNING, TEXT_TUNING } from '../../../config/text-tuning.ts';
import { QUICK_QUESTIONS } from '../questions/questions-form.ts';
import { chooseStart, startProblem, startsOf } from './start-form.ts';

const base = presetNamed('plain')!.config;
const splat: RunConfig = { ...base, domain: 'baseball', notation: 'splat' };
const run = (id: string, config: RunConfig, step = 500) => ({ id, name: `run ${id}`, step, config });
const asking: RunConfig = { ...splat, questions: QUICK_QUESTIONS };

describe('what a run may start from', () => {
  it('are trained runs of the same game and notation, and the lab’s own model', () => {
    const runs = [
      run('a', splat, 2000),
      run('b', asking),
      run('chess', { ...splat, domain: 'chess' }),
      run('uci', { ...splat, notation: 'uci' }),
      run('begun', splat, 0),
    ];
    expect(startsOf(asking, runs, null).map(({ label }) => label)).toEqual([
      'run a, 2,000 steps',
      'run b, 500 steps, which has learned questions',
    ]);
    expect(startsOf(asking, runs, { id: 'shipped', config: splat })[0].id).toBe('shipped');
    expect(startsOf(asking, [], { id: 'shipped', config: { ...base, domain: 'chess' } })).toEqual([]);
  });

  it('must have the settings of the model', () => {
    const config = { ...asking, questions: { ...QUICK_QUESTIONS, from: { id: 'a', name: 'run a' } } };
    const starts = (of: RunConfig) => startsOf(asking, [run('a', of)], null);
    // The same settings in another order.
    const turned = Object.fromEntries(Object.entries(splat.model).reverse()) as RunConfig['model'];
    expect(startProblem(config, starts({ ...splat, model: turned }))).toBeNull();
    expect(startProblem(config, starts({ ...splat, model: { ...splat.model, context: 17 } }))).toContain('do not fit');
    expect(startProblem(config, [])).toContain('run a is not on this device');
    expect(startProblem(asking, [])).toBeNull();
    expect(startProblem({ ...splat, notation: 'text' }, [])).toContain('bring their own tokens');
    expect(startProblem({ ...splat, from: { id: 'files:1', name: 'theirs' } }, [])).toContain('open it again');
  });

  it('are models that were opened, which bring their notation', () => {
    const opened = { id: 'files:1', name: 'theirs', config: { ...base, domain: 'chess', notation: 'rap:15' } };
    const [start] = startsOf({ domain: 'chess', notation: 'uci' }, [], null, [opened]);
    expect(start).toMatchObject({ id: 'files:1', notation: 'rap:15' });
    const form = formOf({ ...base, domain: 'chess', notation: 'uci' });
    chooseStart(form, start);
    expect(form.config).toMatchObject({ notation: 'rap:15', from: { id: 'files:1', name: 'theirs' } });
    expect(startsOf(asking, [], null, [opened])).toEqual([]);
  });
});

/** Takes every change, but for fields that are refused. */
const formOf = (config: RunConfig, refused: string[] = []) => ({
  config,
  problem: '',
  set(path: string, value: unknown) {
    this.problem = refused.includes(path) ? 'refused' : '';
    if (this.problem === '') this.config = { ...this.config, [path]: value };
  },
});
const other = { ...splat.model, layers: 7 };
const start = { id: 'a', name: 'run a', label: 'run a', notation: splat.notation, model: other };

it.each([
  ['text', TEXT_TUNING],
  ['moves:named', MOVES_TUNING],
])('a start with tokens of its own in the notation %s comes with rates for fine-tuning', (notation, tuning) => {
  const form = formOf({ ...base, domain: 'chess' });
  chooseStart(form, { ...start, notation, rows: 99 });
  const { optimizer, batch } = tuning;
  expect(form.config).toMatchObject({ notation, model: other, optimizer, batch, from: { rows: 99 } });
});

describe('the form', () => {
  it('takes a start together with its model', () => {
    const form = formOf(asking);
    chooseStart(form, start);
    expect(form.config.questions?.from).toEqual({ id: 'a', name: 'run a' });
    expect(form.config.model).toEqual(other);
    chooseStart(form, null);
    expect(form.config.questions?.from).toBeNull();
    expect(form.config.model).toEqual(other);
    const games = formOf({ ...splat, schedule: { ...splat.schedule, patience: 3, keep: 'best' } });
    chooseStart(games, start);
    expect(games.config).toMatchObject({ from: { id: 'a' }, model: other, schedule: { patience: 3, keep: 'best' } });
    chooseStart(games, null);
    expect(startOf(games.config)).toBeNull();
    const best = { ...asking.schedule, patience: 3, keep: 'best' as const };
    const stopping = formOf({ ...asking, schedule: best });
    chooseStart(stopping, null);
    expect(stopping.config.schedule).toEqual(best);
    chooseStart(stopping, start);
    expect(stopping.config.schedule).toEqual({ ...best, patience: null, keep: 'last' });
    const refusing = formOf(asking, ['questions']);
    chooseStart(refusing, start);
    expect(refusing.config).toEqual(asking);
  });
});
