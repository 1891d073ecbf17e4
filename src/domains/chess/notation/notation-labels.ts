import type { NotationLabels } from '../../domain.ts';

/** Moves as two squares, the letter of the piece before some of them: `share` of them in training. */
export function squareLabels(name: string, share: number): NotationLabels {
  const percent = Math.round(100 * share);
  if (name === 'ap')
    return {
      title: 'UCI + AP',
      reads: 'a piece name before every move',
      brief: 'AP: the piece is named before every move but castling, the paper’s oracle.',
      description:
        'The piece is named before every move but castling, in training and whenever the model is tested. The others must find out what this model reads: the paper’s measure of what could be reached.',
    };
  if (name.startsWith('moves'))
    return {
      title: share > 0 ? 'Whole moves + piece' : 'Whole moves',
      reads: share > 0 ? 'whole moves with their piece as tokens' : 'whole moves as tokens',
      brief: 'A token is a whole move; the model is asked for squares by summing over the moves that have them.',
      description:
        'A token is a whole move, as its makers chose. The probability of a square is the sum over the moves that begin or end there.',
    };
  if (name.startsWith('rap:'))
    return {
      title: `UCI + RAP ${percent}`,
      reads: percent === 0 ? 'moves without piece names' : `a piece name before ${percent}% of its moves`,
      brief: `RAP: the piece is named before ${percent}% of the moves, so that the model can be asked where a piece stands.`,
      description: `The piece is named before ${percent}% of the moves, chosen at random, in training alone. So the model can be asked where a piece stands, and still reads games without names.`,
    };
  return {
    title: 'UCI',
    reads: 'moves without piece names',
    brief: 'UCI: moves as two squares. Without piece names the model cannot be asked where a piece stands.',
    description:
      'Moves are two squares and nothing else. Without piece names the model cannot be asked where a piece stands.',
  };
}
