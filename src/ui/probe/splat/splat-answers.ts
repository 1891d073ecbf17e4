import { domainNamed } from '../../../domains/domains.ts';
import { countsDiffer } from '../../../studies/splat/asking/spelt-count.ts';
import type { SplatAssessment, SplatAnswer } from '../../../studies/splat/splat-assessment.ts';
import { splatGameOf } from '../../../studies/splat/questions/splat-game.ts';
import { ANSWERS, LEGAL_VERBS, SPELT } from '../../../studies/splat/report/cells.ts';
import { NEXT_TOKEN_TITLE } from '../../../studies/splat/report/probing.ts';
import type { Member } from '../../../report/table.ts';
import { percent } from '../../kit/format.ts';
import { afterWords, gameWords } from './splat-labels.ts';
import { valuesOf } from '../../session/asking/trace-reading.ts';

/** Answers of SPLAT assessments told to people, with the state that each is about. */

export interface ToldAnswer {
  /** Unlike that of any other answer. */
  key: string;
  right: boolean;
  /** "After 212 verbs: who is on third?" */
  question: string;
  /** "The model says nobody; it is player 104." */
  verdict: string;
  /** The variable that was asked for, where it was one. */
  asked: string | null;
  /** What else is known: how sure it is, how far from what it learned. */
  more: string;
  /** The state before the answer, by variable; null where the line cannot be read. */
  values: Readonly<Record<string, string>> | null;
  /** The events up to the question in the game's own text. */
  line: string;
}

/** What Legal Verbs is called beside the names of question forms. */
export const LEGAL_VERBS_FORM = 'legal verbs';

/** The kinds of question that an assessment has answers to, the paper's before those that somebody added. */
export function formsOf({ legalVerbs, answers }: SplatAssessment): string[] {
  const asked = new Set(answers.map(({ form }) => form));
  const known = Object.keys(TITLES).filter((form) =>
    form === LEGAL_VERBS_FORM ? legalVerbs.length > 0 : asked.has(form),
  );
  return [...known, ...[...asked].filter((form) => !(form in TITLES))];
}

const TITLES: Readonly<Record<string, string>> = {
  [LEGAL_VERBS_FORM]: 'Legal verbs',
  assignment: 'Assignment',
  winning: 'Who’s winning',
  goal: 'Goal state',
};

/** "Who’s winning"; of a question that somebody added, its name. Legal Verbs are listed by the next token. */
export function formTitle(form: string, domain: string): string {
  if (form === LEGAL_VERBS_FORM && countsDiffer(domain)) return NEXT_TOKEN_TITLE;
  return TITLES[form] ?? form;
}

export function membersOfForm(assessment: SplatAssessment, form: string): Member[] {
  if (form === LEGAL_VERBS_FORM)
    return assessment.legalVerbs.map((_, answer) => ({ assessment: 0, set: LEGAL_VERBS, answer }));
  return assessment.answers.flatMap((answer, i): Member[] =>
    answer.form === form ? [{ assessment: 0, set: ANSWERS, answer: i }] : [],
  );
}

export function isRight(assessments: readonly SplatAssessment[], { assessment, set, answer }: Member): boolean {
  const { legalVerbs, answers } = assessments[assessment];
  if (set === ANSWERS) return answers[answer].correct;
  const { spelling, rPrecision } = legalVerbs[answer];
  return (set === SPELT ? spelling?.rPrecision : rPrecision) === 1;
}

/** One answer in words, with its state. `named`: several models are told of, so that each is named. */
export function toldAnswer(assessments: readonly SplatAssessment[], member: Member, named: boolean): ToldAnswer {
  const assessment = assessments[member.assessment];
  const { domain, subject } = assessment;
  const model = named ? subject.name : 'The model';
  const told =
    member.set === ANSWERS
      ? toldQuestion(domain, assessment.answers[member.answer], model)
      : toldLegalVerbs(assessment, member, model);
  const text =
    member.set === ANSWERS
      ? eventsOf(assessment.lines[assessment.answers[member.answer].line])
      : (assessment.prefixes?.[member.answer] ?? null);
  return {
    key: `${member.assessment} ${member.set} ${member.answer}`,
    right: isRight(assessments, member),
    ...told,
    ...stateAfter(domain, text, member.set !== ANSWERS),
  };
}

