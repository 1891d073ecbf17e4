import { expect, it } from 'vitest';
import { addressEnd, settingsIn } from './address.ts';

const opened = (address: string): string | undefined => {
  const { search, hash } = new URL(`http://localhost/lab/${address}`);
  const found = settingsIn({ search, hash });
  return found.ok ? found.value.toString() : found.error.code;
};

it('writes settings where hosts take them, and finds them again', () => {
  const long = `custom=${'a'.repeat(30_000)}`;
  for (const page of ['', '#/runs'])
    for (const query of ['', 'batch=16', long]) expect(opened(addressEnd(page, query))).toBe(query);
  expect(addressEnd('#/runs', 'batch=16')).toBe('?batch=16#/runs');
  expect(new URL(addressEnd('#/runs', long), 'http://localhost/').search).toBe('');
});

it('reads no settings without end', () => {
  expect(opened(`?custom=${'a'.repeat(70_000)}`)).toBe('link-too-long');
});
