import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LESSONS } from './lessons.ts';
import { LessonState } from './lessons.svelte.ts';

const run = { active: false, status: 'idle' as const, step: 0 };
const opened: string[] = [];
const form = { open: (query: URLSearchParams) => (opened.push(query.toString()), []) };

afterEach(() => void vi.restoreAllMocks());
beforeEach(() => {
  opened.length = 0;
  sessionStorage.clear();
  localStorage.clear();
});

it('goes to where a step happens, with the settings of the steps before it, but not during a run', async () => {
  const lessons = new LessonState(form, run);
  expect(await lessons.open('break-it', '3')).toBe(true);
  expect(location.hash).toBe('#/probe/soundness');
  expect(opened).toEqual(['preset=nano']);
  lessons.move(-1);
  expect(location.hash).toBe('#/probe/self-play');
  expect(opened).toHaveLength(1);
  await new LessonState(form, { ...run, active: true }).open('break-it', '1');
  expect(opened).toHaveLength(1);
  expect(await lessons.open('nowhere')).toBe(false);
});

it('remembers its step and answers, and does without storage', async () => {
  const lessons = new LessonState(form, run);
  await lessons.open('rules', '2');
  const right = lessons.current!.check.answers.findIndex((answer) => answer.right);
  lessons.answer(right);
  const again = new LessonState(form, run);
  await again.restored;
  expect(again.lesson?.id).toBe('rules');
  expect(again.step).toBe(1);
  expect(again.chosen).toBe(right);
  expect(again.right(again.lesson!)).toBe(1);
  again.leave();
  const left = new LessonState(form, run);
  await left.restored;
  expect(left.lesson).toBeNull();

  for (const broken of ['{', 'null', '[1]', '{"rules/1":"x"}']) {
    localStorage.setItem('blindfold.lesson-answers', broken);
    expect(new LessonState(form, run).right(LESSONS[0])).toBe(0);
  }
  const denied = () => {
    throw new Error('denied');
  };
  for (const name of ['getItem', 'setItem'] as const) vi.spyOn(Storage.prototype, name).mockImplementation(denied);
  const without = new LessonState(form, run);
  await without.open('rules');
  without.answer(0);
  expect(without.chosen).toBe(0);
});

it('says when the run is far enough', () => {
  const at = (status: 'idle' | 'running' | 'finished', step: number) =>
    new LessonState(form, { active: status === 'running', status, step });
  expect(at('running', 299).reached({ steps: 300 })).toBe(false);
  expect(at('running', 300).reached({ steps: 300 })).toBe(true);
  expect(at('running', 300).reached({ steps: 'all' })).toBe(false);
  expect(at('finished', 300).reached({ steps: 'all' })).toBe(true);
  expect(at('idle', 0).reached({ steps: 'all' })).toBe(false);
});
