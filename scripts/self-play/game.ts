import type { Random } from '../../src/base/random.ts';
import type { Candidate, UciEngine } from './engine.ts';
import { Rules, type Ending } from './rules.ts';
import { temperatureAt, type Style } from './style.ts';

export interface PlayedGame {
  moves: string[];
  result: '1-0' | '0-1' | '1/2-1/2' | '*';
  /** "unfinished" where the game was still going on after `maxPlies`. */
  termination: Ending | 'resignation' | 'draw agreement' | 'unfinished';
}

export interface GameLimits {
  nodes: number;
  maxPlies: number;
}

const OPENING_WIDTH = 12;
const WIDTH = 4;

/** Plays one game. The same engine, style, random stream and limits give the same game. */
export async function playGame(
  engine: UciEngine,
  style: Style,
  random: Random,
  limits: GameLimits,
): Promise<PlayedGame> {
  await engine.newGame();
  const rules = new Rules();
  const moves: string[] = [];
  const hopeless = [0, 0];
  let level = 0;
  for (;;) {
    const ply = moves.length;
    const mover = ply % 2;
    const ending = rules.ending();
    if (ending) {
      const result = ending === 'checkmate' ? (mover === 0 ? '0-1' : '1-0') : '1/2-1/2';
      return { moves, result, termination: ending };
    }
    if (ply >= limits.maxPlies) return { moves, result: '*', termination: 'unfinished' };
    const width = ply < style.openingPlies ? OPENING_WIDTH : WIDTH;
    const candidates = await engine.search(moves, { nodes: limits.nodes, width });
    const best = candidates[0].score;

    const { resignation, draw } = style;
    hopeless[mover] = resignation && best <= -resignation.score ? hopeless[mover] + 1 : 0;
    if (resignation && hopeless[mover] >= resignation.patience) {
      return { moves, result: mover === 0 ? '0-1' : '1-0', termination: 'resignation' };
    }
    level = ply >= draw.from - draw.patience && Math.abs(best) <= draw.band ? level + 1 : 0;
    if (level >= draw.patience) return { moves, result: '1/2-1/2', termination: 'draw agreement' };

    let move: string | null = null;
    if (ply < style.randomPlies && random.next() < style.randomShare) {
      move = await harmlessMove(engine, rules, moves, best, style, random, limits);
    }
    move ??= drawCandidate(candidates, temperatureAt(style, ply), random);
    rules.play(move);
    moves.push(move);
  }
}

/** A uniformly random legal move, or null where it would lose too much. */
async function harmlessMove(
  engine: UciEngine,
  rules: Rules,
  moves: string[],
  best: number,
  style: Style,
  random: Random,
  limits: GameLimits,
): Promise<string | null> {
  const legal = rules.legal();
  const move = legal[random.below(legal.length)];
  const [seen] = await engine.search(moves, { nodes: limits.nodes, width: 1, only: move });
  return best - seen.score <= style.randomLoss ? move : null;
}

/** One candidate drawn with probability proportional to exp(score / temperature). */
function drawCandidate(candidates: Candidate[], temperature: number, random: Random): string {
  const weights = candidates.map(({ score }) => Math.exp((score - candidates[0].score) / temperature));
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < candidates.length; i++) {
    left -= weights[i];
    if (left < 0) return candidates[i].move;
  }
  return candidates[0].move;
}
