import type { RunConfig } from '../../config/run-config.ts';

/** Share of a game's moves that carry a piece name in training. */
export function nameShare(notation: string): number {
  if (notation === 'ap') return 1;
  return notation.startsWith('rap:') ? Number(notation.slice(4)) / 100 : 0;
}

/** "UCI + RAP 15": a notation as the paper calls it. */
export function notationTitle(notation: string): string {
  if (notation === 'ap') return 'UCI + AP';
  return notation.startsWith('rap:') ? `UCI + RAP ${notation.slice(4)}` : 'UCI';
}

/** A notation in one sentence, for its row of the form. */
export function notationBrief(notation: string): string {
  if (notation === 'ap') return 'The piece is named before every move but castling: the paper’s oracle.';
  if (notation.startsWith('rap:'))
    return `Before ${notation.slice(4)}% of the moves the piece is named, so that the model can be asked where a piece stands.`;
  return 'Moves as two squares. Without piece names the model cannot be asked where a piece stands.';
}

/** What a notation writes, and what follows from it: two sentences. */
export function notationWords(notation: string): string {
  if (notation === 'ap')
    return 'The piece is named before every move but castling, in training and whenever the model is tested. It is told what the others must find out: the paper’s measure of what could be reached.';
  if (notation.startsWith('rap:'))
    return `The piece is named before ${notation.slice(4)}% of the moves, drawn at random, in training alone. So the model can be asked where a piece stands, and still reads games without names.`;
  return 'Moves are two squares and nothing else. Without piece names the model cannot be asked where a piece stands.';
}

export const objectiveTitles: Record<RunConfig['objective'], string> = {
  next: 'The move that was played',
  valid: 'Every legal move alike',
};

export const objectiveBriefs: Record<RunConfig['objective'], string> = {
  next: 'It sees games and nothing else.',
  valid: 'The rules of the game are its teacher: they say what is legal at each place.',
};

export const objectiveWords: Record<RunConfig['objective'], string> = {
  next: 'At each place the model learns to expect the token that the game goes on with. Of the rules it is told nothing.',
  valid:
    'At each place the model learns to give all tokens that the rules allow the same chance. The rules of the game are its teacher, and it no longer learns which moves are good.',
};
