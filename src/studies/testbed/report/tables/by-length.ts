import { answersIn, lengthBins, type LengthBin } from '../../breakdown.ts';
import { prefixRanges } from '../../prefix-ranges.ts';
import type { TaskName } from '../../tasks.ts';
import { wasProbed, type Configuration, type Probed } from '../configurations.ts';
import { countedOf } from '../measures.ts';
import { seedNotes } from '../notes.ts';
import { INTERVALS, measured, percentOf, shareCell, type Counted } from '../../../cells.ts';
import type { Figure, Table } from '../../../../report/table.ts';

/** Plies a column of prefix lengths is wide. */
const WIDTH = 10;

/** Columns of one range: 5 to 14, 15 to 24 ... and 51 to 60, 61 to 70 ... */
function binsOf(range: Probed['range']): LengthBin[] {
  const [from, to] = prefixRanges[range];
  return lengthBins({ from, to, width: WIDTH });
}

const ranges = ['short', 'long'] as const;
const sources = ['games', 'random play'] as const;

/** Whether answers in a column are legal. */
function legalIn(one: Configuration, probed: Probed, task: TaskName, bin: LengthBin): Counted {
  return countedOf(
    one,
    probed,
    (set) => answersIn(set, task, bin),
    ({ legal }) => legal,
  );
}

const seriesName = (one: Configuration, source: Probed['source']): string =>
  source === 'games' ? one.name : `${one.name}, random play`;

/** Legal answers by the length of the prefix, beyond the paper: does the picture of the board fade as games go on? */
export function lengthTable(configurations: readonly Configuration[]): Table {
  const probed = ranges.filter((range) => sources.some((source) => wasProbed(configurations, { range, source })));
  const bins = probed.flatMap((range) => binsOf(range).map((bin) => ({ ...bin, range })));
  const rows = (['end-actual', 'start-actual'] as const).flatMap((task) =>
    configurations.flatMap((one) =>
      sources.flatMap((source) => {
        const cells = bins.map(({ range, ...bin }) => shareCell(legalIn(one, { range, source }, task, bin), null));
        if (cells.every(({ value }) => value === null)) return [];
        const expected = task === 'end-actual' ? 'ending square' : 'starting square';
        return [{ labels: [one.name, expected, source], cells }];
      }),
    ),
  );
  return {
    id: 'by-length',
    title: 'Legal answers by length of the game so far',
    description:
      'The share of legal answers after few and after many plies, about the piece that was moved next. Does the picture of the board fade as games go on? Not in the paper.',
    headings: {
      labels: ['Measured model', 'Question', 'Moves of'],
      groups: bins.length === 0 ? [] : [{ title: 'Plies before the question, legal %', span: bins.length }],
      cells: bins.map(({ from, to }) => `${from} to ${to}`),
    },
    rows,
    notes: [...seedNotes(configurations), INTERVALS],
  };
}

/** Configurations whose lines of games and of random play still fit one figure. */
const FEW = 2;

/** The same as lines, a figure for each question; for many runs one of games and another of random play. */
export function lengthFigures(configurations: readonly Configuration[]): Figure[] {
  const figureOf = (
    task: 'end-actual' | 'start-actual',
    id: string,
    title: string,
    shown: readonly Probed['source'][],
  ): Figure => ({
    id,
    title,
    description:
      'Share of legal answers in each ten plies of prefix length, with 95% intervals. Not in the paper, which asks after 51 to 100 plies and gives one number.',
    kind: 'lines',
    x: { title: 'plies before the question', categories: null },
    y: { title: 'legal answers', logarithmic: false, unit: 'percent' },
    series: configurations.flatMap((one) =>
      shown.map((source) => ({
        name: shown.length > 1 ? seriesName(one, source) : one.name,
        points: ranges.flatMap((range) =>
          binsOf(range).flatMap((bin) => {
            const found = measured(legalIn(one, { range, source }, task, bin), { share: true });
            if (found === null) return [];
            return [{ x: (bin.from + bin.to) / 2, y: found.mean * 100, ci95: percentOf(found.ci95) }];
          }),
        ),
      })),
    ),
    notes: seedNotes(configurations),
  });
  const together = configurations.length <= FEW;
  const questions = [
    { task: 'end-actual', id: 'by-length-end', title: 'Ending squares by length of the game so far' },
    { task: 'start-actual', id: 'by-length-start', title: 'Starting squares by length of the game so far' },
  ] as const;
  return questions
    .flatMap(({ task, id, title }) =>
      together
        ? [figureOf(task, id, title, sources)]
        : [
            figureOf(task, id, title, ['games']),
            figureOf(task, `${id}-random`, `${title}, random play`, ['random play']),
          ],
    )
    .map((figure) => ({ ...figure, series: figure.series.filter(({ points }) => points.length > 0) }));
}
