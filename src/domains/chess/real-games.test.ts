import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { excerpt, sharedData } from '../../../fixtures/shared-data.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { decompressed, textLines } from '../../base/streams.ts';
import { fromSquare, toSquare } from './rules/move.ts';
import { notationNamed } from './notation/notation.ts';
import { parsePgnGame, type PgnGame } from './formats/pgn.ts';
import { parsePrefix, replay, uciLine } from './replay.ts';
import { parseSquare, squareName } from './rules/squares.ts';

const chess = sharedData('data/chess');
const bigbench = sharedData('data/bigbench');

async function* linesOf(file: string): AsyncGenerator<string> {
  const bytes = readFileSync(file);
  const stream = (async function* () {
    yield new Uint8Array(bytes);
  })();
  for await (const { text } of textLines(decompressed(stream, file), file)) yield text;
}

async function gamesOf(file: string): Promise<PgnGame[]> {
  const texts: string[] = [''];
  for await (const line of linesOf(file)) {
    if (line.startsWith('[Event ') && texts.at(-1)!.trim() !== '') texts.push('');
    texts[texts.length - 1] += line + '\n';
  }
  return texts.map((text, i) => {
    const game = parsePgnGame(text);
    if (!game.ok) expect.fail(`game ${i + 1}: ${game.error.message}`);
    expect(game.value.result).toBe(game.value.tags.get('Result'));
    return game.value;
  });
}

/** Every notation writes the game so that it reads back the same. */
function expectReadBack(line: string, seed: number): void {
  const moves = unwrap(replay(line));
  for (const name of ['uci', 'rap:25', 'ap']) {
    const notation = unwrap(notationNamed(name));
    const tokens = notation.encode(moves, { random: seededRandom('names', seed), closed: true });
    expect(tokens.length).toBeLessThanOrEqual(notation.maxTokens(moves.length));
    expect(uciLine(unwrap(notation.decode(tokens)))).toBe(line);
  }
}

// Moves as chess.js reads them: src/data/sources.test.ts.
it('sixty games of Lichess are read, comments and clocks apart, and read back in every notation', async () => {
  const games = await gamesOf(excerpt('lichess/sixty-games.pgn.zst').path);
  const ended = (wanted: string) => games.filter(({ result }) => result === wanted).length;
  // As `grep -c` counts its headers.
  expect([games.length, ended('1-0'), ended('0-1'), ended('1/2-1/2')]).toEqual([60, 27, 30, 3]);
  for (const [i, { moves }] of games.entries()) expectReadBack(uciLine(moves), i);
});

describe.skipIf(!chess.present)(`real games ${chess.needed}`, () => {
  const files = chess.present ? readdirSync(chess.path) : [];

  // The 200,000 games for training take long to unpack, and differ from the others only by being more.
  it.each(files.filter((file) => file.endsWith('.uci.txt.zst') && !file.includes('train')))(
    'games of %s replay, and their text comes back',
    async (file) => {
      const thousands = Number(/(\d+)k\./.exec(file)?.[1] ?? 1.5);
      // Some 2,500 games of each file.
      const stride = Math.ceil(thousands / 2.5);
      let games = 0;
      for await (const line of linesOf(`${chess.path}/${file}`)) {
        if (games++ % stride !== 0) continue;
        const moves = replay(line);
        if (!moves.ok) expect.fail(`game ${games}: ${moves.error.message}`);
        if (games % (50 * stride) === 1) expect(uciLine(moves.value)).toBe(line);
      }
      expect(Math.round(games / 100)).toBe(file.includes('probe') ? 192 : thousands * 10);
    },
    120_000,
  );

  it('every notation reads back what it wrote', async () => {
    let games = 0;
    for await (const line of linesOf(`${chess.path}/lichess2000-dev1500.uci.txt.zst`)) {
      expectReadBack(line, games);
      if (++games === 300) break;
    }
  });
});

describe(`BIG-bench chess_state_tracking ${bigbench.needed}`, () => {
  it.skipIf(!bigbench.present).each(['real_short_task.json', 'synthetic_short_task.json'])(
    '%s has our legal end squares as targets',
    (file) => {
      const task = JSON.parse(readFileSync(`${bigbench.path}/${file}`, 'utf8')) as {
        examples: { input: string; target: string[] }[];
      };
      expect(task.examples.length).toBe(1000);
      for (const { input, target } of task.examples) {
        const words = input.trim().split(/\s+/);
        const from = unwrap(parseSquare(words.pop()!));
        const position = unwrap(parsePrefix(words.join(' ')));
        const king = (position.pieceAt(from) & 7) === 6;
        const ends = position
          .legalMoves()
          .filter((move) => fromSquare(move) === from && !(king && Math.abs(fromSquare(move) - toSquare(move)) === 2))
          .map((move) => squareName(toSquare(move)));
        expect(ends.sort()).toEqual([...target].sort());
      }
    },
  );
});
