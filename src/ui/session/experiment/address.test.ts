import { expect, it } from 'vitest';
import { fail, ok } from '../../../base/result.ts';
import { addressEnd, lineOf, linkText, openPrompt, promptQuery, settingsIn } from './address.ts';

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

it('writes lines without what browsers escape, and reads them back', () => {
  for (const line of ['e2e4 e7e5 g1', 'e2e4', '1. e4 e5', '(a.b) <c>']) {
    const found = lineOf(new URLSearchParams(promptQuery(line)).get('prompt')!);
    expect(found).toEqual(ok(line));
  }
  expect(promptQuery('e2e4  e7e5 g1 ')).toBe('prompt=e2e4.e7e5.g1');
  expect(promptQuery('')).toBe('');
  expect(promptQuery('e2e4 '.repeat(2000))).toBe('');
  expect(linkText(' a1 b2 ')).toBe('a1.b2');
});

it('opens what an address names, and says why it could not', () => {
  const seen: string[] = [];
  const place = {
    link: '',
    open: (line: string) => (line === 'bad' ? fail('bad', 'It is bad.') : ok(seen.push(line))),
  };
  const open = (query: string) => openPrompt(new URLSearchParams(query), place);
  expect(open('').ok).toBe(true);
  expect(open('prompt=e2e4.e7').ok).toBe(true);
  expect(seen).toEqual(['e2e4 e7']);
  const refused = open('prompt=bad');
  expect(refused).toMatchObject({ error: { code: 'link-prompt' } });
  expect(!refused.ok && refused.error.message).toContain('It is bad.');
  expect(open(`prompt=${'a'.repeat(5000)}`).ok).toBe(false);
  expect(seen).toHaveLength(1);
});
