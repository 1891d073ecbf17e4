import type { PlayState } from './play.svelte.ts';

/** What a game waits for, or why the last thing tried did nothing, in a sentence. `title` is that of the game played. */
export function statusOf(play: PlayState, title: string): string {
  const { game } = play;
  if (game === null) return '';
  const side = game.domain.play.sides[play.side];
  if (play.reading) return 'Looking for a game that leads to this position.';
  if (play.refusal) return play.refusal;
  if (play.ending !== null) return `The game is over: ${play.ending.text}.`;
  if (play.stopped !== null) return `Stopped at an illegal move by ${side}.`;
  if (play.thinking) return `${side}, ${play.nameOf(play.side)}, is thinking.`;
  if (play.players[play.side] === 'none') return `There is no model of ${title.toLowerCase()} to play ${side} yet.`;
  if (play.isPerson(play.side)) return `${side} to move: your move.`;
  if (play.running) return `${side} to move.`;
  return `${side} to move. ${game.plies.length === 0 ? 'Start' : 'Continue'} the game, and the models play.`;
}

/** Why a person may not move on the board that is looked at; '' where one may. */
export function whyNoMove(play: PlayState): string {
  const sides = play.game?.domain.play.sides ?? ['', ''];
  if (play.ending !== null) return 'The game is over. Start a new one, or take moves back.';
  if (play.at < play.last) return 'This is an earlier position. Go to the last move, or choose Go on from here.';
  return play.isPerson(play.side) ? '' : `It is the move of ${sides[play.side]}, whom a model plays.`;
}
