import type { Row, Table } from '../../../report/table.ts';
import { countText, INTERVALS, plainCell, shareCell } from '../../cells.ts';
import { answersOf, distanceOf } from './cells.ts';
import { gameTitle } from '../../../domains/domains.ts';
import { runLabel, type SplatConfiguration } from './configurations.ts';
import { FORMS } from './probing.ts';

/**
 * The questions behind Figure 2, a table for each game: how many stand at each distance to the nearest state of
 * fine-tuning, and how many of them were answered right. Beyond the paper.
 */
export function distanceTables(configurations: readonly SplatConfiguration[]): Table[] {
  const measured = configurations.filter((one) => distancesOf(one).length > 0);
  return [...new Set(measured.map(({ domain }) => domain))].map((domain): Table => {
    const mine = measured.filter((one) => one.domain === domain);
    const forms = FORMS.filter(({ form }) => mine.some((one) => distancesOf(one, form).length > 0));
    const rowOf = (one: SplatConfiguration, distance: number): Row => ({
      labels: [runLabel(one), String(distance)],
      cells: forms.flatMap(({ form }) => {
        const counted = answersOf(one, form, ({ correct }) => Number(correct)).map((values) =>
          values.filter(({ member }) => distanceOf(one, member) === distance),
        );
        const asked = counted.reduce((sum, values) => sum + values.length, 0);
        return [shareCell(counted, null), plainCell(asked, countText)];
      }),
    });
    return {
      id: `splat-distances-${domain}`,
      title: `Questions by distance to what was learned (${gameTitle(domain)})`,
      description:
        'In how many variables the state of a question differs from the nearest state among the questions that were learned; 0 is a state that was asked about there too. Not in the paper.',
      headings: {
        labels: ['Measured model', 'Variables that differ'],
        groups: forms.map(({ title }) => ({ title, span: 2 })),
        cells: forms.flatMap(() => ['Right, %', 'Asked']),
      },
      rows: mine.flatMap((one) => distancesOf(one).map((distance) => rowOf(one, distance))),
      notes: ['Where few were asked the intervals are wide: hardly anything follows from such a row.', INTERVALS],
    };
  });
}

/** The distances of the paper's questions that occur, ascending. */
function distancesOf({ runs }: SplatConfiguration, of?: string): number[] {
  const all = runs.flatMap(({ assessment }) =>
    assessment.answers.flatMap(({ form, distance }) => {
      const counts = of === undefined ? FORMS.some((one) => one.form === form) : form === of;
      return counts && distance !== null ? [distance] : [];
    }),
  );
  return [...new Set(all)].sort((a, b) => a - b);
}
