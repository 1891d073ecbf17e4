import { KIND_NAMES, kindOf, PIECE_LETTERS, SIDE_NAMES, sideOf } from '../../../domains/chess/rules/pieces.ts';
import { ordinal, playerOf } from '../../../domains/baseball/state-text.ts';
import { EMPTY } from '../../../domains/baseball/vocabulary.ts';

/** SPLAT's questions and answers as people say them, a game at a time. */

interface GameLabels {
  /** What an event is called. */
  event: string;
  /** "who is on third?" */
  asks(variable: string): string;
  /** A value as one says it: "player 104", "a white knight". */
  value(variable: string, value: string): string;
  /** The variable with a value: "player 104 on third". */
  holds(variable: string, value: string): string;
  /** Answers to "who is ahead?". */
  winners: Readonly<Record<string, string>>;
}

const ASKS: Readonly<Record<string, string>> = {
  plate: 'who is at bat?',
  first: 'who is on first?',
  second: 'who is on second?',
  third: 'who is on third?',
  outs: 'how many are out?',
  balls: 'how many balls are there?',
  strikes: 'how many strikes are there?',
  inning: 'which inning is it?',
  half: 'which half of the inning is it?',
  away: 'how many runs has the away side?',
  home: 'how many runs has the home side?',
};
const BASES = ['plate', 'first', 'second', 'third'];

const baseball: GameLabels = {
  event: 'verb',
  asks: (variable) => ASKS[variable] ?? plain.asks(variable),
  value: (variable, value) => {
    if (value === EMPTY) return 'nobody';
    if (variable === 'inning') return `the ${ordinal(Number(value))}`;
    if (variable === 'half') return value === '0' ? 'the top' : value === '1' ? 'the bottom' : value;
    const player = playerOf(value);
    return player === null ? value : `player ${player}`;
  },
  holds: (variable, value) =>
    BASES.includes(variable)
      ? `${baseball.value(variable, value)} ${variable === 'plate' ? 'at bat' : `on ${variable}`}`
      : `${variable} ${baseball.value(variable, value)}`,
  winners: { A1: 'the away side', A2: 'the home side', A3: 'neither' },
};

const EMPTY_SQUARE = 'an empty square';

const chess: GameLabels = {
  event: 'move',
  asks: (square) => `what stands on ${square}?`,
  value: (_, letter) => {
    if (letter === '.') return EMPTY_SQUARE;
    const code = PIECE_LETTERS.indexOf(letter);
    return code < 0 ? letter : `a ${SIDE_NAMES[sideOf(code)].toLowerCase()} ${KIND_NAMES[kindOf(code)]}`;
  },
  holds: (square, letter) => (letter === '.' ? `${square} empty` : `${chess.value(square, letter)} on ${square}`),
  winners: { A3: 'White', A4: 'Black', A5: 'neither' },
};

const plain: GameLabels = {
  event: 'move',
  asks: (variable) => `what is ${variable}?`,
  value: (_, value) => value,
  holds: (variable, value) => `${variable} ${value}`,
  winners: { A1: 'the first player', A2: 'the second player', A3: 'neither' },
};

const noughts: GameLabels = {
  ...plain,
  asks: (variable) => (variable === 'turn' ? 'whose turn is it?' : `what is on ${variable}?`),
  value: (_, value) => (value === 'empty' ? EMPTY_SQUARE : value),
  holds: (variable, value) =>
    variable === 'turn' ? `${value} to move` : value === 'empty' ? `${variable} empty` : `${value} on ${variable}`,
};

const GAMES: Readonly<Record<string, GameLabels>> = { baseball, chess, noughts };

export function gameLabels(domain: string): GameLabels {
  return GAMES[domain] ?? plain;
}

/** "After 212 verbs", "Before the first move". */
export function afterLabel(domain: string, events: number): string {
  const { event } = gameLabels(domain);
  if (events === 0) return `Before the first ${event}`;
  return `After ${events} ${event}${events === 1 ? '' : 's'}`;
}
