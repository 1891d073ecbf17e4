import { hasSquareBoard } from '../../board/state/square-board.ts';
import { proportion } from '../../../base/statistics.ts';
import type { SplatAssessment } from '../../../studies/splat/splat-assessment.ts';
import { ANSWERS } from '../../../studies/splat/report/cells.ts';
import { splatConfigurations } from '../../../studies/splat/report/configurations.ts';
import { memorisationFigures } from '../../../studies/splat/report/memorisation.ts';
import { FORMS } from '../../../studies/splat/report/probing.ts';
import type { Cell, Figure, Member, Row, Table } from '../../../report/table.ts';

/** Accuracy by the distance to the nearest state of fine-tuning (SPLAT, Figure 2), drawn and counted. */

/** The report's figure with a place for every distance, as the page draws it; null where no distance was looked for. */
export function memoryFigure(assessment: SplatAssessment): Figure | null {
  const { domain } = assessment;
  const figure = memorisationFigures(splatConfigurations([assessment])).find(({ id }) => id.endsWith(`-${domain}`));
  if (!figure || figure.series.length === 0) return null;
  const places = figure.series.flatMap(({ points }) => points.map(({ x }) => x));
  const least = Math.min(...places);
  const categories = Array.from({ length: Math.max(...places) - least + 1 }, (_, i) => String(least + i));
  return {
    ...figure,
    title: 'Right answers by the distance to what was learned',
    x: { ...figure.x, categories },
    series: figure.series.map((series) => ({
      ...series,
      points: series.points.map((point) => ({ ...point, x: point.x - least })),
    })),
  };
}

/** Why no distances are looked for among the games that are chosen: those of fine-tuning alone have the questions. */
export function needsWords(games: string, known: readonly { key: string; title: string }[]): string {
  const title = known.find(({ key }) => key === games)?.title;
  const which = title === undefined ? `“${games}”, which is not on this device as it was then` : `“${title}”`;
  return `Distances are taken to the questions that the model learned. They need the games of its fine-tuning, ${which}; with other games none are measured.`;
}

/** How many questions stand at each distance, and how many of them were answered right. */
export function distancesTable({ domain, answers }: SplatAssessment): Table {
  const asked = FORMS.filter(({ form }) => answers.some((answer) => answer.form === form && answer.distance !== null));
  const distances = [...new Set(answers.flatMap(({ distance }) => distance ?? []))].sort((a, b) => a - b);
  const rows = distances.map((distance): Row => {
    const cells = asked.flatMap(({ form }) => {
      const at = answers.flatMap((answer, i): number[] =>
        answer.form === form && answer.distance === distance ? [i] : [],
      );
      return sharesOf(at, at.filter((i) => answers[i].correct).length);
    });
    return { labels: [String(distance)], cells, publishedOnly: false };
  });
  return {
    id: `splat-distances-${domain}`,
    title: 'Questions at each distance',
    words:
      'In how many variables the state of a question differs from the nearest state among the questions that were learned; 0 is a state that was asked about there too. In percent, with 95% intervals.',
    headings: {
      labels: [hasSquareBoard(domain) ? 'Squares that differ' : 'Variables that differ'],
      groups: asked.map(({ title }) => ({ title, span: 2 })),
      cells: asked.flatMap(() => ['Right', 'Asked']),
    },
    rows,
    notes: ['Where few were asked, the intervals are wide: hardly anything follows from such a row.'],
  };
}

function sharesOf(at: readonly number[], right: number): Cell[] {
  const none: Cell = { text: '–', value: null, ci95: null, spread: null, published: null, members: null };
  if (at.length === 0) return [none, none];
  const { ci95 } = proportion(right, at.length);
  const value = (100 * right) / at.length;
  const members = (): Member[] => at.map((answer) => ({ assessment: 0, set: ANSWERS, answer }));
  return [
    { ...none, text: value.toFixed(1), value, ci95: ci95 && [100 * ci95[0], 100 * ci95[1]], members },
    { ...none, text: String(at.length), value: at.length },
  ];
}
