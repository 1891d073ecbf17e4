import type { AssessedSet } from '../../../studies/testbed/assessment.ts';
import { accuracyByLength, prefixLengths } from '../../../studies/testbed/breakdown.ts';
import { prefixRanges } from '../../../studies/testbed/prefix-ranges.ts';
import type { Figure } from '../../../report/table.ts';
import { idOf, tasksOf, taskWords } from './tables.ts';

/** The Probe page's figures of one set of instances. */

const WIDTH = 5;
/** Columns of fewer answers say little, so accuracy has wider ones. */
const WIDE = 10;

const columns = ({ range }: AssessedSet, width: number) => {
  const [from, to] = prefixRanges[range];
  return { from, to, width };
};

/** Positions by the plies before the question (Figure 4). */
export function lengthsFigure(set: AssessedSet): Figure {
  const bins = prefixLengths(set, 'end-actual', columns(set, WIDTH));
  return {
    id: `lengths-${idOf(set)}`,
    title: 'How many plies come before the question',
    words: 'Positions by the number of plies before them. A ply is one move of one side.',
    kind: 'bars',
    x: { title: 'plies before the question', categories: bins.map(({ from, to }) => `${from}–${to}`) },
    y: { title: 'positions', logarithmic: false, unit: 'plain' },
    series: [{ name: 'Positions', published: false, points: bins.map(({ n }, x) => ({ x, y: n, ci95: null })) }],
    notes: [],
  };
}

/** Legal answers by the plies before the question, a line for each task. */
export function accuracyFigure(set: AssessedSet): Figure {
  const bins = accuracyByLength(set, 'end-actual', columns(set, WIDE));
  return {
    id: `legal-by-length-${idOf(set)}`,
    title: 'Legal answers as the game gets longer',
    words:
      'Share of legal answers in percent, by the number of plies before the question, with 95% intervals. A model that forgets falls to the right.',
    kind: 'lines',
    x: { title: 'plies before the question', categories: bins.map(({ from, to }) => `${from}–${to}`) },
    y: { title: 'legal answers', logarithmic: false, unit: 'percent', includes: [0, 100] },
    series: tasksOf(set).map((task) => ({
      name: taskWords[task],
      published: false,
      points: accuracyByLength(set, task, columns(set, WIDE)).flatMap(({ lgm }, x) =>
        lgm.mean === null
          ? []
          : [{ x, y: lgm.mean * 100, ci95: lgm.ci95 && ([lgm.ci95[0] * 100, lgm.ci95[1] * 100] as [number, number]) }],
      ),
    })),
    notes: [],
  };
}
