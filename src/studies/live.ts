import { seededRandom } from '../base/random.ts';
import { ok, type Result } from '../base/result.ts';
import { meanEstimate, proportion } from '../base/statistics.ts';
import { INSTANCE_SEED } from '../config/instance-seed.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Corpus } from '../data/corpus.ts';
import type { Notation } from '../domains/domain.ts';
import { domainNamed, type AnyDomain } from '../domains/domains.ts';
import type { Engine } from '../engine/engine.ts';
import { countBigram } from './testbed/bigram.ts';
import { endedEarly } from './asking/cancellation.ts';
import { evaluate, makeWatch, referenceScores, type Watch } from './testbed/live.ts';
import { askableEvents } from './splat/questions/askable-events.ts';
import { askQuestions } from './splat/asking/ask-questions.ts';
import { askLegalVerbs } from './splat/asking/legal-verbs.ts';
import { nothingAsked, type QuestionLine } from './splat/questions/question.ts';
import { questionsFor, type Questions } from './splat/questions/questions.ts';
import { ofOtherLines, randomBaselines } from './splat/asking/random-baselines.ts';
import type { Evaluation, References, SplatReferences } from './scores.ts';
import { tokenPerplexity } from './asking/token-perplexity.ts';

/** Points of one held-out game, where there are fewer games than points wanted. */
const POINTS_A_GAME = 8;

/** What SPLAT's live scores are measured with. */
export interface SplatWatch {
  domain: AnyDomain;
  questions: Questions;
  dev: readonly Uint16Array[];
  /** Beginnings of held-out games, for Legal Verbs. */
  prefixes: readonly Uint16Array[];
  /** State questions about held-out games; empty for a run that only reads games. Goals take five decodes each. */
  lines: readonly QuestionLine[];
}

/** What a run is watched with, the same at every evaluation: one kind for the testbed's notations, one for "splat". */
export type RunWatch = { kind: 'board'; watch: Watch } | { kind: 'splat'; watch: SplatWatch };

/**
 * Held-out games, instances and questions for a run. There may be none where the games are few or the context is short:
 * `measuresNothing` tells. Fails as `domainNamed` and `questionsFor` do.
 */
export async function makeRunWatch(
  config: RunConfig,
  notation: Notation,
  games: { train: Corpus; dev: Corpus; probe: Corpus },
): Promise<Result<RunWatch>> {
  const { evaluation, model } = config;
  const { context } = model;
  if (notation.tokensPer === 'square')
    return ok({ kind: 'board', watch: await makeWatch(games, notation, { ...evaluation, context }) });
  const domain = domainNamed(config.domain);
  if (!domain.ok) return domain;
  const found = questionsFor(config.domain, config.questions?.own ?? []);
  if (!found.ok) return found;
  const questions = found.value;
  const eventsOf = askableEvents(questions, notation, context);
  const held = [...games.probe].map((trace) => trace.subarray(0, eventsOf(trace)));
  const drawn = (stream: string): QuestionLine[] => heldOut(questions, held, stream, evaluation.instances);
  return ok({
    kind: 'splat',
    watch: {
      domain: domain.value,
      questions,
      dev: [...games.dev.first(evaluation.games)],
      // Where the authors' questions stand, so that both scores speak of the same points of a game.
      prefixes: drawn('legal verbs').map(({ prefix }) => prefix),
      lines: config.questions ? drawn('held-out questions') : [],
    },
  });
}

/** State questions about held-out games, one a game and then another as long as more are wanted. */
function heldOut(questions: Questions, games: readonly Uint16Array[], stream: string, n: number): QuestionLine[] {
  const lines: QuestionLine[] = [];
  for (let round = 0; round < POINTS_A_GAME; round++)
    for (const [game, trace] of games.entries()) {
      if (lines.length === n) return lines;
      const random = seededRandom(stream, INSTANCE_SEED, game, round);
      const point = questions.drawPoint(trace.length, { random, only: 'state' });
      const line = point && questions.makeAt(trace, point, { random, mode: 'released' });
      if (line) lines.push(line);
    }
  return lines;
}

/** Whether there is nothing to measure a run with, or not enough for any of its curves. */
export function measuresNothing(watch: RunWatch): boolean {
  if (watch.watch.dev.length === 0) return true;
  return watch.kind === 'board' ? watch.watch.instances.short.length === 0 : watch.watch.prefixes.length === 0;
}

/** All the live scores of a model at one step. Fails with `no-games` where there are none to measure on. */
export async function evaluateRun(
  engine: Engine,
  notation: Notation,
  watch: RunWatch,
  options: { step: number; pause?: () => Promise<void> },
): Promise<Result<Evaluation>> {
  if (watch.kind === 'board') return evaluate(engine, notation, watch.watch, options);
  const { domain, questions, dev, prefixes, lines } = watch.watch;
  const { step, pause } = options;
  return endedEarly(async () => {
    const held = await tokenPerplexity(engine, dev, notation, { pause });
    if (!held.ok) return held;
    const verbs = await askLegalVerbs(engine, domain, notation, prefixes, { pause });
    if (!verbs.ok) return verbs;
    const answers = await askQuestions(engine, questions, lines, { pause });
    if (!answers.ok) return answers;
    const scores = formsOf(lines).map((form) => {
      const asked = answers.value.filter((answer) => answer.form === form);
      return [form, proportion(asked.filter(({ correct }) => correct).length, asked.length)] as const;
    });
    return ok({
      step,
      devPerplexity: held.value.perplexity,
      splat: {
        legalVerbs: meanEstimate(verbs.value.map(({ rPrecision }) => rPrecision)),
        questions: Object.fromEntries(scores),
      },
    });
  });
}

/** What something that has learned nothing scores on the same instances: the faint lines behind the curves. */
export function referencesOf(watch: RunWatch, train: Corpus): References {
  if (watch.kind === 'board')
    return { kind: 'board', scores: referenceScores(watch.watch.instances, countBigram(train)) };
  return { kind: 'splat', scores: splatReferences(watch.watch) };
}

function splatReferences({ questions, prefixes, lines }: SplatWatch): SplatReferences {
  const atPrefixes = prefixes.map((prefix) => nothingAsked(questions.game, prefix));
  const { legal } = randomBaselines(questions, atPrefixes);
  const { assignment, winning } = randomBaselines(questions, lines);
  const published: Record<string, number | null> = { assignment, winning };
  const scores = formsOf(lines).map((form) => [form, published[form] ?? ofOtherLines(questions, lines, form)!]);
  const asked = formsOf(lines).map((form) => [form, lines.filter((line) => line.form === form).length]);
  return { legalVerbs: legal ?? 0, questions: Object.fromEntries(scores), asked: Object.fromEntries(asked) };
}

function formsOf(lines: readonly QuestionLine[]): string[] {
  return [...new Set(lines.map(({ form }) => form))].sort();
}
