import type { AssessedModel } from '../../../subject-schema.ts';
import type { Configuration } from '../configurations.ts';
import { count } from '../../../../report/labels.ts';
import { gamesLabel, modelLabel, notationLabel } from '../labels.ts';
import { DASH, oneDecimal, plainCell, publishedCell } from '../../../cells.ts';
import { hyperParameterRows } from '../../published/counts.ts';
import type { Row, Table } from '../../../../report/table.ts';

/** Table 11, turned: a row for each model of the paper, then one for each configuration of the user's. */
export function hyperParameterTable(configurations: readonly Configuration[]): Table {
  const paper = hyperParameterRows.map((row): Row => {
    const texts = [row.layers, row.heads, row.embedding, row.hidden, row.dropout];
    return {
      labels: [row.name, 'the paper alone'],
      cells: [
        ...texts.map((text) => publishedCell(null, text || DASH)),
        publishedCell(row.parameters),
        ...Array.from({ length: 4 }, () => publishedCell(null)),
        publishedCell(null, row.more || DASH),
      ],
      publishedOnly: true,
    };
  });
  const measured = configurations.map((one): Row => {
    const { subject, runs } = one;
    const of = (fact: (run: AssessedModel) => number) => runs.map(({ assessment }) => fact(assessment.subject));
    const seeds = of(({ seed }) => seed).join(', ');
    return {
      labels: [modelLabel(one), one.name],
      cells: [
        plainCell(subject.layers, count),
        // Older assessments do not tell it, and an LSTM has no heads.
        plainCell(subject.heads ?? null, String),
        plainCell(subject.width, count),
        plainCell(subject.width, count),
        plainCell(subject.dropout ?? null, String),
        plainCell(subject.parameters / 1e6, oneDecimal),
        publishedCell(null, notationLabel(one)),
        publishedCell(null, gamesLabel(one)),
        plainCell(subject.steps, () => [...new Set(of(({ steps }) => steps))].map(count).join(', ')),
        plainCell(subject.tokens && subject.tokens / 1e6, oneDecimal),
        publishedCell(null, `seed ${seeds}`),
      ],
    };
  });
  return {
    id: 'table-11',
    title: 'Table 11: settings',
    description: 'What each model is made of, and how long it was trained.',
    headings: {
      labels: ['Model', 'Measured model'],
      groups: [],
      cells: [
        'Layers',
        'Attention heads',
        'Embedding',
        'Hidden size',
        'Dropout',
        'Parameters, million',
        'Notation',
        'Training games',
        'Steps',
        'Tokens learned from, million',
        'More',
      ],
    },
    rows: [...paper, ...measured],
    notes: [
      'The paper trains for at most 10 epochs in batches of 60 games with Adam at 5e-4, and stops when the dev loss rises. It searched the values of the LSTM; which it chose was marked in bold, which the text of the paper has lost, so layers and sizes are told by the parameter counts and the dropouts are all four.',
    ],
  };
}
