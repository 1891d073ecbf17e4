import type { Answer } from '../../assessment.ts';
import { answersOf, slidingPieces } from '../../breakdown.ts';
import { asThePaper, type Configuration } from '../configurations.ts';
import { gamesLabel, notationLabel, pieceNames } from '../labels.ts';
import { countedOf } from '../measures.ts';
import { seedNotes } from '../notes.ts';
import { measured } from '../../../cells.ts';
import type { Figure } from '../../../../report/table.ts';

/** Figure 8, one for each configuration: how far legal and obstructed answers go, in king moves. */
export function pathLengthFigures(configurations: readonly Configuration[]): Figure[] {
  const tasks = [
    { task: 'end-actual', label: 'moved' },
    { task: 'end-other', label: 'other' },
  ] as const;
  const places = tasks.flatMap(({ task, label }) =>
    slidingPieces.map((piece) => ({ task, piece, name: `${pieceNames[piece]}, ${label}` })),
  );
  return configurations.map((one, at) => ({
    id: `figure-8-${at + 1}`,
    title: `Figure 8: how far the answers go (${one.name})`,
    description: `Mean length, in steps of a king, of the moves that ${one.name} (${gamesLabel(one)}, ${notationLabel(one)}) answers with: legal ones, and ones with something in the way. "Moved" is the piece moved in the game, "other" another one. In the paper obstructed moves are the longer ones.`,
    kind: 'bars',
    x: { title: 'piece asked about', categories: places.map(({ name }) => name) },
    y: { title: 'king moves', logarithmic: false, unit: 'plain' },
    series: (['legal', 'obstructed'] as const).map((kind) => ({
      name: kind === 'legal' ? 'legal' : 'path obstructed',
      points: places.flatMap(({ task, piece }, x) => {
        const counts = (answer: Answer): boolean =>
          answer.piece === piece && (kind === 'legal' ? answer.legal : answer.error === 'path obstruction');
        const lengths = countedOf(
          one,
          asThePaper,
          (set) => answersOf(set, task, counts),
          ({ pathLength }) => pathLength!,
        );
        const found = measured(lengths, { share: false });
        return found === null ? [] : [{ x, y: found.mean, ci95: found.ci95 }];
      }),
    })),
    notes: [
      'Whiskers are 95% intervals; a single answer has none. The paper’s figure is a picture without numbers.',
      ...seedNotes([one]),
    ],
  }));
}
