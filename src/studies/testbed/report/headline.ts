import { firstShared, scoredHeadline, type Headline } from '../../../report/headline.ts';
import type { Assessment } from '../assessment.ts';
import { prefixRanges } from '../prefix-ranges.ts';
import type { TaskName } from '../tasks.ts';
import { configurationsOf, isProbed, wasProbed, type Configuration, type Probed } from './configurations.ts';
import { taskCell } from './measures.ts';

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
        const probed: Probed = { range, source: 'games' };
        return scoredHeadline({ title: `${title} ${after}`, better: `${better} ${after}` }, configurations, {
          cellOf: (one) => taskCell(one, probed, task, 'legal', null),
          leftOut: (one) => ({ name: one.name, why: whyNot(one, probed) }),
          questionsOf: (one) => questionsOf(one, probed),
        });
      }),
    ),
  );
}

/** What a configuration was asked, to be compared with others. */
function questionsOf({ runs }: Configuration, probed: Probed): string {
  const asked = runs.flatMap(({ assessment: { sets } }) =>
    sets
      .filter((set) => isProbed(set, probed))
      .map(({ instances, recorded }) => recorded?.questions ?? instances.map(({ prefix }) => prefix).join('\n')),
  );
  return [...new Set(asked)].join('\n\n');
}

function whyNot(one: Configuration, probed: Probed): string {
  if (!wasProbed([one], probed)) return `it was not asked after ${prefixRanges[probed.range].join(' to ')} plies`;
  return 'it has read no piece names, so it cannot be asked where a piece stands';
}
