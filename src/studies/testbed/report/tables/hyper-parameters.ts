import type { AssessedModel } from '../../assessment.ts';
import type { Configuration } from '../configurations.ts';
import { count } from '../../../../report/labels.ts';
import { gamesLabel, modelLabel, notationLabel } from '../labels.ts';
import { DASH, publishedCell } from '../../../cells.ts';
import { hyperParameterRows } from '../../published/counts.ts';
import type { Cell, Row, Table } from '../../../../report/table.ts';

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
        number(subject.layers),
        known(subject.heads),
        number(subject.width),
        number(subject.width),
        known(subject.dropout),
        { ...publishedCell(null, (subject.parameters / 1e6).toFixed(1)), value: subject.parameters / 1e6 },
        publishedCell(null, notationLabel(one)),
        publishedCell(null, gamesLabel(one)),
        { ...number(subject.steps), text: [...new Set(of(({ steps }) => steps))].map(count).join(', ') },
        subject.tokens === null
          ? publishedCell(null)
          : { ...publishedCell(null, (subject.tokens / 1e6).toFixed(1)), value: subject.tokens / 1e6 },
        publishedCell(null, `seed ${seeds}`),
      ],
      publishedOnly: false,
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

/** Older assessments do not tell it, and an LSTM has no heads. */
function known(value: number | undefined): Cell {
  return value === undefined ? publishedCell(null) : { ...publishedCell(null, String(value)), value };
}

function number(value: number): Cell {
  return { ...publishedCell(null, count(value)), value };
}
