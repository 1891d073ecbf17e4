import { fail, type Failure, type Result } from '../../base/result.ts';
import type { OfferedModel } from '../probe/model-choice.ts';
import { lineOf, linkText } from '../session/experiment/address.ts';
import { eventsOf, type Game, type PlayableDomain, type Player } from './game.ts';

/** What an address says of a game: who plays, how moves are drawn, and the moves. */
export interface Setup {
  players: [Player, Player];
  temperature: 0 | 1;
  seed: number;
}

/** A game in an address: only what is not as usual, moves without spaces. */
export function writeLink(asked: Setup & { game: Game; usual: readonly [Player, Player] }): string {
  const { game, players, usual, temperature, seed } = asked;
  const params = new URLSearchParams();
  const events = eventsOf(game);
  if (events.length > 0) params.set('moves', linkText(game.domain.traces.format(events)));
  for (const side of [0, 1] as const)
    // Files that a person brought are in no address.
    if (players[side] !== usual[side] && players[side] !== 'files' && players[side] !== 'none')
      params.set(game.domain.play.sides[side].toLowerCase(), players[side]);
  if (temperature !== 0) params.set('temperature', String(temperature));
  if (seed !== 1) params.set('seed', String(seed));
  return params.toString().replaceAll('%3A', ':');
}

/** Reads moves or a position of a game; a worker does it where that takes long. */
export type ReadGame = (domain: string, text: string) => Promise<Result<Uint16Array>>;

/** A game from an address; what cannot be taken is left as usual, with a sentence each. */
export async function readLink(
  params: URLSearchParams,
  domain: PlayableDomain,
  models: readonly OfferedModel[],
  usual: readonly [Player, Player],
  readGame: ReadGame,
): Promise<{ setup: Setup & { opening: Uint16Array }; failures: Failure[] }> {
  const failures: Failure[] = [];
  const players: [Player, Player] = [usual[0], usual[1]];
  for (const side of [0, 1] as const) {
    const name = domain.play.sides[side];
    const wanted = params.get(name.toLowerCase());
    if (wanted === null) continue;
    const offered = models.find(({ choice }) => choice === wanted);
    if (wanted === 'you' || offered) players[side] = offered?.choice ?? 'you';
    else
      failures.push(
        fail('link-player', `The link's player of ${name} is not on this device; choose another model.`).error,
      );
  }
  const text = params.get('moves') ?? params.get('fen') ?? '';
  const line = lineOf(text);
  const read = line.ok ? await readGame(domain.name, line.value) : line;
  if (!read.ok)
    failures.push(
      fail('link-moves', `The link's moves could not be read, so the game begins anew. ${read.error.message}`).error,
    );
  const seed = Number(params.get('seed') ?? 1);
  return {
    setup: {
      players,
      temperature: params.get('temperature') === '1' ? 1 : 0,
      seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : 1,
      opening: read.ok ? read.value : new Uint16Array(),
    },
    failures,
  };
}
