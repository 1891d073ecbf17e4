import { ok, type Result } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { domainNamed } from '../../src/domains/domains.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { TraceReader } from '../../src/studies/splat/asking/answer-trace.ts';
import { questionsFor } from '../../src/studies/splat/questions/questions.ts';

/** What a model of SPLAT tokens is asked about states with; null for models of other notations, and games without questions. */
export function traceReaderOf(config: RunConfig, notation: Notation): TraceReader | null {
  if (notation.name !== 'splat') return null;
  const domain = domainNamed(config.domain);
  const questions = questionsFor(config.domain, config.questions?.own ?? []);
  if (!domain.ok || !questions.ok) return null;
  return { domain: domain.value, notation, questions: questions.value, fineTuned: config.questions !== null };
}

/** A game's line as events; the empty line is the game before its first. */
export function readGame({ domain }: TraceReader, line: string): Result<Uint16Array> {
  return line.trim() === '' ? ok(new Uint16Array()) : domain.traces.parse(line);
}
