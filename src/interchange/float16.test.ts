import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { floatsOfBfloats, floatsOfHalves, HALF_OVERFLOW, halvesOf } from './float16.ts';

const PYTHON = '/usr/bin/python3';
const withNumpy = spawnSync(PYTHON, ['-c', 'import numpy']).status === 0;

const halfOf = (value: number): number => halvesOf(Float32Array.of(value))[0];
const everyHalf = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
const halves = floatsOfHalves(everyHalf);

/** What a numpy expression makes of `x`, an array of these bytes as `dtype`. */
function numpy(values: Float32Array | Uint16Array, dtype: string, expression: string): Buffer {
  const program = `
import sys, numpy as np
np.seterr(all='ignore')
x = np.frombuffer(sys.stdin.buffer.read(), '${dtype}')
sys.stdout.buffer.write((${expression}).tobytes())`;
  const input = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', program], { input, maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout;
}

/** Bit patterns of all kinds: every exponent alike, so that subnormals, overflow and NaN come up. */
function randomFloats(count: number): Float32Array {
  const random = seededRandom('float16');
  const bits = Uint32Array.from({ length: count }, () => random.below(2 ** 32));
  return new Float32Array(bits.buffer);
}

/** The float32 next to a positive one in the direction of `sign`. */
function beside(value: number, sign: 1 | -1): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] += sign;
  return new Float32Array(bits.buffer)[0];
}

describe('half precision', () => {
  it('takes every half back to itself', () => {
    for (let bits = 0; bits < 65536; bits++) {
      const value = halves[bits];
      if (Number.isNaN(value)) expect(halfOf(value) & 0x7fff).toBe(0x7e00);
      else if (halfOf(value) !== bits) expect.fail(`${bits} came back as ${halfOf(value)}`);
    }
  });

  it('sends what lies between two halves to the nearer, and the middle to the even one', () => {
    for (let bits = 0; bits < 0x7c00; bits++) {
      const next = bits + 1 === 0x7c00 ? 65536 : halves[bits + 1];
      const middle = (halves[bits] + next) / 2;
      const even = bits % 2 === 0 ? bits : bits + 1;
      const found = [beside(middle, -1), middle, beside(middle, 1), -middle].map(halfOf);
      const wanted = [bits, even, bits + 1, even | 0x8000];
      if (found.join() !== wanted.join()) expect.fail(`around ${middle}: ${found.join()} and not ${wanted.join()}`);
    }
    expect(halfOf(HALF_OVERFLOW)).toBe(0x7c00);
    expect(halfOf(beside(HALF_OVERFLOW, -1))).toBe(0x7bff);
    expect(halfOf(Infinity)).toBe(0x7c00);
  });

  it.runIf(withNumpy)('is numpy’s float16, both ways (needs numpy)', () => {
    const floats = randomFloats(300_000);
    // Weights as they are: around zero, with some very small ones.
    const random = seededRandom('weights');
    for (let i = 0; i < 100_000; i++) floats[i] = (random.next() - 0.5) * 10 ** (-7 * random.next());
    const bytes = numpy(floats, '<f4', "x.astype('<f2')");
    const wanted = new Uint16Array(bytes.buffer, bytes.byteOffset, floats.length);
    const wrong = floats.findIndex((value, i) => !Number.isNaN(value) && halfOf(value) !== wanted[i]);
    expect({ wrong, value: floats[wrong] }).toEqual({ wrong: -1, value: undefined });

    const back = numpy(everyHalf, '<f2', "x.astype('<f4')");
    const read = new Float32Array(back.buffer.slice(back.byteOffset, back.byteOffset + back.byteLength));
    expect(read.findIndex((value, i) => !Object.is(value, halves[i]))).toBe(-1);
  });

  it.runIf(withNumpy)('reads bfloat16 as the upper half of a float32 (needs numpy)', () => {
    const bytes = numpy(everyHalf, '<u2', "(x.astype('<u4') << 16).view('<f4')");
    const read = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    const found = floatsOfBfloats(everyHalf);
    expect(read.findIndex((value, i) => !Object.is(value, found[i]))).toBe(-1);
  });
});
