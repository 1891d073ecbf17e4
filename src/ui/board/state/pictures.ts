import type { Component } from 'svelte';
import { stateText, valueText } from '../../../domains/baseball/state-text.ts';
import ChessPicture from './ChessPicture.svelte';
import { chessText } from './chess-labels.ts';
import Diamond from './Diamond.svelte';
import Noughts from './Noughts.svelte';
import type { Marks } from './marks.ts';

/** What every picture of a state takes, true or believed. */
export interface PictureProps {
  /** Value of each state variable, by name. A variable that is missing is left blank. */
  values: Readonly<Record<string, string>>;
  /** Where this is what a model believes: how sure of each variable, and where it is wrong. Null for the truth. */
  marks: Marks | null;
  /** The state in a sentence, for those who do not see the picture. */
  label: string;
  /** The variables that can be chosen where the picture is played on, and what choosing one does. */
  choices?: readonly string[];
  onchoose?: (variable: string) => void;
  /** Probability of what would be chosen with a variable, 0 to 1; painted, and written in percent. */
  shares?: Readonly<Record<string, number>>;
}

/** How a game's states are shown. */
export interface PictureOf {
  /** Null: the table of variables is all there is. */
  picture: Component<PictureProps> | null;
  describe(values: Readonly<Record<string, string>>): string;
  value(variable: string, value: string): string;
  /** Whether moves can be chosen on the picture. */
  played?: boolean;
}

/** Games with a picture of their own, a line each. */
const PICTURES: Readonly<Record<string, PictureOf>> = {
  baseball: { picture: Diamond, describe: stateText, value: valueText },
  chess: {
    picture: ChessPicture,
    describe: chessText,
    value: (_, value) => (value === '.' ? 'empty' : value),
  },
  noughts: { picture: Noughts, describe: tableText, value: (_, value) => value, played: true },
};

/** The picture of a game by its name; the table for those that have none. */
export function pictureOf(domain: string): PictureOf {
  return PICTURES[domain] ?? { picture: null, describe: tableText, value: (_, value) => value };
}

function tableText(values: Readonly<Record<string, string>>): string {
  return `${Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}.`;
}
