import type { Answer } from '../../assessment.ts';
import { askedPieces, isOfRow } from '../../breakdown.ts';
import { errorClasses, type ErrorClass } from '../../error-taxonomy.ts';
import { pieceNames } from '../labels.ts';
import { pseudoLegalRows } from '../../published/counts.ts';
import type { ReportInput } from '../report-input.ts';
import type { Gallery, Member } from '../../../../report/table.ts';

/**
 * Wrong answers to End questions that satisfy a condition. One of each model in turn, the paper's kind of question
 * first (long prefixes of games, the piece that was moved), so that the first few are of all models.
 */
function wrongAnswers({ assessments }: ReportInput, of: (answer: Answer) => boolean): Member[] {
  const lists = assessments.map(({ sets }, assessment) =>
    sets
      .flatMap((set, at) =>
        set.answers.flatMap((answer, i) => {
          if (answer.error === null || !of(answer)) return [];
          const usual =
            Number(set.source === 'random play') * 4 +
            Number(set.range === 'short') * 2 +
            Number(answer.task === 'end-other');
          return [{ usual, member: { assessment, set: at, answer: i } }];
        }),
      )
      .sort((a, b) => a.usual - b.usual),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at]?.member ?? [])).flat();
}

const classLabels: Record<ErrorClass, { name: string; description: string }> = {
  syntax: {
    name: 'Syntax',
    description: 'Such a piece never moves like that: the model lost track of what stands there.',
  },
  'path obstruction': {
    name: 'Path obstruction',
    description: 'Another piece stands in the way, or on the square itself.',
  },
  'pseudo legal': { name: 'Pseudo legal', description: 'The piece moves like that, but its king would be in check.' },
  unreachable: { name: 'Unreachable', description: 'No piece at all moves like that, or the answer is no square.' },
};

/** Figures 5, 6 and 7 as boards of the user's own models. */
export function galleries(input: ReportInput): Gallery[] {
  return [
    {
      id: 'figure-5',
      title: 'Figure 5: wrong answers by kind',
      description: `The ${errorClasses.length} kinds of wrong ending squares, from your own models.`,
      classes: Object.entries(classLabels).map(([error, label]) => ({
        ...label,
        members: wrongAnswers(input, (answer) => answer.error === error),
      })),
    },
    {
      id: 'figure-6',
      title: 'Figure 6: ways to leave the king in check',
      description:
        'Pseudo-legal answers, by whether the king was in check before and whether it is the king that moves.',
      // The last row of the paper's table is the total.
      classes: pseudoLegalRows.slice(0, -1).map((row) => ({
        name: row.name,
        description: '',
        members: wrongAnswers(input, (answer) => answer.error === 'pseudo legal' && isOfRow(answer, row)),
      })),
    },
    {
      id: 'figure-7',
      title: 'Figure 7: things in the way, by piece',
      description: 'Path obstructions, by the piece that was asked about.',
      classes: askedPieces.map((piece) => ({
        name: pieceNames[piece],
        description: '',
        members: wrongAnswers(input, (answer) => answer.error === 'path obstruction' && answer.piece === piece),
      })),
    },
  ];
}
