import { countsDiffer } from '../asking/spelt-count.ts';
import { paperAlone } from '../../testbed/report/matched-rows.ts';
import { INTERVALS } from '../../testbed/report/notes.ts';
import type { Row, Table } from '../../../report/table.ts';
import { legalVerbsOf, shareCell } from './cells.ts';
import { gameTitle, isLikeRow, ownModelName, runLabel, type SplatConfiguration } from './configurations.ts';
import { splatDifferences } from './notes.ts';
import { NEXT_TOKEN_TITLE } from './probing.ts';
import { massRows } from './published.ts';

/** Table 4: where the probability of the next token lies. */
export function massTable(configurations: readonly SplatConfiguration[]): Table {
  const rowOf = (one: SplatConfiguration, name: string, values: readonly number[]): Row => ({
    labels: [gameTitle(one.domain), name, runLabel(one)],
    cells: [
      legalVerbsOf(one, ({ rPrecision }) => rPrecision),
      legalVerbsOf(one, ({ inPatternMass }) => inPatternMass),
      legalVerbsOf(one, ({ legalMass }) => legalMass),
      legalVerbsOf(one, ({ inPatternMass, legalMass }) => (inPatternMass === null ? null : inPatternMass - legalMass)),
    ].map((counted, at) => shareCell(counted, values[at] ?? null)),
    publishedOnly: false,
  });
  const differ = configurations.some(({ domain }) => countsDiffer(domain));
  const used = new Set<SplatConfiguration>();
  const rows = massRows.flatMap((paper) => {
    const own = configurations.filter((one) => one.domain === 'chess' && isLikeRow(one, paper));
    for (const one of own) used.add(one);
    if (own.length > 0) return own.map((one) => rowOf(one, paper.name, paper.values));
    return [paperAlone([gameTitle('chess'), paper.name, 'the paper alone'], paper.values)];
  });
  const others = configurations.filter((one) => !used.has(one)).map((one) => rowOf(one, ownModelName(one), []));
  return {
    id: 'splat-table-4',
    title: 'SPLAT, Table 4: where the probability goes',
    words:
      'A model may put nearly all its trust in a few good moves, and then rank the other legal ones badly. Mass is the share of its trust that falls on legal moves; on in-pattern moves, which the piece could make if it stood alone on an empty board; and on blocked ones, which are in the pattern but which something in the game forbids. In percent.',
    headings: {
      labels: ['Game', 'Model', 'Your run'],
      groups: [],
      cells: [
        `${differ ? NEXT_TOKEN_TITLE : 'Legal verbs'} (R-precision)`,
        'In-pattern mass',
        'Legal mass',
        'Blocked mass',
      ],
    },
    rows: [...rows, ...others],
    notes: [
      ...(differ ? [NEXT_TOKEN_NOTE] : []),
      'In-pattern here has every legal move in it, so that blocked is never less than nothing. A pawn alone captures nothing and a king alone does not castle: such moves count where they are legal.',
      'The paper has this table for chess alone; baseball has no pattern of moves on an empty field.',
      ...splatDifferences(configurations),
      ...(configurations.length === 0 ? [] : [INTERVALS]),
    ],
  };
}

const NEXT_TOKEN_NOTE =
  'Next token: of as many likeliest tokens as may come next, how many may. In chess, where a verb is one token, that is the paper’s Legal Verbs; in baseball Table 3 has Legal Verbs too, which count all tokens that legal verbs are spelt with.';
