import { answersIn, lengthBins } from '../../breakdown.ts';
import { prefixRanges } from '../../prefix-ranges.ts';
import { asThePaper, isProbed, type Probed } from '../configurations.ts';
import { count } from '../../../../report/labels.ts';
import { rangeLabel } from '../labels.ts';
import type { GamesFacts, ReportInput } from '../report-input.ts';
import type { Figure } from '../../../../report/table.ts';

/** Plies a column of Figure 4 is wide. */
const WIDTH = 5;

/** Figure 3: games of the training split by their length in UCI tokens. */
export function gameLengths(games: GamesFacts | null): Figure {
  const { width, counts } = games?.lengths ?? { width: 20, counts: [] };
  const total = sumOf(counts);
  return {
    id: 'figure-3',
    title: 'Figure 3: how long the games are',
    description: 'Training games by their length in tokens. In UCI a move is two tokens, and a promotion one more.',
    kind: 'bars',
    x: { title: 'tokens of a game', categories: counts.map((_, at) => String(at * width)) },
    y: { title: 'of the games', logarithmic: false, unit: 'percent' },
    series: shares(games?.name ?? '', counts),
    notes: [
      ...(total === 0 ? [] : [`${count(total)} games; each column is ${width} tokens wide and named by its least.`]),
      'The paper’s histogram is a picture; its text gives about 75 moves, 150 tokens, as the average.',
    ],
  };
}

/** Figure 4: prompts by the plies before them, for each range of prefixes that was probed. */
export function promptLengths({ assessments }: ReportInput): Figure[] {
  return (['long', 'short'] as const).map((range) => {
    const probed: Probed = { ...asThePaper, range };
    const [from, to] = prefixRanges[range];
    const sets = assessments.flatMap(({ sets }) => sets.filter((set) => isProbed(set, probed)));
    const set = sets.sort((a, b) => b.instances.length - a.instances.length)[0];
    const bins = set ? lengthBins({ from, to, width: WIDTH }) : [];
    const counts = bins.map((bin) => answersIn(set, 'end-actual', bin).length);
    const total = sumOf(counts);
    return {
      id: range === 'long' ? 'figure-4' : 'figure-4-short',
      title:
        range === 'long' ? 'Figure 4: where in the game the questions come' : `Questions after ${rangeLabel('short')}`,
      description: 'Questions by the number of plies before them.',
      kind: 'bars',
      x: { title: 'plies before the question', categories: bins.map((bin) => `${bin.from}`) },
      y: { title: 'of the questions', logarithmic: false, unit: 'percent' },
      series: shares('your questions', counts),
      notes: [
        `${count(total)} questions; each column is ${WIDTH} plies wide and named by its least. The paper’s histogram is a picture without numbers.`,
      ],
    };
  });
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0);

/** Counts as shares of all, one series; none of nothing. */
function shares(name: string, counts: readonly number[]): Figure['series'] {
  const total = sumOf(counts);
  return total === 0 ? [] : [{ name, points: counts.map((one, x) => ({ x, y: (100 * one) / total, ci95: null })) }];
}
