import { ok, type Result } from '../../../base/result.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { baseballQuestions } from './baseball-questions.ts';
import { chessQuestions } from './chess-questions.ts';
import { askedIn, plainQuestions } from './plain-questions.ts';
import type { SplatGame } from './question.ts';

/**
 * What a domain's questions are made of, without custom ones: the paper's two games by their own files, any other by
 * plain-questions.ts. Fails with `unknown-domain` or `no-questions`.
 */
export function splatGameOf(domain: string): Result<SplatGame<unknown>> {
  const found = domainNamed(domain);
  if (!found.ok) return found;
  if (domain === 'chess') return ok(chessQuestions as SplatGame<unknown>);
  if (domain === 'baseball') return ok(baseballQuestions as SplatGame<unknown>);
  const notation = askedIn(found.value);
  return notation.ok ? ok(plainQuestions(found.value)) : notation;
}
