import { domainNamed } from '../../../domains/domains.ts';
import { valuesOf } from '../../../domains/state-values.ts';
import type { AnswerView, StateView } from '../../../report/report.ts';
import type { Member } from '../../../report/table.ts';
import { splatGameOf } from '../questions/splat-game.ts';
import type { LegalVerbsAnswer, SplatAnswer, SplatAssessment } from '../splat-assessment.ts';
import { ANSWERS, SPELT } from './cells.ts';
import { afterLabel, gameLabels } from './game-labels.ts';

/** Fully right: for Legal Verbs, every one of the likeliest tokens was among those that its count wants. */
export function isRight(assessments: readonly SplatAssessment[], { assessment, set, answer }: Member): boolean {
  const { legalVerbs, answers } = assessments[assessment];
  if (set === ANSWERS) return answers[answer].correct;
  const { spelling, rPrecision } = legalVerbs[answer];
  return (set === SPELT ? spelling?.rPrecision : rPrecision) === 1;
}

/** The answer that a number counts. Members come from tables of the same list, so they are all there. */
export function answerView(assessments: readonly SplatAssessment[], member: Member): AnswerView {
  const { set, answer: at } = member;
  const { domain, subject, legalVerbs, prefixes, answers, lines } = assessments[member.assessment];
  const whole = { model: subject.name, right: isRight(assessments, member), board: null };
  if (set !== ANSWERS) {
    const prefix = prefixes?.[at];
    const state = prefix === undefined ? null : stateAfter(domain, prefix, { isTrace: true, asked: null });
    return { ...whole, ...describeLegalVerbs(domain, legalVerbs[at], set === SPELT), prompt: prefix ?? '', state };
  }
  const { asked, ...told } = describeQuestion(domain, answers[at]);
  const line = lines[answers[at].line];
  const state = stateAfter(domain, eventsOf(line), { isTrace: false, asked });
  return { ...whole, ...told, prompt: line, state };
}

type Described = Pick<AnswerView, 'question' | 'verdict' | 'more'>;

function describeLegalVerbs(
  domain: string,
  { events, legal, rPrecision, spelling, legalMass, inPatternMass }: LegalVerbsAnswer,
  spelt: boolean,
): Described {
  const hits = Math.round(rPrecision * legal);
  const blocked = inPatternMass === null ? '' : `, ${percent(inPatternMass - legalMass)} on blocked ones`;
  const trust = `${percent(legalMass)} of its trust on legal ones${blocked}.`;
  if (spelt && spelling) {
    const { tokens } = spelling;
    return {
      question: `${afterLabel(domain, events)}: which tokens are legal ${gameLabels(domain).event}s spelt with?`,
      verdict: `${Math.round(spelling.rPrecision * tokens)} of these ${tokens} among its first ${tokens}`,
      more: `Of the ${legal} that may come next, ${hits} ${hits === 1 ? 'is' : 'are'} among its first ${legal}. ${trust}`,
    };
  }
  // In chess both counts are one, which is told once.
  const other =
    spelling === undefined || spelling.tokens === legal
      ? ''
      : ` Of the ${spelling.tokens} that legal verbs are spelt with, ${Math.round(spelling.rPrecision * spelling.tokens)} are among its first ${spelling.tokens}.`;
  const one = hits === 1 ? 'the one legal token first' : 'another than the one legal token first';
  return {
    question: `${afterLabel(domain, events)}: what may come next?`,
    verdict: legal === 1 ? one : `${hits} of the ${legal} legal ones among its first ${legal}`,
    more: `${trust}${other}`,
  };
}

function describeQuestion(domain: string, answer: SplatAnswer): Described & Pick<StateView, 'asked'> {
  const { form, events, gold, answered, correct } = answer;
  const labels = gameLabels(domain);
  const args = answer.args.map((arg) => arg.replace(/^\[(.+)\]$/, '$1'));
  const tell = (
    question: string,
    asked: string | null,
    value: (token: string) => string,
  ): Described & Pick<StateView, 'asked'> => ({
    question: `${afterLabel(domain, events)}: ${question}`,
    verdict: correct ? `${value(answered)}, which is right` : `${value(answered)}; it is ${value(gold)}`,
    more: describeMore(answer).join(' '),
    asked,
  });
  // Assessments come from files, too, and a question told by its form and arguments is better than none.
  const [variable, value] = args;
  if (form === 'goal' && args.length === 2)
    return {
      ...tell(`which five ${labels.event}s lead to ${labels.holds(variable, value)}?`, variable, (token) => token),
      verdict: `${answered || 'nothing'}, which ${correct ? 'gets there' : 'does not get there'}`,
      more: [...(correct ? [] : [`One way: ${gold}.`]), ...describeMore(answer)].join(' '),
    };
  if (form === 'winning') return tell('who is ahead?', null, (token) => labels.winners[token] ?? token);
  if (form === 'assignment' && args.length === 1)
    return tell(labels.asks(variable), variable, (token) => labels.value(variable, token));
  return tell(`${[form, ...args].join(' ')}?`, null, (token) => token);
}

/** How sure the model is, and how far it is from what it learned. */
function describeMore({ correct, goldProbability, distance }: SplatAnswer): string[] {
  const far = `The nearest state it learned from differs in ${distance === 1 ? '1 place' : `${distance} places`}.`;
  return [
    ...(goldProbability === null
      ? []
      : [`It gives ${correct ? 'that' : 'the right answer'} ${percent(goldProbability)}.`]),
    ...(distance === null ? [] : [far]),
  ];
}

/** What stands between [start] and [sep]. */
function eventsOf(line: string): string {
  const separator = line.indexOf(' [sep]');
  return line.slice('[start] '.length, separator < 0 ? undefined : separator);
}

/** The state before the answer; null where the line cannot be read. */
function stateAfter(
  domain: string,
  text: string,
  { isTrace, asked }: { isTrace: boolean; asked: string | null },
): StateView | null {
  const game = splatGameOf(domain);
  const found = domainNamed(domain);
  if (!game.ok || !found.ok) return null;
  const tokens = text.split(' ').filter(Boolean);
  const read =
    tokens.length === 0
      ? { ok: true as const, value: new Uint16Array() }
      : isTrace
        ? found.value.traces.parse(text)
        : game.value.read(tokens, 2);
  if (!read.ok) return null;
  const values = valuesOf(found.value, game.value.stateAfter(read.value));
  return { domain, values, asked, line: found.value.traces.format(read.value) };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
