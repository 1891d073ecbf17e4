import type { RunConfig } from '../../config/run-config.ts';
import type { LiveStory } from '../live.ts';

/** Names of the live scores; custom questions may be named as they like. */
export const LEGAL_VERBS = 'legal-verbs';
export const questionScore = (form: string): string => `question ${form}`;
/** The label of the baseline of random answers (live.ts). */
export const RANDOM = 'random';

/** What a model of SPLAT's tokens comes to do. */
export function splatStory(config: RunConfig, forms: readonly string[]): LiveStory {
  return {
    opening: {
      title: 'A model that has never seen a game',
      sentence:
        config.questions === null
          ? 'A small language model reads games as lines of words and learns to guess the next one: nobody tells it what the words mean, and here you watch whether it finds out which of them may follow.'
          : 'A small language model reads games that break off with a question about the state of play, and its answer: here you watch how many questions about games that it never saw it comes to answer rightly.',
    },
    milestones: [
      {
        ...{ score: LEGAL_VERBS, above: RANDOM, label: 'beats random words' },
        sentence: 'It finds what may come next better than chance would.',
      },
      {
        ...{ score: LEGAL_VERBS, above: 0.9, label: '9 of 10 words legal' },
        sentence: 'Of the words that it finds likeliest, 9 of 10 may come next.',
      },
      ...forms.map((form) => ({
        ...{ score: questionScore(form), above: RANDOM, label: `${form}: beats random answers` },
        sentence: `It answers questions of ${form} better than chance would.`,
      })),
    ],
    summary: {
      score: LEGAL_VERBS,
      sentence: 'In games that it never saw, {n} of 100 words that it finds likeliest may come next',
      beside: { reference: RANDOM, sentence: 'of random words, {n} may' },
    },
  };
}
