import type { Stored } from '../../../studies/study.ts';
import { countsDiffer } from '../../../studies/splat/asking/spelt-count.ts';
import type { SplatAssessment } from '../../../studies/splat/splat-assessment.ts';
import { gameTitle, splatConfigurations } from '../../../studies/splat/report/configurations.ts';
import { forgettingTable } from '../../../studies/splat/report/forgetting.ts';
import { massTable } from '../../../studies/splat/report/masses.ts';
import { NEXT_TOKEN_TITLE, probingTables } from '../../../studies/splat/report/probing.ts';
import { PAPER_GAMES } from '../../../studies/splat/report/published.ts';
import type { Cell, Row, Table } from '../../../report/table.ts';

/** The Probe page's tables of one model that reads words: the report's, of its own game alone. */

/** Columns before the questions: parameters and Legal Verbs. */
const BEFORE_QUESTIONS = 2;

const hasValue = ({ value, published }: Cell): boolean => value !== null || published !== null;
const isPapers = (domain: string): boolean => PAPER_GAMES.some((game) => game === domain);

/** The page is about one model, so its name is label enough; the rows that are the paper's say so. */
function ofOneModel(table: Table, assessment: SplatAssessment, paperName: (labels: string[]) => string): Table {
  const own = table.rows.find(({ publishedOnly }) => !publishedOnly);
  const beside = own?.cells.some(({ published }) => published !== null)
    ? ` Under this model’s figures: the paper’s ${paperName(own.labels)}.`
    : '';
  const rows = table.rows.map((row): Row => {
    if (row.labels[0] === RANDOM) return { ...row, labels: [RANDOM] };
    return { ...row, labels: [row.publishedOnly ? `${paperName(row.labels)}, the paper` : assessment.subject.name] };
  });
  return { ...table, words: table.words + beside, headings: { ...table.headings, labels: ['Model'] }, rows };
}

const RANDOM = 'Random baseline';

/** Table 3 in the columns of the model's game; those of questions only where it was asked any. */
export function answersTable(assessment: SplatAssessment): Table {
  const { domain, answers } = assessment;
  const { table } = probingTables(splatConfigurations([assessment])).find((one) => one.domain === domain)!;
  const asked = (_: unknown, at: number): boolean =>
    answers.length > 0 || at < BEFORE_QUESTIONS || table.headings.cells[at] === NEXT_TOKEN_TITLE;
  const rows = table.rows
    .map((row): Row => ({ ...row, cells: row.cells.filter(asked) }))
    .filter(({ cells }) => cells.slice(1).some(hasValue));
  const shown: Table = {
    ...table,
    title: isPapers(domain) ? 'What it answers, beside the paper’s Table 3' : 'What it answers',
    words: answers.length > 0 ? table.words : countsDiffer(domain) ? BOTH_COUNTS_WORDS : LEGAL_VERBS_WORDS,
    headings: { ...table.headings, cells: table.headings.cells.filter(asked) },
    rows,
    notes: isPapers(domain)
      ? table.notes
      : [`The paper has no numbers of ${gameTitle(domain).toLowerCase()}.`, ...table.notes],
  };
  return ofOneModel(shown, assessment, ([name]) => name);
}

const LEGAL_VERBS_WORDS =
  'Legal Verbs: of as many likeliest next tokens as are legal, how many are legal. In percent; random answers in the last row.';

const BOTH_COUNTS_WORDS =
  'Legal Verbs: of as many likeliest tokens as legal verbs are spelt with, how many are among those. Next token: of as many as may come next, how many may. In percent; random answers in the last row.';

/** Table 4, whose published rows are of chess. */
export function massesTable(assessment: SplatAssessment): Table {
  const table = massTable(splatConfigurations([assessment]));
  const titled = { ...table, title: 'Where the probability goes, beside Table 4' };
  return ofOneModel(titled, assessment, ([game, name]) => `${name} (${game.toLowerCase()})`);
}

/** Shares of the probability, in percent, of one row of Table 4. */
export interface MassShares {
  name: string;
  published: boolean;
  legal: number;
  /** Null in games that have no pattern. */
  blocked: number | null;
}

/** Table 4 as shares of a whole, the model first. */
export function massShares(assessment: SplatAssessment): MassShares[] {
  const shares = massTable(splatConfigurations([assessment])).rows.flatMap(({ labels, cells }): MassShares[] => {
    const [, , legal, blocked] = cells;
    const paper = `${labels[1]}, the paper`;
    return [
      ...(legal.value === null
        ? []
        : [{ name: 'This model', published: false, legal: legal.value, blocked: blocked.value }]),
      ...(legal.published === null
        ? []
        : [{ name: paper, published: true, legal: legal.published, blocked: blocked.published }]),
    ];
  });
  return shares.sort((a, b) => Number(a.published) - Number(b.published));
}

/** What can be said of a model before and after fine-tuning. */
export type Forgetting =
  | { kind: 'table'; table: Table; assessments: SplatAssessment[] }
  /** The assessment of the other one is missing. */
  | { kind: 'missing'; base: { id: string; name: string } }
  | { kind: 'none' };

/** Before and after: the shown one with the newest assessment of the model it came from, or of one that came from it. */
export function forgettingOf(
  { run, assessment }: Stored<SplatAssessment>,
  kept: readonly Stored<SplatAssessment>[],
): Forgetting {
  const pair = (before: SplatAssessment, after: SplatAssessment): Forgetting => {
    const assessments = [before, after];
    const table = forgettingTable(splatConfigurations(assessments));
    const rows = table.rows.filter(
      ({ publishedOnly, labels }) => !publishedOnly || labels[0] === gameTitle(after.domain),
    );
    const titled = { ...table, title: 'What fine-tuning made it forget', rows };
    const words = `${table.words} Before: ${before.subject.name}; after: ${after.subject.name}.`;
    const shown = ofOneModel({ ...titled, words }, after, () => 'TLM');
    return { kind: 'table', table: shown, assessments };
  };
  const { fineTuning } = assessment.subject;
  if (fineTuning) {
    const { base } = fineTuning;
    if (base === null) return { kind: 'none' };
    const before = kept.find((one) => one.run === base.id && !one.assessment.subject.fineTuning);
    return before ? pair(before.assessment, assessment) : { kind: 'missing', base };
  }
  const after = kept.find((one) => run !== null && one.assessment.subject.fineTuning?.base?.id === run);
  return after ? pair(assessment, after.assessment) : { kind: 'none' };
}