function toldLegalVerbs({ domain, legalVerbs }: SplatAssessment, { set, answer: at }: Member, model: string) {
  const { events, legal, rPrecision, spelling, legalMass, inPatternMass } = legalVerbs[at];
  const hits = Math.round(rPrecision * legal);
  const blocked = inPatternMass === null ? '' : `, ${percent(inPatternMass - legalMass)}% on blocked ones`;
  const trust = `${percent(legalMass)}% of its trust on legal ones${blocked}.`;
  if (set === SPELT && spelling) {
    const { tokens } = spelling;
    return {
      question: `${afterWords(domain, events)}: which tokens are legal ${gameWords(domain).event}s spelt with?`,
      asked: null,
      verdict: `${model} has ${Math.round(spelling.rPrecision * tokens)} of these ${tokens} among its first ${tokens}.`,
      more: `Of the ${legal} that may come next, ${hits} ${hits === 1 ? 'is' : 'are'} among its first ${legal}. ${trust}`,
    };
  }
  const spelt =
    spelling === undefined || spelling.tokens === legal
      ? ''
      : ` Of the ${spelling.tokens} that legal verbs are spelt with, ${Math.round(spelling.rPrecision * spelling.tokens)} are among its first ${spelling.tokens}.`;
  return {
    question: `${afterWords(domain, events)}: what may come next?`,
    asked: null,
    verdict:
      legal === 1
        ? `One token is legal, and ${model === 'The model' ? 'the model' : model} ${hits === 1 ? 'has it first' : 'has another first'}.`
        : `${model} has ${hits} of the ${legal} legal ones among its first ${legal}.`,
    more: `${trust}${spelt}`,
  };
}

function toldQuestion(domain: string, answer: SplatAnswer, model: string) {
  const { form, events, gold, answered, correct, goldProbability, distance } = answer;
  const words = gameWords(domain);
  const args = answer.args.map((arg) => arg.replace(/^\[(.+)\]$/, '$1'));
  const asked = (question: string): string => `${afterWords(domain, events)}: ${question}`;
  const more = [
    ...(goldProbability === null
      ? []
      : [`It gives ${correct ? 'that' : 'the right answer'} ${percent(goldProbability)}%.`]),
    ...(distance === null
      ? []
      : [`The nearest state it learned from differs in ${distance === 1 ? '1 place' : `${distance} places`}.`]),
  ].join(' ');
  const says = (value: (token: string) => string): string =>
    correct
      ? `${model} says ${value(answered)}, which is right.`
      : `${model} says ${value(answered)}; it is ${value(gold)}.`;
  if (form === 'goal') {
    const verdict = `${model} writes ${answered || 'nothing'}, ${correct ? 'and gets there' : `and does not. One way: ${gold}`}.`;
    return {
      asked: args[0],
      question: asked(`which five ${words.event}s lead to ${words.holds(args[0], args[1])}?`),
      verdict,
      more,
    };
  }
  if (form === 'winning')
    return {
      asked: null,
      question: asked('who is ahead?'),
      verdict: says((token) => words.winners[token] ?? token),
      more,
    };
  if (form === 'assignment')
    return {
      asked: args[0],
      question: asked(words.asks(args[0])),
      verdict: says((token) => words.value(args[0], token)),
      more,
    };
  return { asked: null, question: asked(`${[form, ...args].join(' ')}?`), verdict: says((token) => token), more };
}

/** What stands between [start] and [sep]. */
function eventsOf(line: string): string {
  const separator = line.indexOf(' [sep]');
  return line.slice('[start] '.length, separator < 0 ? undefined : separator);
}

function stateAfter(
  domain: string,
  text: string | null,
  isTrace: boolean,
): { values: Readonly<Record<string, string>> | null; line: string } {
  const game = splatGameOf(domain);
  const found = domainNamed(domain);
  if (text === null || !game.ok || !found.ok) return { values: null, line: '' };
  const tokens = text.split(' ').filter(Boolean);
  const read =
    tokens.length === 0
      ? { ok: true as const, value: new Uint16Array() }
      : isTrace
        ? found.value.traces.parse(text)
        : game.value.read(tokens, 2);
  if (!read.ok) return { values: null, line: text };
  return {
    values: valuesOf(found.value, game.value.stateAfter(read.value)),
    line: found.value.traces.format(read.value),
  };
}
