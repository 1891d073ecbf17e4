import type { NotationLabels } from './domain.ts';

/** The labels of a notation that writes a game in tokens for whole events, as SPLAT does. */
export function splatLabels(description: string): NotationLabels {
  return {
    title: 'Words, as in SPLAT',
    reads: 'games alone, in whole words',
    brief: 'Each event in words of its game. Questions can be asked in it.',
    description,
  };
}

/** The description where an event has a word for what happens and others for those that it happens to. */
export const EVENT_WORDS =
  'A word for what happens and one for each player or base that it happens to, and further words that ask questions about the game. The vocabulary of Demeter and Downey (2021).';
