import { proportion } from '../../../base/statistics.ts';
import { count } from '../../../report/labels.ts';
import type { Figure } from '../../../report/table.ts';
import { meanOf } from '../../cells.ts';
import { answersOf, distanceOf } from './cells.ts';
import { gameTitle } from '../../../domains/domains.ts';
import type { SplatConfiguration } from './configurations.ts';
import { runNotes } from './notes.ts';
import { FORMS } from './probing.ts';

type Points = Figure['series'][number]['points'];

/** Distances that the paper's rolling average for chess takes in. */
const WINDOW = 5;

/**
 * Figure 2, one for each game: how accuracy goes with the distance between the state that a question is about and the
 * nearest state among the fine-tuning questions. As in the paper, chess is smoothed by a rolling average over the last
 * five distances that occur, and every other game is divided by the greatest accuracy of its task.
 */
export function memorisationFigures(configurations: readonly SplatConfiguration[]): Figure[] {
  const domains = new Set<string>(['chess', 'baseball', ...configurations.map(({ domain }) => domain)]);
  return [...domains].map((domain) => {
    const mine = configurations.filter((one) => one.domain === domain);
    const smooth = domain === 'chess';
    const lines = mine.flatMap((one) =>
      FORMS.flatMap(({ form, title }) => {
        const exact = accuracyByDistance(one, form);
        const points = smooth ? rollingAverage(exact) : shareOfBest(exact);
        return points.length === 0 ? [] : [{ one, title, points }];
      }),
    );
    const several = new Set(lines.map(({ one }) => one)).size > 1;
    const series = lines.map(({ one, title, points }) => ({
      name: several ? `${title}, ${one.name}` : title,
      points,
    }));
    return {
      id: `splat-figure-2-${domain}`,
      title: `SPLAT, Figure 2: answers to states never learned from (${gameTitle(domain)})`,
      description:
        'How often answers are right, by how far the state of the question is from the nearest state among the questions of fine-tuning: 0 is a state that was asked about there too. A model that had only memorised would get worse to the right. The paper finds no such fall but some for goals.',
      kind: 'lines',
      x: {
        title: smooth ? 'squares in which the nearest state differs' : 'variables in which the nearest state differs',
        categories: null,
      },
      y: {
        title: smooth ? 'right answers, rolling average' : 'right answers, of the task’s best',
        logarithmic: false,
        unit: 'percent',
      },
      series,
      notes: [
        smooth
          ? 'Each point is the mean of the accuracies at its own distance and at the four before that occur, every distance weighing the same however many questions have it, as in the paper.'
          : 'Each point is the accuracy at one distance divided by the greatest of its task, as in the paper; distances with few questions can set that greatest value.',
        'The paper’s figure is a picture without numbers.',
        ...comparedNotes(mine),
      ],
    };
  });
}

interface AtDistance {
  distance: number;
  right: number;
  n: number;
}

/** All runs of a configuration together, by distance, ascending; answers whose distance is not known are left out. */
function accuracyByDistance(one: SplatConfiguration, form: string): AtDistance[] {
  const found = new Map<number, AtDistance>();
  for (const values of answersOf(one, form, ({ correct }) => Number(correct)))
    for (const { value, member } of values) {
      const distance = distanceOf(one, member);
      if (distance === null) continue;
      const held = found.get(distance) ?? { distance, right: 0, n: 0 };
      found.set(distance, { distance, right: held.right + value, n: held.n + 1 });
    }
  return [...found.values()].sort((a, b) => a.distance - b.distance);
}

function rollingAverage(exact: readonly AtDistance[]): Points {
  return exact.map(({ distance }, at) => {
    const last = exact.slice(Math.max(0, at + 1 - WINDOW), at + 1);
    return { x: distance, y: 100 * meanOf(last.map(({ right, n }) => right / n)), ci95: null };
  });
}

function shareOfBest(exact: readonly AtDistance[]): Points {
  const best = Math.max(0, ...exact.map(({ right, n }) => right / n));
  if (best === 0) return [];
  return exact.map(({ distance, right, n }) => {
    const [low, high] = proportion(right, n).ci95!;
    return { x: distance, y: (100 * right) / n / best, ci95: [(100 * low) / best, (100 * high) / best] };
  });
}

/** Where distances are to some of the fine-tuning states only. */
function comparedNotes(configurations: readonly SplatConfiguration[]): string[] {
  return runNotes(configurations, ({ fineTuningStates: states, subject }) =>
    states && states.compared < states.learned
      ? `${subject.name}: compared with ${count(states.compared)} of about ${count(states.learned)} fine-tuning states, spread over the run; with all of them some distances would be less.`
      : null,
  );
}
