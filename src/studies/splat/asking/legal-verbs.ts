import { fail, ok, type Result } from '../../../base/result.ts';
import type { Notation } from '../../../domains/domain.ts';
import type { AnyDomain } from '../../../domains/domains.ts';
import type { Engine } from '../../../engine/engine.ts';
import { endedEarly, pauseOf } from '../../asking/cancellation.ts';
import type { Measuring } from '../../asking/measuring.ts';
import { mute, probabilities, rankAnswer } from '../../asking/metrics.ts';
import { tokensOf } from '../../asking/next-token.ts';
import { massesOf } from './mass.ts';
import { nothingAsked } from '../questions/question.ts';
import { questionsFor, type Questions } from '../questions/questions.ts';
import type { LegalVerbsAnswer } from '../splat-assessment.ts';

/** Prefixes that an engine answers at once. */
const ROWS = 4;

/**
 * Legal Verbs (Demeter and Downey 2021, sections 3.3 and 5.3): after the verbs alone, without [sep], how many of the R
 * likeliest tokens of the whole vocabulary are among the R that the rules allow next, and how much probability lies on
 * those; and the same for the R that legal verbs are spelt with, which the paper's figures for baseball seem to be. Where a game is over, [end] is what may come. One answer for each prefix, in order; pauses after every few.
 * Fails with `not-splat`, `no-questions`, `too-long` and `cancelled`.
 */
export function askLegalVerbs(
  engine: Engine,
  domain: AnyDomain,
  notation: Notation,
  prefixes: readonly Uint16Array[],
  options: Measuring = {},
): Promise<Result<LegalVerbsAnswer[]>> {
  const pause = pauseOf(options);
  const { context } = engine.model;
  return endedEarly(async () => {
    const found = questionsFor(domain.name);
    if (!found.ok) return found;
    const questions = found.value;
    if (notation.name !== 'splat')
      return fail('not-splat', `Legal verbs are asked of models that read "splat", not "${notation.name}".`);
    const rows = prefixes.map((prefix) => tokensOf(notation, prefix));
    const long = rows.findIndex((row) => row.length > context);
    if (long >= 0)
      return fail(
        'too-long',
        `Beginning ${long + 1} of ${rows.length} does not fit the model, which reads at most ${context} tokens; leave it out.`,
      );
    const answers: LegalVerbsAnswer[] = [];
    for (let at = 0; at < rows.length; at += ROWS) {
      const asked = rows.slice(at, at + ROWS);
      const heard = await engine.leafLogits(
        asked,
        asked.map(() => []),
      );
      for (const { root } of heard) {
        const prefix = prefixes[answers.length];
        const logits = mute(root, notation.mutedInEvaluation);
        const legal = new Set(legalTokensAfter(questions, prefix));
        const { rPrecision } = rankAnswer(logits, legal);
        const spelt = new Set(questions.spelling(nothingAsked(questions.game, prefix)));
        const spelling = { tokens: spelt.size, rPrecision: rankAnswer(logits, spelt).rPrecision };
        const masses = massesOf(domain, prefix, probabilities(logits));
        answers.push({ events: prefix.length, legal: legal.size, rPrecision, spelling, ...masses });
      }
      options.onProgress?.({
        words: `Legal verbs after ${answers.length} of ${rows.length} beginnings`,
        share: answers.length / rows.length,
      });
      await pause();
    }
    return ok(answers);
  });
}

/** Token ids that the rules allow after these events, at least one. */
export function legalTokensAfter(questions: Questions, prefix: Uint16Array): number[] {
  return questions.legalTokens(nothingAsked(questions.game, prefix));
}
