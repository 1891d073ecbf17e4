import { fail, ok, type Result } from '../../../base/result.ts';
import type { Notation, TextSpelling } from '../../../domains/domain.ts';
import type { AnyDomain } from '../../../domains/domains.ts';
import type { Engine } from '../../../engine/engine.ts';
import { endedEarly, pauseOf } from '../../asking/cancellation.ts';
import type { Measuring } from '../../asking/measuring.ts';
import { mute, probabilities, rankAnswer } from '../../asking/metrics.ts';
import { tokensOf } from '../../asking/next-token.ts';
import { countedTokens, massesOf } from './mass.ts';
import { questionsFor, type Questions } from '../questions/questions.ts';
import type { LegalVerbsAnswer } from '../splat-assessment.ts';
import { wordProbabilities } from './word-probabilities.ts';

/** Prefixes that an engine answers at once. */
const ROWS = 4;

/**
 * Legal Verbs (Demeter and Downey 2021, sections 3.3 and 5.3): after the verbs alone, without [sep], how many of the R
 * likeliest tokens of the whole vocabulary are among the R that the rules allow next, and how much probability lies on
 * those; and the same for the R that legal verbs are spelt with, which the paper's figures for baseball seem to be. A
 * model of text is asked for the words of that vocabulary (word-probabilities.ts). Where a game is over, [end] is what may come. One answer for each prefix, in order; pauses after every few.
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
    if (notation.name !== 'splat' && !notation.text)
      return fail('not-splat', `Legal verbs are asked of models that read "splat" or "text", not "${notation.name}".`);
    const rows = prefixes.map((prefix) => tokensOf(notation, prefix));
    const room = notation.text ? notation.text.longest - 1 : 0;
    const long = rows.findIndex((row) => row.length + room > context);
    if (long >= 0)
      return fail(
        'too-long',
        `Beginning ${long + 1} of ${rows.length} does not fit the model, which reads at most ${context} tokens; leave it out.`,
      );
    const answers: LegalVerbsAnswer[] = [];
    for (let at = 0; at < rows.length; at += ROWS) {
      const asked = rows.slice(at, at + ROWS);
      const some = prefixes.slice(at, at + ROWS);
      const { text } = notation;
      const heard = text
        ? await textDistributions(engine, text, domain, questions, asked, some)
        : await distributions(engine, notation, asked);
      for (const [row, { ranked, shares }] of heard.entries()) {
        const prefix = some[row];
        const legal = new Set(questions.legalTokens(prefix));
        const { rPrecision } = rankAnswer(ranked, legal);
        const spelt = new Set(questions.spelling(prefix));
        const spelling = { tokens: spelt.size, rPrecision: rankAnswer(ranked, spelt).rPrecision };
        const masses = massesOf(domain, prefix, shares);
        answers.push({ events: prefix.length, legal: legal.size, rPrecision, spelling, ...masses });
      }
      options.onProgress?.({
        label: `Legal verbs after ${answers.length} of ${rows.length} beginnings`,
        share: answers.length / rows.length,
      });
      await pause();
    }
    return ok(answers);
  });
}

/** What may come next, [V]: in an order that ranks them, and as shares of all. */
interface Ranked {
  ranked: Float32Array;
  shares: Float32Array;
}

/** Of each row the tokens that may come next. */
async function distributions(
  engine: Engine,
  { mutedInEvaluation }: Notation,
  rows: readonly number[][],
): Promise<Ranked[]> {
  const heard = await engine.leafLogits(
    rows,
    rows.map(() => []),
  );
  return heard.map(({ root }) => {
    const ranked = mute(root, mutedInEvaluation);
    return { ranked, shares: probabilities(ranked) };
  });
}

/** The same over the words of the game, of a model that reads them as text. */
async function textDistributions(
  engine: Engine,
  text: TextSpelling,
  domain: AnyDomain,
  questions: Questions,
  rows: readonly number[][],
  prefixes: readonly Uint16Array[],
): Promise<Ranked[]> {
  const found: Ranked[] = [];
  for (const [row, prefix] of prefixes.entries()) {
    const { legal, inPattern } = countedTokens(domain, prefix);
    const spelt = new Set(questions.spelling(prefix));
    const wanted = new Set([...legal, ...spelt, ...(inPattern ?? [])]);
    const top = Math.max(legal.size, spelt.size);
    const shares = await wordProbabilities(engine, text, rows[row], { wanted, top });
    found.push({ ranked: shares, shares });
  }
  return found;
}
