import { BaseballState } from '../../../domains/baseball/state.ts';
import { traces } from '../../../domains/baseball/traces.ts';
import type { Position } from '../../../domains/chess/rules/position.ts';
import { uciLine } from '../../../domains/chess/replay.ts';
import { BASEBALL_RULES } from './baseball-rules.ts';
import type { SuiteGame } from './build-suite.ts';
import { chessPoints } from './chess-points.ts';
import { CHESS_RULES } from './chess-rules.ts';
import type { GamePoint } from './contrast.ts';

const POINTS_A_GAME = 27;

export const chessSuites: SuiteGame<Position> = {
  domain: 'chess',
  rules: CHESS_RULES,
  points: (trace, random) => chessPoints(trace, POINTS_A_GAME, random),
  write: uciLine,
  repeats: 8,
  tokens: (text) => text.match(/[a-h][1-8]|[nbrq]/g) ?? [],
};

export const baseballSuites: SuiteGame<BaseballState> = {
  domain: 'baseball',
  rules: BASEBALL_RULES,
  points: baseballPoints,
  write: traces.format,
  repeats: Infinity,
  tokens: (text) => text.split(' '),
};

/** Texts stay short: events of the first innings, and of the last ones in games that came to them quickly. */
const EARLY = 150;
const LATE = 460;

/** Every point of a game's beginning, and of its end from the ninth inning on. */
function* baseballPoints(trace: ArrayLike<number>): Generator<GamePoint<BaseballState>> {
  const state = new BaseballState();
  const events: number[] = [];
  for (let i = 0; i < trace.length; i++) {
    state.play(trace[i]);
    events.push(trace[i]);
    if (i > 0 && (i < EARLY || (i < LATE && state.inning >= 9))) yield { events: events.slice(), state: state.clone() };
  }
}
