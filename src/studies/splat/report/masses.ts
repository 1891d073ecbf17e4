import { countsDiffer } from '../asking/spelt-count.ts';
import type { Figure, Row, Table } from '../../../report/table.ts';
import { INTERVALS, paperAlone, shareCell } from '../../cells.ts';
import { legalVerbsOf, nextTokenCell } from './cells.ts';
import { gameTitle } from '../../../domains/domains.ts';
import { isLikeRow, modelName, runLabel, type SplatConfiguration } from './configurations.ts';
import { splatDifferences } from './notes.ts';
import { NEXT_TOKEN_TITLE } from './probing.ts';
import { massRows } from '../published/tables.ts';

/** Table 4: where the probability of the next token lies. */
export function massTable(configurations: readonly SplatConfiguration[]): Table {
  const rowOf = (one: SplatConfiguration, name: string, values: readonly number[]): Row => ({
    labels: [gameTitle(one.domain), name, runLabel(one)],
    cells: [
      nextTokenCell(one, 'rPrecision', values[0] ?? null),
      shareCell(
        legalVerbsOf(one, ({ inPatternMass }) => inPatternMass),
        values[1] ?? null,
      ),
      nextTokenCell(one, 'legalMass', values[2] ?? null),
      shareCell(
        legalVerbsOf(one, ({ inPatternMass, legalMass }) =>
          inPatternMass === null ? null : inPatternMass - legalMass,
        ),
        values[3] ?? null,
      ),
    ],
  });
  const differ = configurations.some(({ domain }) => countsDiffer(domain));
  const used = new Set<SplatConfiguration>();
  const rows = massRows.flatMap((paper) => {
    const measured = configurations.filter((one) => one.domain === 'chess' && isLikeRow(one, paper));
    for (const one of measured) used.add(one);
    if (measured.length > 0) return measured.map((one) => rowOf(one, paper.name, paper.values));
    return [paperAlone([gameTitle('chess'), paper.name, 'the paper alone'], paper.values)];
  });
  const others = configurations.filter((one) => !used.has(one)).map((one) => rowOf(one, modelName(one), []));
  return {
    id: 'splat-table-4',
    title: 'SPLAT, Table 4: where the probability goes',
    description:
      'A model may put nearly all its trust in a few good moves, and then rank the other legal ones badly. Mass is the share of its trust that falls on legal moves; on in-pattern moves, which the piece could make if it stood alone on an empty board; and on blocked ones, which are in the pattern but which something in the game forbids. In percent.',
    headings: {
      labels: ['Game', 'Model', 'Measured model'],
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

/** Table 4 as shares of a whole: the user's models beside the paper's, which read chess. */
export function massFigure(configurations: readonly SplatConfiguration[]): Figure {
  const measured = massTable(configurations)
    .rows.filter(({ publishedOnly }) => !publishedOnly)
    .map(({ labels, cells: [, , legal, blocked] }) => {
      const each = [legal, blocked].map(({ value, ci95 }) => ({ y: value, ci95 }));
      return { name: labels[2], points: sharesOf(each[0], each[1]) };
    });
  const papers = massRows.map(({ name, values: [, , legal, blocked] }) => ({
    ...{ name: `${name}, paper`, published: true },
    points: sharesOf({ y: legal, ci95: null }, { y: blocked, ci95: null }),
  }));
  return {
    id: 'splat-masses',
    title: 'Where the probability goes',
    description:
      'How much of a model’s trust falls on legal moves, on blocked ones, which are right for the piece and which the game forbids, and on anything else. The paper’s models read chess.',
    kind: 'bars',
    x: { title: 'the next token', categories: ['legal', 'blocked', 'anything else'] },
    y: { title: 'of the probability', logarithmic: false, unit: 'percent' },
    series: [...measured.filter(({ points }) => points.length > 0), ...papers],
    notes: ['Whiskers are 95% intervals.'],
  };
}

interface Mass {
  y: number | null;
  ci95: [number, number] | null;
}

/** Bars of a model: legal, blocked where the game has a pattern, and what is left. */
function sharesOf(legal: Mass, blocked: Mass): Figure['series'][number]['points'] {
  if (legal.y === null) return [];
  const elsewhere = { y: Math.max(0, 100 - legal.y - (blocked.y ?? 0)), ci95: null };
  return [legal, blocked, elsewhere].flatMap(({ y, ci95 }, x) => (y === null ? [] : [{ x, y, ci95 }]));
}

const NEXT_TOKEN_NOTE =
  'Next token: of as many likeliest tokens as may come next, how many may. In chess, where a verb is one token, that is the paper’s Legal Verbs; in baseball Table 3 has Legal Verbs too, which count all tokens that legal verbs are spelt with.';
