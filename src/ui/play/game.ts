import type { TwoPlayers } from '../../domains/domain.ts';
import { DOMAINS, type AnyDomain } from '../../domains/domains.ts';
import { isIllegal, type ModelTurn } from '../../studies/play/model-turn.ts';
import type { ModelChoice } from '../probe/model-choice.ts';

/** Who plays a side. */
export type Player = 'you' | ModelChoice;

export type PlayableDomain = AnyDomain & { play: TwoPlayers<unknown> };

/** One move of a game: a model's with what it chose, or a person's. */
export interface Ply {
  event: number;
  turn: ModelTurn | null;
}

/** A game between two sides. It begins behind some moves that nobody here has chosen. */
export interface Game {
  domain: PlayableDomain;
  opening: Uint16Array;
  plies: readonly Ply[];
}

/** A move in the list: its number among all moves, from 1, as players write it. */
export interface ListedMove {
  at: number;
  text: string;
  /** What the model had chosen instead, where that was illegal. */
  chosen: string | null;
}

/** The game of this name where two players can play it; null for all others. */
export function playable(name: string): PlayableDomain | null {
  const found = DOMAINS.find((domain) => domain.name === name);
  return found?.play === undefined ? null : { ...found, play: found.play };
}

/** All moves, those of the opening first. */
export function eventsOf({ opening, plies }: Pick<Game, 'opening' | 'plies'>): Uint16Array {
  return Uint16Array.from([...opening, ...plies.map(({ event }) => event)]);
}

/** The states before the first move and after each. */
export function statesOf(game: Game): unknown[] {
  const states = [game.domain.initial()];
  for (const event of eventsOf(game)) states.push(game.domain.apply(states[states.length - 1], event));
  return states;
}

/** How many moves each side's model was asked for, and how often it chose what the rules forbid. */
export function turnCounts(game: Game): Record<'asked' | 'illegal', [number, number]> {
  const asked: [number, number] = [0, 0];
  const illegal: [number, number] = [0, 0];
  const states = statesOf(game);
  for (const [i, { turn }] of game.plies.entries()) {
    if (turn === null) continue;
    const side = game.domain.play.toMove(states[game.opening.length + i]);
    asked[side]++;
    if (isIllegal(turn.choice)) illegal[side]++;
  }
  return { asked, illegal };
}

/** The game without its last moves, so that a person is to move; without the last one where models play each other. */
export function undone(game: Game, isPerson: (side: 0 | 1) => boolean): Game {
  const states = statesOf(game);
  const { opening, plies, domain } = game;
  const anyPerson = isPerson(0) || isPerson(1);
  let left = plies.length;
  do left--;
  while (left > 0 && anyPerson && !isPerson(domain.play.toMove(states[opening.length + left])));
  return { ...game, plies: plies.slice(0, Math.max(0, left)) };
}

/** The game up to a move of its list. */
export function cutAt(game: Game, at: number): Game {
  const { opening, plies } = game;
  return { ...game, opening: opening.slice(0, at), plies: plies.slice(0, Math.max(0, at - opening.length)) };
}

/** The moves in lines of both sides, as score sheets have them. */
export function moveRows(game: Game): { number: number; moves: (ListedMove | null)[] }[] {
  const { domain, opening, plies } = game;
  const states = statesOf(game);
  const rows: { number: number; moves: (ListedMove | null)[] }[] = [];
  for (const [i, event] of eventsOf(game).entries()) {
    const turn = plies[i - opening.length]?.turn ?? null;
    const chosen = turn !== null && isIllegal(turn.choice) ? turn.choice.text : null;
    if (i % 2 === 0) rows.push({ number: i / 2 + 1, moves: [] });
    rows[rows.length - 1].moves.push({ at: i + 1, text: domain.play.move(states[i], event), chosen });
  }
  return rows;
}
