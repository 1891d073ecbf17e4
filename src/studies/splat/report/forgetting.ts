import type { SplatAssessment } from '../splat-assessment.ts';
import type { Row, Table } from '../../../report/table.ts';
import { seedNotes } from '../../alike-runs.ts';
import { INTERVALS, paperAlone, shareCell, type Counted } from '../../cells.ts';
import { differenceCell, legalVerbsOf, speltOf } from './cells.ts';
import { gameTitle } from '../../../domains/domains.ts';
import { runLabel, type SplatConfiguration } from './configurations.ts';
import { unspeltNotes } from './notes.ts';
import { forgettingRows } from '../published/tables.ts';

/** What fine-tuning makes a model forget (section 5.4): Legal Verbs before and after it, side by side. */
export function forgettingTable(configurations: readonly SplatConfiguration[]): Table {
  const tuned = configurations.filter(({ start }) => start === 'pre-trained weights');
  const used = new Set<string>();
  const told = configurations.filter((one) =>
    tuned.some((after) => after === one || baseOf(after, configurations) === one),
  );
  const measured = tuned.map((after): Row => {
    const paper = after.family === 'transformer' ? forgettingRows.find(({ game }) => game === after.domain) : undefined;
    if (paper) used.add(paper.game);
    const before = baseOf(after, configurations);
    const massOf = (one: SplatConfiguration): Counted => legalVerbsOf(one, ({ legalMass }) => legalMass);
    const pairs = [speltOf, massOf].map((of): [Counted, Counted] => [before ? of(before) : [], of(after)]);
    const values = paper?.values ?? [];
    return {
      labels: [
        gameTitle(after.domain),
        before ? runLabel(before) : `${after.subject.fineTuning?.base?.name ?? 'unknown'}: not assessed`,
        runLabel(after),
      ],
      cells: pairs.flatMap(([first, second], at) => [
        shareCell(first, values[3 * at] ?? null),
        shareCell(second, values[3 * at + 1] ?? null),
        differenceCell(first, second, values[3 * at + 2] ?? null),
      ]),
    };
  });
  const paper = forgettingRows
    .filter(({ game }) => !used.has(game))
    .map(({ game, name, values }) =>
      paperAlone([gameTitle(game), `${name} Pretrained`, `${name} Finetuned, the paper alone`], values),
    );
  return {
    id: 'splat-forgetting',
    title: 'SPLAT: what fine-tuning makes a model forget',
    description:
      'Legal Verbs, and the trust on legal verbs, of a model that has read games alone and of the same model after it has learned to answer questions. The paper finds that its transformer knows the rules a little less well afterwards.',
    headings: {
      labels: ['Game', 'Before', 'After'],
      groups: [
        { title: 'Legal verbs (R-precision), %', span: 3 },
        { title: 'Legal mass, %', span: 3 },
      ],
      cells: ['Before', 'After', 'Difference', 'Before', 'After', 'Difference'],
    },
    rows: [...paper, ...measured],
    notes: [
      'The two belong together where the fine-tuned run names the other as the model that its weights came from. Differences have an interval where both were asked after the same beginnings.',
      ...unspeltNotes(told),
      ...seedNotes(configurations),
      ...(measured.length === 0 ? [] : [INTERVALS]),
    ],
  };
}

/** The model that a fine-tuned one started from, where it was assessed too: by the name that the run's config gives it. */
function baseOf(after: SplatConfiguration, all: readonly SplatConfiguration[]): SplatConfiguration | null {
  const from = ({ runs }: SplatConfiguration): boolean =>
    runs.some(({ assessment }) => isBase(assessment, after.runs[0].assessment));
  return all.find((one) => one.start === 'games alone' && from(one)) ?? null;
}

/** Whether a model is the one that a fine-tuned model started from. */
function isBase(one: SplatAssessment, after: SplatAssessment): boolean {
  const base = after.subject.fineTuning?.base;
  if (!base || one.subject.fineTuning || one.domain !== after.domain) return false;
  return [base.name, base.id, lastPart(base.id)].includes(one.subject.name);
}

/** The newest assessment of the model that this one came from, or of one that came from it: forgetting needs both. */
export function beside(one: SplatAssessment, others: readonly SplatAssessment[]): SplatAssessment[] {
  return others.filter((other) => isBase(other, one) || isBase(one, other)).slice(0, 1);
}

const lastPart = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1)!;
