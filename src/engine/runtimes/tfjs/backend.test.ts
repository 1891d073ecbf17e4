import * as tf from '@tensorflow/tfjs-core';
import { expect, it } from 'vitest';
import { loadBackend, useBackend } from './backend.ts';

it('lets other engines compute while a backend starts', async () => {
  await loadBackend('cpu');
  let started = false;
  const starting = loadBackend('wasm').then(() => (started = true));
  let turns = 0;
  while (!started) {
    useBackend('cpu');
    expect(tf.tidy(() => tf.add(2, 3).dataSync()[0])).toBe(5);
    await new Promise((resolve) => setTimeout(resolve, 1));
    turns++;
  }
  await starting;
  expect(turns).toBeGreaterThan(1);
  expect(tf.getBackend()).toBe('wasm');
  expect(tf.tidy(() => tf.add(2, 3).dataSync()[0])).toBe(5);
});
