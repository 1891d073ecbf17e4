import type { RunConfig } from '../../config/run-config.ts';
import { notationOf } from '../../domains/domains.ts';

/** The notations that a game offers; of those that name pieces at random, the one with this share. */
export function notationsOf(domain: string, random: string): string[] {
  return ['uci', random, 'ap', 'splat'].filter((notation) => notationOf({ domain, notation }).ok);
}

/** Share of a game's moves that carry a piece name in training. */
export function nameShare(notation: string): number {
  if (notation === 'ap') return 1;
  return notation.startsWith('rap:') ? Number(notation.slice(4)) / 100 : 0;
}

/** "UCI + RAP 15": a notation as the paper calls it. */
export function notationTitle(notation: string): string {
  if (notation === 'ap') return 'UCI + AP';
  if (notation === 'splat') return 'Words, as in SPLAT';
  return notation.startsWith('rap:') ? `UCI + RAP ${notation.slice(4)}` : 'UCI';
}

/** A notation in one sentence, for its row of the form. */
export function notationBrief(notation: string): string {
  if (notation === 'splat') return 'Each event in words of the game’s own. Questions can be asked in it.';
  if (notation === 'ap') return 'The piece is named before every move but castling: the paper’s oracle.';
  if (notation.startsWith('rap:'))
    return `Before ${notation.slice(4)}% of the moves the piece is named, so that the model can be asked where a piece stands.`;
  return 'Moves as two squares. Without piece names the model cannot be asked where a piece stands.';
}

/** What a notation writes, and what follows from it: two sentences. */
export function notationWords(notation: string, domain: string): string {
  if (notation === 'splat')
    return domain === 'chess'
      ? 'A whole move is one word, “e2e4”, and further words ask questions: what stands on e4, who is ahead. The vocabulary of Demeter and Downey (2021); a model of it answers questions and not squares.'
      : 'A word for what happens and one for each player or base that it happens to, and further words that ask questions about the game. The vocabulary of Demeter and Downey (2021).';
  if (notation === 'ap')
    return 'The piece is named before every move but castling, in training and whenever the model is tested. It is told what the others must find out: the paper’s measure of what could be reached.';
  if (notation.startsWith('rap:'))
    return `The piece is named before ${notation.slice(4)}% of the moves, drawn at random, in training alone. So the model can be asked where a piece stands, and still reads games without names.`;
  return 'Moves are two squares and nothing else. Without piece names the model cannot be asked where a piece stands.';
}

/** What the model learns to say at each place: its row's title, its one sentence, and what follows from it. */
export interface ObjectiveWords {
  title: string;
  brief: string;
  words: string;
}

const inChess: Record<RunConfig['objective'], ObjectiveWords> = {
  next: {
    title: 'The move that was played',
    brief: 'It sees games and nothing else.',
    words:
      'At each place the model learns to expect the token that the game goes on with. Of the rules it is told nothing.',
  },
  valid: {
    title: 'Every legal move alike',
    brief: 'The rules of the game are its teacher: they say what is legal at each place.',
    words:
      'At each place the model learns to give all tokens that the rules allow the same chance. The rules of the game are its teacher, and it no longer learns which moves are good.',
  },
};

const elsewhere: Record<RunConfig['objective'], ObjectiveWords> = {
  next: { ...inChess.next, title: 'What happened next' },
  valid: {
    ...inChess.valid,
    title: 'All that may happen alike',
    words:
      'At each place the model learns to give all words that the rules allow the same chance. The rules of the game are its teacher, and it no longer learns what happens often.',
  },
};

export function objectiveWords(objective: RunConfig['objective'], domain: string): ObjectiveWords {
  return (domain === 'chess' ? inChess : elsewhere)[objective];
}
