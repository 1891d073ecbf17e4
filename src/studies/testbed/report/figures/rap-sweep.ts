import type { Configuration } from '../configurations.ts';
import { gamesLabel, modelLabel } from '../labels.ts';
import { differences } from '../notes.ts';
import { bestRap, perplexityRows, trainingSizes, type TrainingSize } from '../../published/tables.ts';
import { perplexityCell } from '../tables/perplexity.ts';
import type { Figure, FigurePoint } from '../../../../report/table.ts';

type Points = FigurePoint[];

/** Figure 2: dev perplexity against the share of training moves that name their piece, a line for each training set. */
export function rapSweep(configurations: readonly Configuration[]): Figure {
  const measured = new Map<string, { name: string; points: Points }>();
  for (const one of configurations) {
    if (one.notation.family === 'ap') continue;
    const { value, spread } = perplexityCell(one, 'dev', null);
    if (value === null) continue;
    const { games, trainGames, parameters } = one.subject;
    const key = JSON.stringify([games, trainGames, parameters, modelLabel(one)]);
    const line = measured.get(key) ?? { name: `${gamesLabel(one)}, ${modelLabel(one)}`, points: [] };
    line.points.push({ x: one.notation.percent, y: value, ci95: spread });
    measured.set(key, line);
  }
  return {
    id: 'figure-2',
    title: 'Figure 2: how often to name the piece',
    description:
      'Perplexity on dev games against the share of training moves that carry a piece name (0 is plain UCI). The paper: names help, most with few games; too many hurt, since there are none in the examination.',
    kind: 'lines',
    x: { title: 'moves with a piece name in training, %', categories: null },
    y: { title: 'dev perplexity a move', logarithmic: true, unit: 'plain' },
    series: [
      ...[...measured.values()].map(({ name, points }) => ({
        name,
        points: points.sort((a, b) => a.x - b.x),
      })),
      ...(Object.keys(trainingSizes) as TrainingSize[]).map((size) => ({
        name: `paper, Train-${size}`,
        published: true,
        points: publishedPoints(size),
      })),
    ],
    notes: [
      'Of the paper’s curves only two points each can be told: UCI, and the best share of names (Table 4 and the text). The rest is a picture.',
      'Whiskers, where there are any, reach from the least to the greatest of several seeds.',
      ...differences(configurations),
    ],
  };
}

function publishedPoints(size: TrainingSize): Points {
  const dev = (family: 'uci' | 'rap'): number =>
    perplexityRows.find(({ model }) => model.size === size && model.notation === family)!.values[0]!;
  return [
    { x: 0, y: dev('uci'), ci95: null },
    { x: bestRap[size], y: dev('rap'), ci95: null },
  ];
}
