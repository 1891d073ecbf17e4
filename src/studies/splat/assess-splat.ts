import { fail, ok, type Result } from '../../base/result.ts';
import { noticeOf } from '../../config/notice.ts';
import type { RunConfig } from '../../config/run-config.ts';
import type { Corpus } from '../../data/corpus.ts';
import type { Notation } from '../../domains/domain.ts';
import type { AnyDomain } from '../../domains/domains.ts';
import type { Engine } from '../../engine/engine.ts';
import type { AssessedModel } from '../subject-schema.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import type { Measuring } from '../asking/measuring.ts';
import { tokensOf } from '../asking/next-token.ts';
import { tokenPerplexity } from '../asking/token-perplexity.ts';
import { askQuestions, type QuestionAnswer } from './asking/ask-questions.ts';
import { fineTuningStates, stateReader, type FineTuningStates } from './fine-tuning/fine-tuning-states.ts';
import { heldOutLines, heldOutPrefixes } from './questions/held-out-lines.ts';
import { askLegalVerbs } from './asking/legal-verbs.ts';
import type { GoalMode, QuestionLine } from './questions/question.ts';
import type { Questions } from './questions/questions.ts';
import { ofOtherLines, randomBaselines } from './asking/random-baselines.ts';
import type { LegalVerbsAnswer, SplatAnswer, SplatAssessment } from './splat-assessment.ts';

/** A model of SPLAT tokens, and what is known of it. */
export interface SplatSubject {
  domain: AnyDomain;
  /** "splat", or "text". */
  notation: Notation;
  /** The game's questions, with the model's own. */
  questions: Questions;
  about: AssessedModel;
  /** The run it comes from; null where it is not told. Only a run that learned questions is asked them. */
  config: RunConfig | null;
}

export interface SplatAsked {
  /** Held-out games are those of `test`, or of `dev` where it is empty; `train` is looked at for distances alone. */
  games: { train: Corpus; dev: Corpus; test: Corpus };
  /** Questions of each form, and beginnings for Legal Verbs. */
  questions: number;
  perplexityGames: number;
  /** How goal questions are made and judged. */
  goals: GoalMode;
  /** Whether the nearest fine-tuning state of each question is looked for. */
  distances: boolean;
  seed: number;
  /** Lines to be asked in place of those made from the held-out games, whatever the model has learned; else null. */
  lines?: readonly QuestionLine[] | null;
  /** What must be said wherever the held-out games are used. */
  notice?: string;
}

/** What the parts cost, in passes: a goal is five verbs. */
const GOAL_COST = 5;
/** What looking for distances costs beside all questions. */
const DISTANCES_COST = 0.2;

/**
 * All that SPLAT's tables and figures need of one model: perplexity a token, Legal Verbs with masses, every form of
 * question, and how far each question's state is from the nearest of fine-tuning. The same seed asks the same of every
 * model whose context holds it. Fails with `not-splat`, `no-held-out-games`, `cancelled`, and as its parts do.
 */
