import type { RunConfig } from '../../config/run-config.ts';
import { notationOf } from '../../domains/domains.ts';
import { knowsPieceNames } from '../asking/prompting.ts';
import type { LiveMilestone, LiveStory } from '../live.ts';
import { boardQuestion } from './board-question.ts';
import { prefixRanges } from './prefix-ranges.ts';

/** What a model of the testbed comes to do, by the names of the live scores. */
export function testbedStory(config: RunConfig): LiveStory {
  const notation = notationOf(config);
  const named = notation.ok && knowsPieceNames(notation.value);
  const told =
    config.objective === 'next'
      ? 'the next square: nobody gives it a board or rules'
      : 'which squares may come next: the rules teach it, nobody gives it a board';
  return {
    opening: {
      title: 'A model that has never seen a board',
      sentence: `A small language model reads chess games as plain text and learns to guess ${told}, and here you watch whether it works out where the pieces are.`,
    },
    milestones: [
      {
        ...{ score: 'end-spelt-short', above: 0.9, label: 'spells moves' },
        sentence: 'It spells moves.',
      },
      {
        ...{ score: 'end-legal-short', above: NO_BOARD, label: 'beats a table without a board' },
        sentence: 'It answers better than a table without a board could.',
      },
      {
        ...{ score: 'end-legal-short', above: 0.6, label: '6 of 10 legal' },
        sentence: 'It names a legal square for more than 6 of 10 pieces.',
      },
      ...(named ? [found] : []),
      {
        ...{ score: 'end-legal-long', above: 0.8, label: '8 of 10 in long games' },
        sentence: `It names a legal square for more than 8 of 10 pieces after ${prefixRanges.long[0]} plies and more.`,
      },
    ],
    summary: {
      score: 'end-legal-short',
      sentence: 'Shown a piece in a game that it never saw, it names a square where that piece may go {n} times in 100',
      beside: { reference: NO_BOARD, sentence: 'a table without a board does {n} times' },
    },
    question: boardQuestion(),
  };
}

/** The label of the baseline that has no board (live.ts). */
export const NO_BOARD = 'no board';

const found: LiveMilestone = {
  ...{ score: 'start-legal-short', above: 0.6, label: 'finds 6 of 10 pieces' },
  sentence: 'Given the name of a piece, it finds such a piece more than 6 times in 10.',
};
