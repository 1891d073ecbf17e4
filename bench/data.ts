import { readFile } from 'node:fs/promises';
import { Chess } from 'chess.js';
import { unwrap } from '../src/base/result.ts';
import { Position } from '../src/domains/chess/rules/position.ts';
import { uciLine } from '../src/domains/chess/replay.ts';
import { sanOf } from '../src/domains/chess/formats/san.ts';
import { readGames } from '../src/data/sources.ts';
import { embeddedGames } from './embedded-games.ts';
import { median } from './interleave.ts';

export interface DataOptions {
  runs: number;
  print: (row: object) => void;
}

const GAMES = 1000;
/** chess.js reads fewer, for it needs the same time for them. */
const STOCK_GAMES = 20;

/**
 * Reading games, each move checked: games a second from Parquet, from UCI lines and from PGN, the same thousand games
 * that come with Blindfold; beside chess.js where it reads the format (PGN).
 */
export async function benchReading({ runs, print }: DataOptions): Promise<void> {
  const games = await embeddedGames('train', GAMES);
  const parquet = await readFile(new URL('../public/data/chess-selfplay/dev-00000.parquet', import.meta.url));
  const pgn = games.map(pgnOf);
  const text = new TextEncoder();
  const ours = (name: string, bytes: Uint8Array) => () => countGames(name, bytes);
  const stock = async () => {
    for (const game of pgn.slice(0, STOCK_GAMES)) new Chess().loadPgn(game);
    return STOCK_GAMES;
  };
  const sides = [
    { workload: 'parquet', engine: 'blindfold', work: ours('games.parquet', parquet) },
    {
      workload: 'uci-lines',
      engine: 'blindfold',
      work: ours('games.uci.txt', text.encode(games.map(uciLine).join('\n'))),
    },
    { workload: 'pgn', engine: 'blindfold', work: ours('games.pgn', text.encode(pgn.join('\n\n'))) },
    { workload: 'pgn', engine: 'chess.js', work: stock },
  ];
  const rates = sides.map((): number[] => []);
  for (let run = 0; run <= runs; run++)
    for (const [i, { work }] of sides.entries()) {
      const started = performance.now();
      const read = await work();
      // The first round warms up.
      if (run > 0) rates[i].push(Math.round((1000 * read) / (performance.now() - started)));
    }
  const stockRate = median(rates[sides.findIndex(({ engine }) => engine === 'chess.js')]);
  sides.forEach(({ workload, engine }, i) => {
    const perSecond = median(rates[i]);
    const ratioToStock = workload === 'pgn' ? Number((perSecond / stockRate).toPrecision(3)) : null;
    print({ suite: 'data', workload, engine, threads: 1, perSecond, runs: rates[i], ratioToStock });
  });
}

async function countGames(name: string, bytes: Uint8Array): Promise<number> {
  let count = 0;
  for await (const game of readGames({ name, stream: once(bytes) })) if (unwrap(game).events.length > 0) count++;
  return count;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function pgnOf(trace: Uint16Array): string {
  const position = Position.initial();
  const words: string[] = [];
  for (const move of trace) {
    if (words.length % 3 === 0) words.push(`${words.length / 3 + 1}.`);
    words.push(sanOf(position, move));
    position.play(move);
  }
  return `[Event "?"]\n[Result "*"]\n\n${words.join(' ')} *`;
}
