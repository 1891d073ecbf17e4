import { expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { DOMAINS } from './domains.ts';
import { samplePrompts } from './sample-prompts.ts';

it.each(DOMAINS)('prompts of $name grow from the begin token to the longest, and tell legal games', (domain) => {
  const notation = unwrap(domain.notation(domain.notations[0]));
  const prompts = samplePrompts(domain, notation, 6, 8);
  expect(prompts.map(({ length }) => length)).toEqual([1, 2, 4, 5, 7, 8]);
  for (const prompt of prompts) expect(prompt[0]).toBe(notation.vocabulary.begin);
  expect(samplePrompts(domain, notation, 6, 8)).toEqual(prompts);
});
