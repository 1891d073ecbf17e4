import { expect, it } from 'vitest';
import { defaultPreset } from '../../config/presets.ts';
import { configFrom } from '../session/experiment/link.ts';
import { LESSONS, stepAt } from './lessons.ts';

const steps = LESSONS.flatMap((lesson) =>
  lesson.steps.map((step, at) => ({ name: `${lesson.id}/${at + 1}`, ...step })),
);

it.each(steps)('$name has one right answer, and settings that the form takes', ({ check, place }) => {
  expect(check.answers.filter(({ right }) => right)).toHaveLength(1);
  expect(check.answers.every(({ why }) => /[.?]$/.test(why))).toBe(true);
  expect(place.hash).toMatch(/^#\/(train|probe|suites|data)(\/|$)/);
  expect(configFrom(new URLSearchParams(place.settings), defaultPreset).failures).toEqual([]);
});

it('finds a step by its address, and no other', () => {
  expect(stepAt('first-minute', '')).toMatchObject({ step: 0 });
  expect(stepAt('first-minute', '3')).toMatchObject({ lesson: { id: 'first-minute' }, step: 2 });
  for (const [id, step] of [
    ['first-minute', '0'],
    ['first-minute', '99'],
    ['first-minute', '1.5'],
    ['first-minute', 'x'],
    ['', ''],
    ['constructor', '1'],
  ])
    expect(stepAt(id, step)).toBeNull();
});
