import type { CustomQuestion, QuestionsConfig } from '../../../config/questions-schema.ts';
import { startOf } from '../../../config/run-config.ts';
import type { Trial } from '../../../studies/splat/custom/try-question.ts';
import type { Answers } from '../../../studies/splat/custom/answers.ts';
import { readExpression } from '../../../studies/splat/custom/custom-form.ts';
import { isEmpty, scopeOf } from '../../../studies/splat/custom/scope.ts';
import { few, inText } from '../../../studies/splat/custom/suggestions.ts';
import type { Problem, Read } from '../../../studies/splat/custom/tree.ts';
import { isResultName, spareIndicators } from '../../../studies/splat/questions/add-form.ts';
import { splatGameOf } from '../../../studies/splat/questions/splat-game.ts';
import type { ExperimentState } from '../../session/experiment/experiment.svelte.ts';

/**
 * What fine-tuning begins with: several questions a line and the answers alone, since that answers best within minutes
 * (docs/log.md). The authors' way, one question and the whole line, is two fields away and the command line's own.
 */
export const QUICK_QUESTIONS: QuestionsConfig = {
  from: null,
  perGame: 1,
  perLine: 8,
  goals: 'released',
  learn: 'answer',
  own: [],
};

/** What is needed of the form here. */
type Form = Pick<ExperimentState, 'config' | 'problem' | 'set'>;

/**
 * Reads questions from now on, as they were asked `before` where that is known, or whole games; the start stays. Lines
 * with questions are learned as they are written.
 */
export function readQuestions(experiment: Form, wanted: boolean, before: QuestionsConfig | null): void {
  if (wanted && experiment.config.objective !== 'next') experiment.set('objective', 'next');
  const from = startOf(experiment.config);
  experiment.set('questions', wanted ? { ...(before ?? QUICK_QUESTIONS), from } : null);
  experiment.set('from', wanted ? undefined : (from ?? undefined));
}

/** The first indicator of a game that asks nothing yet; null where all do. */
export function freeIndicator(domain: string, custom: readonly CustomQuestion[]): string | null {
  const game = splatGameOf(domain);
  if (!game.ok) return null;
  return spareIndicators(game.value).find((spare) => custom.every(({ indicator }) => indicator !== spare)) ?? null;
}

/** What is wrong with the name of a question, in a sentence; null where it will do. `others` are those beside it. */
export function nameProblem(domain: string, name: string, others: readonly CustomQuestion[]): string | null {
  if (name === '') return 'Give it a name.';
  if (!/^[a-z][a-z0-9 -]{0,39}$/.test(name))
    return 'A name begins with a small letter, and has small letters, digits, spaces and dashes, 40 at most.';
  if (isResultName(name)) return `"${name}" names something else among the results; give it another name.`;
  const game = splatGameOf(domain);
  const taken = [...(game.ok ? game.value.forms : []), ...others].some((known) => known.name === name);
  return taken ? `There is a question named "${name}" already.` : null;
}

/** What a text means in a game, and what is wrong with it. */
export function readDraft(domain: string, expression: string): Read<Answers<unknown>> {
  const game = splatGameOf(domain);
  if (game.ok) return readExpression(expression, game.value);
  return { ok: false, error: { ...game.error, at: 0, end: expression.length } };
}

/** What can be written about a game's states, each with what it means. */
export function languageKeywords(domain: string): { text: string; means: string }[] {
  const game = splatGameOf(domain);
  if (!game.ok) return [];
  const { variables, places } = scopeOf(game.value.domain);
  const names = [...variables.keys()].map(inText);
  const [place, other = place] = places.map(({ name }) => inText(name));
  const value = places[0]?.values.find((known) => !isEmpty(known)) ?? '';
  const canBeEmpty = places[0]?.values.some(isEmpty) ?? false;
  return [
    { text: few(names), means: 'The variables of the state. Numbers and what is in quotes are values.' },
    { text: 'legal   leader', means: 'How many events the rules allow; who is ahead: "first", "second" or "level".' },
    { text: '+ - *   = != < <= > >=', means: 'Arithmetic and comparison.' },
    { text: 'and   or   not   if A then B else C', means: 'Put together from what is true or false.' },
    {
      text: `count("${value}")   any("${value}")`,
      means: `How many of ${place} to ${places.at(-1)?.name ?? ''} hold one of these values; whether one does.`,
    },
    ...(canBeEmpty
      ? [
          {
            text: `taken(${place}, ${other})   empty(${place})`,
            means: 'How many of these are not empty; whether this one is.',
          },
        ]
      : []),
    { text: 'least(9, ...)   most(0, ...)', means: 'The smaller, the larger of two numbers.' },
  ];
}

/** Characters of a text that are shown around what is wrong with it. */
const SHOWN_BEFORE = 15;
const SHOWN = 23;

/** A piece of the text in one line, and marks below what is wrong with it; both for a face of equal widths. */
export function caretLines(text: string, { at, end }: Pick<Problem, 'at' | 'end'>): { text: string; marks: string } {
  const from = Math.max(0, at - SHOWN_BEFORE);
  const shown = text.slice(from, from + SHOWN).replace(/\s/g, ' ');
  const marked = Math.max(1, Math.min(end, from + SHOWN) - at);
  const [head, tail] = [from > 0 ? '… ' : '', text.length > from + SHOWN ? ' …' : ''];
  return { text: head + shown + tail, marks: ' '.repeat(head.length + at - from) + '^'.repeat(marked) };
}

/** Answers told one by one. */
const ROWS = 10;

/** The answers that came, with their shares, and the others in a sentence. */
export function trialRows({ answers, asked }: Trial): {
  rows: { label: string; token: string; share: number }[];
  rest: string;
} {
  const came = answers.filter(({ count }) => count > 0);
  const often = came.length <= ROWS ? came : came.toSorted((a, b) => b.count - a.count).slice(0, ROWS);
  const never = answers.filter(({ count }) => count === 0).map(({ label }) => label);
  const rest = [
    ...(came.length > ROWS ? [`${came.length - ROWS} other answers came less often.`] : []),
    ...(never.length > 0 && never.length <= ROWS ? [`Never came: ${never.join(', ')}.`] : []),
    ...(never.length > ROWS ? [`${never.length} possible answers never came.`] : []),
  ];
  return {
    rows: often.map(({ label, token, count }) => ({ label, token, share: count / asked })),
    rest: rest.join(' '),
  };
}

/** What should be thought about before a question is used, in a sentence; empty where nothing should. */
export function trialWarning({ asked, always, answers, cut }: Trial): string {
  if (asked === 0) return 'The sample games are too short to be asked.';
  if (always !== null) return `The answer was ${always} wherever it was asked: there is little to learn from it.`;
  const most = answers.reduce((top, { count }) => Math.max(top, count), 0);
  if (most / asked >= 0.98) return 'One answer is right nearly always, so that a model is right without looking.';
  const last = answers.at(-1)!;
  if (cut !== null && last.count / asked >= 0.25)
    return `${last.label} is the answer to ${Math.round((100 * last.count) / asked)}% of them; least(${cut + 5}, ...) tells more numbers apart, where there are tokens for them.`;
  return '';
}
