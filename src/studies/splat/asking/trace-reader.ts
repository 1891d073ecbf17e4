import { ok, type Result } from '../../../base/result.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import type { Notation } from '../../../domains/domain.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { questionsFor } from '../questions/questions.ts';
import type { TraceReader } from './answer-trace.ts';

/** What a model of SPLAT's tokens is asked about states with; null for models of other notations, and games without questions. */
export function traceReaderOf(config: RunConfig | null, notation: Notation): TraceReader | null {
  if (config === null || notation.tokensPer !== 'event') return null;
  const domain = domainNamed(config.domain);
  const questions = questionsFor(config.domain, config.questions?.own ?? []);
  if (!domain.ok || !questions.ok) return null;
  return { domain: domain.value, notation, questions: questions.value, fineTuned: config.questions !== null };
}

/** A game's line as events; the empty line is the game before its first. */
export function readGame({ domain }: TraceReader, line: string): Result<Uint16Array> {
  return line.trim() === '' ? ok(new Uint16Array()) : domain.traces.parse(line);
}
