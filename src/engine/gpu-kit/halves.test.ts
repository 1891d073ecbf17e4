import { expect, it } from 'vitest';
import { fromHalves, LARGEST_HALF, toHalves } from './halves.ts';

const all = Uint16Array.from({ length: 2 ** 16 }, (_, half) => half);
const numbers = fromHalves(all);

it('knows some halves by hand', () => {
  const known = { 0x0000: 0, 0x0001: 2 ** -24, 0x0400: 2 ** -14, 0x3555: 0.333251953125, 0x3c00: 1, 0x7bff: 65504 };
  for (const [half, number] of Object.entries(known)) {
    expect(numbers[Number(half)]).toBe(number);
    expect(numbers[Number(half) | 0x8000]).toBe(-number);
  }
  expect(numbers[0x7c00]).toBe(Infinity);
  expect(numbers[0x7e00]).toBeNaN();
  expect(LARGEST_HALF).toBe(numbers[0x7bff]);
});

it('gives back every half, and the nearest one for what lies between two', () => {
  for (let half = 0; half < 0x7c00; half++) expect(toHalves(numbers.subarray(half, half + 1))[0]).toBe(half);
  // Positive halves are in the order of their bits.
  for (let half = 0; half < 0x7bff; half += 7) {
    const [low, high] = [numbers[half], numbers[half + 1]];
    const between = Float32Array.of(low + (high - low) * 0.49, (low + high) / 2, low + (high - low) * 0.51);
    const even = half % 2 === 0 ? half : half + 1;
    expect([...toHalves(between)]).toEqual([half, even, half + 1]);
    expect([...toHalves(between.map((value) => -value))]).toEqual([half, even, half + 1].map((bits) => bits | 0x8000));
  }
  expect([...toHalves(Float32Array.of(65519, 65520, -1e30, NaN))]).toEqual([0x7bff, 0x7c00, 0xfc00, 0x7e00]);
});