export function assessSplat(
  engine: Engine,
  subject: SplatSubject,
  asked: SplatAsked,
  pace: Measuring = {},
): Promise<Result<SplatAssessment>> {
  const { domain, notation, questions, about, config } = subject;
  return endedEarly(async () => {
    const { text } = notation;
    if (notation.name !== 'splat' && !text)
      return fail(
        'not-splat',
        `SPLAT is asked of models that read the notation "splat" or "text"; this one reads "${notation.name}".`,
      );
    const { context } = engine.model;
    const games = asked.games.test.length > 0 ? asked.games.test : asked.games.dev;
    const heldOut = { games, context, seed: asked.seed, text };
    const fineTuned = (config?.questions ?? null) !== null;
    const prefixes = heldOutPrefixes(questions, heldOut, {
      many: asked.questions,
      tokensOf: (prefix) => tokensOf(notation, prefix).length,
    });
    const lines =
      asked.lines ?? (fineTuned ? heldOutLines(questions, heldOut, { each: asked.questions, mode: asked.goals }) : []);
    if (prefixes.length === 0 && lines.length === 0)
      return fail(
        'no-held-out-games',
        'These games leave none to ask about: there are no held-out games, or every one is too short for a question or too long for the model. Take a set with more games.',
      );
    const measured = Math.min(asked.perplexityGames, games.length);
    const asking = lines.reduce((sum, { path }) => sum + (path ? GOAL_COST : 1), 0);
    const withDistances = asked.distances && fineTuned && lines.length > 0;
    const parts = partsOf(pace, [measured, prefixes.length, asking, withDistances ? DISTANCES_COST * asking : 0]);
    const pause = pauseOf(pace);

    const perplexity = await tokenPerplexity(engine, [...games.first(measured)], notation, {
      pause,
      onGames: (done, of) => parts.tell(0, 'Perplexity on held-out games', done / of),
    });
    const legalVerbs = await askLegalVerbs(engine, domain, notation, prefixes, {
      ...pace,
      onProgress: ({ label, share }) => parts.tell(1, label, share),
    });
    if (!legalVerbs.ok) return legalVerbs;
    const answers = await askQuestions(engine, questions, lines, {
      ...pace,
      ...{ mode: asked.goals, text },
      onProgress: ({ label, share }) => parts.tell(2, label, share),
    });
    if (!answers.ok) return answers;
    let states: FineTuningStates | null = null;
    if (withDistances) {
      const text = 'The states that it was fine-tuned on';
      const onShare = (share: number): void => parts.tell(3, text, share / 2);
      const steps = about.steps || config!.schedule.steps;
      const found = await fineTuningStates(config!, asked.games.train, { ...pace, notation, steps, onShare });
      if (!found.ok) return found;
      states = found.value;
    }
    const placed = await withDistancesTo(states, { ...subject, lines, answers: answers.value }, pause, (share) =>
      parts.tell(3, 'The nearest of them to each question', 0.5 + share / 2),
    );
    return ok({
      version: 1,
      subject: about,
      domain: domain.name,
      perplexity: perplexity.ok ? perplexity.value : null,
      legalVerbs: legalVerbs.value,
      prefixes: prefixes.map((prefix) => domain.traces.format(prefix)),
      lines: lines.map((line) => questions.format(line)),
      answers: placed,
      random: {
        ...randomLegalVerbs(legalVerbs.value, questions.vocabulary.size),
        questions: randomAnswers(questions, lines, asked.goals),
      },
      fineTuningStates: states?.lines ?? null,
      ...noticeOf(config?.data.notice, asked.notice),
    });
  });
}

/** The answers with their places and distances; states of lines that come to the same are looked for once. */
async function withDistancesTo(
  states: FineTuningStates | null,
  of: { domain: AnyDomain; lines: readonly QuestionLine[]; answers: readonly QuestionAnswer[] },
  pause: () => Promise<void>,
  onShare: (share: number) => void,
): Promise<SplatAnswer[]> {
  const read = states && stateReader(of.domain);
  const placed: SplatAnswer[] = [];
  for (const [line, answer] of of.answers.entries()) {
    const state = read?.values(of.lines[line].prefix) ?? null;
    placed.push({ line, ...answer, distance: state && states!.index.nearest(state) });
    if (states === null || (placed.length % 20 !== 0 && placed.length < of.answers.length)) continue;
    onShare(placed.length / of.answers.length);
    await pause();
  }
  return placed;
}

/** Shares of the parts in the whole work, told in order. */
function partsOf(
  { onProgress }: Measuring,
  costs: readonly number[],
): { tell(part: number, text: string, share: number): void } {
  const whole = costs.reduce((sum, cost) => sum + cost, 0);
  const before = costs.map((_, part) => costs.slice(0, part).reduce((sum, cost) => sum + cost, 0));
  return {
    tell: (part, label, share) => onProgress?.({ label, share: (before[part] + share * costs[part]) / whole }),
  };
}

/** What a random order of the vocabulary scores at Legal Verbs: next tokens, and all that legal verbs are spelt with. */
export function randomLegalVerbs(
  answers: readonly LegalVerbsAnswer[],
  vocabulary: number,
): { legalVerbs: number; spelling: number } {
  const share = (tokens: (answer: LegalVerbsAnswer) => number): number => mean(answers.map(tokens)) / vocabulary;
  return {
    legalVerbs: share(({ legal }) => legal),
    spelling: share(({ spelling, legal }) => spelling?.tokens ?? legal),
  };
}

/** What random answers score, by form: the paper's as random-baselines.ts has them, own ones by answers of other lines. */
function randomAnswers(questions: Questions, lines: readonly QuestionLine[], mode: GoalMode): Record<string, number> {
  const { assignment, winning, goal } = randomBaselines(questions, lines, mode);
  const known: Record<string, number | null> = { assignment, winning, goal };
  const shares = questions.forms.flatMap(({ name }): [string, number][] => {
    const share = Object.hasOwn(known, name) ? known[name] : ofOtherLines(questions, lines, name);
    return share === null ? [] : [[name, share]];
  });
  return Object.fromEntries(shares);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
