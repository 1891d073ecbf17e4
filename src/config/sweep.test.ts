import { expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { presetNamed } from './presets.ts';
import { expandSweep, parseSweep, type Sweep } from './sweep.ts';

const tiny = presetNamed('tiny')!.config;
const sweepOf = (changes: object): Sweep => unwrap(parseSweep({ version: 1, bases: ['tiny'], ...changes }));
const problem = (changes: object, games: number | null = null): string => {
  const sweep = parseSweep({ version: 1, bases: ['tiny'], ...changes });
  const runs = sweep.ok ? expandSweep(sweep.value, games) : sweep;
  return runs.ok ? 'ok' : runs.error.message;
};

it('is one run as the preset has it where nothing is swept', () => {
  expect(unwrap(expandSweep(sweepOf({}), null))).toEqual([{ name: 'tiny-rap-40-all-games-seed-1', config: tiny }]);
});

it('makes every combination once, the first seed of everything before the second', () => {
  const runs = unwrap(
    expandSweep(
      sweepOf({
        bases: ['tiny', 'lstm', 'tiny'],
        notations: ['uci', 'rap:25'],
        limits: ['S', 15000, null],
        seeds: [3, 1],
        games: 'mine',
      }),
      null,
    ),
  );
  expect(runs.map(({ name }) => name)).toEqual(
    [3, 1].flatMap((seed) =>
      ['tiny', 'lstm'].flatMap((base) =>
        ['15000-games', 'all-games'].flatMap((games) =>
          ['uci', 'rap-25'].map((notation) => `${base}-${notation}-${games}-seed-${seed}`),
        ),
      ),
    ),
  );
  expect(runs[1].config).toEqual({
    ...tiny,
    notation: 'rap:25',
    data: { games: 'mine', manifest: '', limit: 15_000 },
    seed: 3,
  });
});

it('gives every run its steps, or its passes over the games', () => {
  const schedules = (changes: object) =>
    unwrap(expandSweep(sweepOf({ bases: ['tiny', 'gpt2-small'], ...changes }), null)).map(
      ({ config: { schedule } }) => [schedule.steps, schedule.epochs],
    );
  const [small, paper] = ['tiny', 'gpt2-small'].map((name) => presetNamed(name)!.config.schedule);
  expect(schedules({ epochs: 3 })).toEqual([
    [small.steps, 3],
    [paper.steps, 3],
  ]);
  expect(schedules({ steps: 7 })).toEqual([
    [7, null],
    [7, null],
  ]);
  expect(schedules({})).toEqual([
    [small.steps, null],
    [paper.steps, 10],
  ]);
});

it('names what is learned where it is not the next token', () => {
  const runs = unwrap(expandSweep(sweepOf({ objectives: ['next', 'valid'], notations: ['uci'] }), null));
  expect(runs.map(({ name, config }) => [name, config.objective])).toEqual([
    ['tiny-uci-all-games-seed-1', 'next'],
    ['tiny-uci-valid-all-games-seed-1', 'valid'],
  ]);
});

it('takes whole configs, and names two alike apart', () => {
  const bases = [tiny, { ...tiny, batch: 3 }];
  const names = unwrap(expandSweep(sweepOf({ bases }), null)).map(({ name }) => name);
  expect(names).toEqual(['lfm2-6x128-rap-40-all-games-seed-1', 'lfm2-6x128-no-2-rap-40-all-games-seed-1']);
});

it('says what is wrong', () => {
  expect(problem({ bases: [] })).toContain('at least one model');
  expect(problem({ bases: ['gigantic'] })).toMatch(/no preset "gigantic".*tiny/);
  expect(problem({ bases: [{ ...tiny, batch: 0 }] })).toContain('batch');
  expect(problem({ notations: ['morse'] })).toContain('notation');
  expect(problem({ limits: ['XL'] })).toContain('limits');
  expect(problem({ steps: 3, epochs: 3 })).toContain('both steps and epochs');
  expect(problem({ limits: [101] }, 100)).toMatch(/101 training games.*has 100/);
  expect(problem({ colour: 'red' })).toContain('colour');
  const seeds = Array.from({ length: 201 }, (_, seed) => seed);
  expect(problem({ seeds })).toContain('201 runs');
  expect(problem({ seeds: seeds.slice(1) })).toBe('ok');
});

it('refuses a range that is named twice', () => {
  const assess = { ranges: ['short', 'short'], instances: 5, perplexityGames: 5, randomPlay: false, seed: 1 };
  expect(problem({ assess })).toContain('name each range once');
  expect(problem({ assess: { ...assess, ranges: ['short', 'long'] } })).toBe('ok');
});
