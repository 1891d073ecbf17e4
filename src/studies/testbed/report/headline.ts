import { firstShared, headlineScore, type Headline } from '../../../report/headline.ts';
import type { Assessment } from '../assessment.ts';
import { answersOf } from '../breakdown.ts';
import { prefixRanges } from '../prefix-ranges.ts';
import type { TaskName } from '../tasks.ts';
import { configurationsOf } from './configurations.ts';
import { countedOf, percentCell } from './measures.ts';

/** Finding pieces by name asks for the whole board; models that never read piece names can only be asked where one goes. */
const QUESTIONS: readonly { task: TaskName; title: string; better: string }[] = [
  { task: 'start-actual', title: 'pieces found', better: 'finds more of the pieces' },
  { task: 'end-actual', title: 'legal moves', better: 'names a legal square for more of the pieces' },
];

/** Legal answers about the piece moved in the game, of the question and the length that all models were asked. */
export function testbedHeadline(assessments: readonly Assessment[]): Headline | null {
  const configurations = configurationsOf(assessments);
  return firstShared(
    (['long', 'short'] as const).flatMap((range) =>
      QUESTIONS.map(({ task, title, better }) => {
        const after = `after ${prefixRanges[range].join(' to ')} plies`;
        const scores = configurations.flatMap((one) => {
          const counted = countedOf(one, { range, source: 'games' }, (set) => answersOf(set, task));
          return headlineScore(
            one.name,
            percentCell(counted, ({ legal }) => legal, null),
          );
        });
        return { title: `${title} ${after}`, better: `${better} ${after}`, scores };
      }),
    ),
  );
}
