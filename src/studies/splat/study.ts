import * as v from 'valibot';
import { fail } from '../../base/result.ts';
import { INSTANCE_SEED } from '../../config/instance-seed.ts';
import { CustomQuestionSchema } from '../../config/questions-schema.ts';
import { noticeOf } from '../../config/notice.ts';
import { domainNamed, gameTitle } from '../../domains/domains.ts';
import { count } from '../../report/labels.ts';
import { choiceSetting, numberSetting, switchSetting } from '../setting-fields.ts';
import type { Study, StudyGames, Subject } from '../study.ts';
import { assessSplat } from './assess-splat.ts';
import { splatLive } from './live.ts';
import { asksQuestions, questionsFor } from './questions/questions.ts';
import { countedGames } from './report/counted-games.ts';
import { beside } from './report/forgetting.ts';
import { splatHeadline } from './report/headline.ts';
import { splatReport } from './report/html.ts';
import { publishedFor } from './published/published-for.ts';
import { recordedSplat } from './recorded.ts';
import { SplatGamesSchema, type SplatGames } from './report/report-input.ts';
import { SplatSchema, type SplatAssessment } from './splat-assessment.ts';

export const splatSettings = v.object({
  questions: numberSetting('Questions of each kind', 100, { min: 1, max: 100_000 }),
  perplexityGames: numberSetting('Games for perplexity', 20, { min: 0, max: 1_000_000 }),
  /** 'learned': as the model's own run had them; where that learned no questions, as the authors released them. */
  goals: choiceSetting('How goals go on', ['learned', 'released', 'corrected'], 'learned', {
    learned: 'as it learned them',
    released: 'as released',
    corrected: 'as played',
  }),
  /** Null: those that the model has learned. */
  own: v.optional(v.nullable(v.array(CustomQuestionSchema)), null),
  distances: switchSetting('Distances to what it learned from', true),
  seed: numberSetting(null, INSTANCE_SEED, { min: 0, max: Number.MAX_SAFE_INTEGER }),
});
export type SplatSettings = v.InferOutput<typeof splatSettings>;

/** SPLAT: Legal Verbs with masses, and every form of question. */
export const splat: Study<SplatSettings, SplatAssessment> = {
  name: 'splat',
  title: 'SPLAT',
  source:
    'Demeter and Downey, “Who’s on First?: Probing the Learning and Representation Capabilities of Language Models on Deterministic Closed Domains”, CoNLL 2021',
  description:
    'The model is asked about games that it never saw: what may come next, what the state of play is, who is ahead, and which five verbs lead to a goal. Random answers stand beside its own. A model that has read games alone is asked what may come next; it answers the rest once it was fine-tuned on questions, which the Train page does under “Reads”.',
  appliesTo: asksQuestions,
  refusal:
    'SPLAT’s questions are asked in tokens of their own, or in text. Choose a model that was trained with the notation "splat" or "text".',
  settings: splatSettings,
  idle({ domain, subject }) {
    if (!subject.fineTuning) return ['goals', 'distances'];
    const questions = questionsFor(domain);
    return questions.ok && questions.value.goalModes.length > 1 ? [] : ['goals'];
  },
  games: 'test',
  async assess(engine, subject, games, settings, measuring) {
    const { notation, config, about } = subject;
    if (config === null || !asksQuestions(config)) return fail('not-splat', splat.refusal);
    const found = domainNamed(config.domain);
    if (!found.ok) return found;
    const domain = found.value;
    const all = questionsFor(config.domain, config.questions?.own ?? []);
    if (!all.ok) return all;
    const questions = all.value;
    const goals = settings.goals === 'learned' ? (config.questions?.goals ?? 'released') : settings.goals;
    const custom = settings.own ?? config.questions?.own ?? [];
    const strange = custom.find(({ name }) => !questions.forms.some((form) => form.name === name));
    if (strange)
      return fail(
        'not-learned',
        `This model has never learned the question "${strange.name}"; fine-tune one on it first.`,
      );
    const missed = missedGames(subject, games!, settings);
    const asked = { ...settings, goals, own: custom, distances: settings.distances && missed === null, games: games! };
    const made = await assessSplat(
      engine,
      { domain, notation, questions, about, config },
      { ...asked, ...noticeOf(games!.notice) },
      measuring,
    );
    return made.ok && missed !== null ? { ...made, value: { ...made.value, distancesNeed: missed } } : made;
  },
  live: splatLive,
  publishedFor,
  stored: {
    schema: SplatSchema,
    games: { of: 'learned', schema: SplatGamesSchema, count: countedGames },
    report: (assessments, games, { whole = false } = {}) =>
      splatReport({ assessments, data: games as SplatGames[] }, { byGame: !whole }),
    headline: splatHeadline,
    recorded: recordedSplat,
    beside,
    label({ domain, lines, legalVerbs, recorded }) {
      const questions = recorded ? '' : `${count(lines.length)} questions and `;
      return `${gameTitle(domain)}: ${questions}${count(recorded?.n ?? legalVerbs.length)} beginnings`;
    },
  },
};

/**
 * The games that distances would have needed, as the model's config names them; null where none are missed: distances
 * to questions of games that a model never learned from say nothing.
 */
export function missedGames(
  { config }: Subject,
  { manifest }: Pick<StudyGames, 'manifest'>,
  { distances }: Pick<SplatSettings, 'distances'>,
): string | null {
  if (!distances || !config?.questions || config.data.manifest === manifest) return null;
  return config.data.games;
}
