import { countsDiffer } from '../../../studies/splat/asking/spelt-count.ts';
import type { SplatAssessment } from '../../../studies/splat/splat-assessment.ts';
import { ANSWERS, LEGAL_VERBS } from '../../../studies/splat/report/cells.ts';
import { NEXT_TOKEN_TITLE } from '../../../studies/splat/report/probing.ts';
import type { Member } from '../../../report/table.ts';

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
