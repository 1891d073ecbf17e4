import type { Random } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Engine } from '../../engine/engine.ts';
import { tokensOf } from '../asking/next-token.ts';
import { samplerAt } from '../asking/write-move.ts';
import { NextMove, type Choice } from './likeliest-moves.ts';
import type { PlayedGame } from './move-reader.ts';

/** What a model wanted to play, and what it played. */
export interface ModelTurn {
  /** Its first choices, likeliest first, forbidden ones among them. */
  choices: Choice[];
  /** What it wrote: its first choice, or at a higher temperature a sample. */
  choice: Choice;
  /** The choice where it is legal, else the legal move that it finds likeliest. */
  played: Choice & { event: number };
}

/** Whether a model wrote what the rules forbid. To end the game is no move, and players do it. */
export function isIllegal({ event, ended }: Pick<Choice, 'event' | 'ended'>): boolean {
  return event === null && !ended;
}

const CHOICES = 5;
/** Tokens that must be left for a move: a name, two squares and a promotion. */
const A_MOVE = 4;

/**
 * A model's turn after some moves. At temperature 0 it chooses the likeliest whole move, else it writes one token by token
 * as its probabilities have it. Where the choice is illegal, or ends the game, its likeliest legal move is played.
 * Fails with `game-over` and `too-long`.
 */
export async function modelTurn(
  engine: Engine,
  game: PlayedGame,
  moves: Uint16Array,
  { temperature, random, choices = CHOICES }: { temperature: number; random: Random; choices?: number },
): Promise<Result<ModelTurn>> {
  const { domain, notation } = game;
  const state = moves.reduce<unknown>((before, event) => domain.apply(before, event), domain.initial());
  const prefix = tokensOf(notation, moves);
  const { context } = engine.model;
  if (prefix.length + A_MOVE > context)
    return fail('too-long', `The game is too long for this model, which reads at most ${context} tokens.`);
  const next = new NextMove(engine, game, moves, state, prefix);
  const first = await next.likeliest(choices);
  const choice = temperature === 0 && first.length > 0 ? first[0] : await sampled(next, temperature, random);
  const played = choice.event === null ? await next.likeliestLegal() : choice;
  if (played === null || played.event === null) return fail('game-over', 'The game is over: there is no legal move.');
  return ok({ choices: first, choice, played: { ...played, event: played.event } });
}

async function sampled(next: NextMove, temperature: number, random: Random): Promise<Choice> {
  const choose = samplerAt(temperature, random);
  const tokens: number[] = [];
  let probability = 1;
  for (;;) {
    const distribution = await next.after(tokens);
    const token = choose(distribution);
    probability *= distribution[token];
    tokens.push(token);
    const whole = next.judge(tokens);
    if (whole !== null) return { ...whole, probability };
  }
}
