import { flushSync, mount, tick, unmount } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { proportion } from '../../../base/statistics.ts';
import type { Evaluation, LiveChart, LivePanel } from '../../../studies/live.ts';
import LearningOrder from './LearningOrder.svelte';

const rules = ['Castling', 'Pins', 'Turns'];
const charts = rules.map((name): LiveChart => ({
  ...{ name, title: name, description: '', unit: 'share' },
  scores: [{ name, title: name, label: 'right', headline: false }],
}));
const views = [{ title: 'Rules', charts, listed: true, note: '' }];
const panel: LivePanel = { study: 'rules', title: 'Rules', views, references: [] };
const evaluation = (step: number, ...right: number[]): Evaluation => ({
  ...{ step, devPerplexity: 5 },
  scores: { rules: Object.fromEntries(rules.map((name, i) => [name, proportion(right[i], 10)])) },
});

it('keeps the focus on a rule whose row moves, up or down', async () => {
  let evaluations = [evaluation(1, 9, 8, 7)];
  let changed = (): void => {};
  const read = createSubscriber((update) => void (changed = update));
  const props = {
    ...{ panel, view: views[0], steps: 60, past: null },
    get evaluations() {
      read();
      return evaluations;
    },
  };
  const shown = mount(LearningOrder, { target: document.body, props });
  flushSync();
  const order = (): string[] => [...document.querySelectorAll('tbody button')].map((button) => button.textContent);
  const next = async (...right: number[]): Promise<void> => {
    evaluations = [...evaluations, evaluation(evaluations.length + 1, ...right)];
    changed();
    flushSync();
    await tick();
  };
  expect(order()).toEqual(['Castling', 'Pins', 'Turns']);
  const last = [...document.querySelectorAll<HTMLElement>('tbody button')][2];
  last.focus();
  await userEvent.keyboard('{Enter}');
  expect(last.ariaPressed).toBe('true');
  for (const [right, place] of [
    [[5, 6, 9], 0],
    [[5, 7, 6], 1],
    [[8, 9, 1], 2],
    [[1, 2, 3], 0],
  ] as const) {
    await next(...right);
    expect(order().indexOf('Turns')).toBe(place);
    expect(document.activeElement).toBe(last);
    expect(last.ariaPressed).toBe('true');
  }
  await unmount(shown);
});
