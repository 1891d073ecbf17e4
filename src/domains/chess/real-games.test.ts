import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { decompressed, textLines } from '../../base/streams.ts';
import { notationNamed } from './notation.ts';
import { parsePgnGame } from './pgn.ts';
import { parsePrefix, replay, uciLine } from './replay.ts';
import { parseSquare, squareName } from './squares.ts';

const data = fileURLToPath(new URL('../../../../shared/data', import.meta.url));
const present = existsSync(`${data}/chess`);
if (!present) console.log('skipped: real games are not present as ../shared/data');

async function* linesOf(file: string): AsyncGenerator<string> {
  const bytes = readFileSync(file);
  const stream = (async function* () {
    yield new Uint8Array(bytes);
  })();
  for await (const { text } of textLines(decompressed(stream, file), file)) yield text;
}

describe.skipIf(!present)('real games', () => {
  const files = present ? readdirSync(`${data}/chess`) : [];

  it.each(files.filter((file) => file.endsWith('.uci.txt.zst')))(
    'games of %s replay, and their text comes back',
    async (file) => {
      const thousands = Number(/(\d+)k\./.exec(file)?.[1] ?? 1.5);
      // All 200,000 take a quarter of a minute; the smaller files are replayed whole.
      const stride = thousands > 50 ? 8 : 1;
      let games = 0;
      for await (const line of linesOf(`${data}/chess/${file}`)) {
        if (games++ % stride !== 0) continue;
        const moves = replay(line);
        if (!moves.ok) expect.fail(`game ${games}: ${moves.error.message}`);
        if (games % 50 === 1) expect(uciLine(moves.value)).toBe(line);
      }
      expect(Math.round(games / 100)).toBe(file.includes('probe') ? 192 : thousands * 10);
    },
    120_000,
  );

  it('every game of the PGN file is read, comments and clocks apart', async () => {
    const games: string[] = [''];
    for await (const line of linesOf(`${data}/chess/lichess-12k.pgn.zst`)) {
      if (line.startsWith('[Event ') && games.at(-1)!.trim() !== '') games.push('');
      games[games.length - 1] += line + '\n';
    }
    expect(games.length).toBe(12_000);
    let plies = 0;
    for (const [i, text] of games.entries()) {
      const game = parsePgnGame(text);
      if (!game.ok) expect.fail(`game ${i + 1}: ${game.error.message}`);
      expect(game.value.result).toBe(game.value.tags.get('Result'));
      plies += game.value.moves.length;
    }
    expect(plies / games.length).toBeGreaterThan(30);
  });

  it('every notation reads back what it wrote', async () => {
    let games = 0;
    for await (const line of linesOf(`${data}/chess/lichess2000-dev1500.uci.txt.zst`)) {
      const moves = unwrap(replay(line));
      for (const name of ['uci', 'rap:25', 'ap']) {
        const notation = unwrap(notationNamed(name));
        const tokens = notation.encode(moves, { random: seededRandom('names', games), closed: true });
        expect(tokens.length).toBeLessThanOrEqual(notation.maxTokens(moves.length));
        expect(uciLine(unwrap(notation.decode(tokens)))).toBe(line);
      }
      if (++games === 300) break;
    }
  });
});

describe.skipIf(!existsSync(`${data}/bigbench`))('BIG-bench chess_state_tracking', () => {
  it.each(['real_short_task.json', 'synthetic_short_task.json'])('%s has our legal end squares as targets', (file) => {
    const task = JSON.parse(readFileSync(`${data}/bigbench/${file}`, 'utf8')) as {
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
        .filter((move) => (move & 63) === from && !(king && Math.abs((move & 7) - ((move >> 6) & 7)) === 2))
        .map((move) => squareName((move >> 6) & 63));
      expect(ends.sort()).toEqual([...target].sort());
    }
  });
});
