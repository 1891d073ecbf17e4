import { Chess, type Square } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { PythonRandom } from '../../base/python-random.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import { uciLine } from '../../domains/chess/replay.ts';
import { makeInstances, parseInstances, type Instance } from './instances.ts';

/** Random legal games; every fifth is too short for the long range. */
const games = Array.from({ length: 60 }, (_, i) => randomGame(seededRandom('instances', i), i % 5 === 4 ? 51 : 130));
const make = (n: number, avoid?: Uint16Array[]) => makeInstances(games, { range: [51, 100], n, seed: 42, avoid });
const plies = (instance: Instance): number => instance.prefix.split(' ').length;
const gameOf = (instance: Instance): number =>
  games.findIndex((game) => uciLine(game).startsWith(`${instance.prefix} `));

/** The lists by chess.js: destinations by start square and starts by piece, without pawns and castling. */
function lists(prefix: string) {
  const game = new Chess();
  for (const word of prefix.split(' ')) game.move({ from: word.slice(0, 2), to: word.slice(2, 4), promotion: word[4] });
  const endings = new Map<string, string[]>();
  const starts = new Map<string, Set<string>>();
  for (const move of game.moves({ verbose: true })) {
    if (move.piece === 'p' || move.isKingsideCastle() || move.isQueensideCastle()) continue;
    endings.set(move.from, [...(endings.get(move.from) ?? []), move.to].sort());
    const letter = move.piece.toUpperCase();
    starts.set(letter, (starts.get(letter) ?? new Set()).add(move.from));
  }
  return { game, endings, starts };
}

describe('makeInstances', () => {
  it('draws prefix lengths as Python does, one for each game of more than 51 plies', async () => {
    const instances = await make(1000);
    expect(instances.length).toBeGreaterThan(15);
    // python3 -c "import random; random.seed(42); print([random.randint(51,100) for _ in range(12)])"
    const printed = [91, 58, 52, 98, 68, 66, 65, 59, 98, 57, 94, 98];
    const long = games.map((_, i) => i).filter((i) => games[i].length > 51);
    expect(games[long[11]].length).toBeGreaterThan(100);
    const drawn = new Map(long.slice(0, 12).map((game, i) => [game, printed[i]]));
    let checked = 0;
    for (const instance of instances) {
      const size = drawn.get(gameOf(instance));
      if (size === undefined || games[gameOf(instance)].length <= 100) continue;
      expect(plies(instance)).toBe(size);
      checked++;
    }
    expect(checked).toBeGreaterThan(4);
  });

  it('keeps and drops the games that the rules of the procedure say, by chess.js', async () => {
    const instances = await make(1000);
    const random = new PythonRandom(42);
    const expected: string[] = [];
    for (const game of games) {
      if (game.length <= 51) continue;
      const words = uciLine(game).split(' ');
      const size = random.randint(51, Math.min(words.length - 1, 100));
      const { game: board, endings, starts } = lists(words.slice(0, size).join(' '));
      const san = board.move({
        from: words[size].slice(0, 2),
        to: words[size].slice(2, 4),
        promotion: words[size][4],
      }).san;
      if (/^[NBRQK]/.test(san) && endings.size > 1 && starts.size > 1) expected.push(words.slice(0, size).join(' '));
    }
    expect(instances.map(({ prefix }) => prefix)).toEqual(expected);
  });

  it('fills the fields as chess.js and the seeded choices give them', async () => {
    const random = new PythonRandom(42);
    for (const instance of await make(1000)) {
      const { game, endings, starts } = lists(instance.prefix);
      const next = uciLine(games[gameOf(instance)]).split(' ')[plies(instance)];
      expect(instance.starting_square + instance.ending_square).toBe(next);
      expect(instance.piece_type).toBe(game.get(instance.starting_square as Square)!.type.toUpperCase());
      expect(instance.legal_ending_square).toEqual(endings.get(instance.starting_square));
      expect(instance.legal_starting_square).toEqual([...starts.get(instance.piece_type)!].sort());
      const others = [...endings.keys()].filter((from) => from !== instance.starting_square).sort();
      expect(instance.other_starting_square).toBe(random.choice(others));
      expect(instance.other_piece_type).toBe(game.get(instance.other_starting_square as Square)!.type.toUpperCase());
      expect(instance.other_ending_square).toEqual(endings.get(instance.other_starting_square));
      const kinds = [...starts.keys()].filter((kind) => kind !== instance.piece_type).sort();
      expect(instance.start_other_piece_type).toBe(random.choice(kinds));
      expect(instance.start_other_starting_square).toEqual([...starts.get(instance.start_other_piece_type)!].sort());
      expect(oracle(instance.prefix)).toBe(instance.oracle_prefix);
    }
  });

  it('stops at n and gives the first ones', async () => {
    const all = await make(1000);
    expect((await make(7)).map(({ prefix }) => prefix)).toEqual(all.slice(0, 7).map(({ prefix }) => prefix));
    expect(await make(0)).toEqual([]);
  });

  it('drops prefixes that open a game to avoid, and only those', async () => {
    const all = await make(1000);
    const opened = games[gameOf(all[2])];
    const avoid = [
      // Just as long as the prefix; one ply short of another; another with its last ply changed.
      opened.slice(0, plies(all[2])),
      games[gameOf(all[3])].slice(0, plies(all[3]) - 1),
      games[gameOf(all[4])].map((move, ply) => (ply === plies(all[4]) - 1 ? move ^ 1 : move)),
      games[gameOf(all[6])],
    ];
    const kept = await make(1000, avoid);
    const expected = all.filter((_, i) => i !== 2 && i !== 6).map(({ prefix }) => prefix);
    expect(kept.map(({ prefix }) => prefix)).toEqual(expected);
    expect((await make(4, avoid)).map(({ prefix }) => prefix)).toEqual(expected.slice(0, 4));
    expect(await make(1000, games)).toEqual([]);
  });

  it('uses a prefix once', async () => {
    // The same game twice in a row meets different draws; of range 60 to 60 both draws are one.
    const options = { range: [60, 60] as const, n: 100, seed: 1 };
    const once = await makeInstances(games, options);
    expect(
      await makeInstances(
        games.flatMap((game) => [game, game]),
        options,
      ),
    ).toHaveLength(once.length);
  });
});

describe('parseInstances', () => {
  const read = (text: string) =>
    parseInstances(
      (async function* () {
        yield new TextEncoder().encode(text);
      })(),
      'probes.jsonl',
    );

  it('reads back what was written, and names the line that is wrong', async () => {
    const instances = await make(3);
    const lines = instances.map((instance) => JSON.stringify(instance));
    expect(unwrap(await read(`${lines.join('\n')}\n\n`))).toEqual(instances);
    const failing = async (line: string) => {
      const result = await read(`${lines[0]}\n${line}`);
      return result.ok ? null : result.error;
    };
    expect(await failing('{')).toMatchObject({ code: 'bad-instance', where: { line: 2, file: 'probes.jsonl' } });
    expect((await failing('{"prefix":"e2e4"}'))?.message).toContain('oracle_prefix');
    expect(
      (await failing(lines[1].replace(/"legal_ending_square":\[[^\]]*\]/, '"legal_ending_square":[]')))?.message,
    ).toContain('legal_ending_square');
    expect((await failing(lines[1].replace(/"prefix":"\w+/, '"prefix":"e2e5')))?.message).toContain('Ply 1');
  });
});

/** The oracle prefix from chess.js's SAN, as get_info_from_game_prefix makes it. */
function oracle(prefix: string): string {
  const game = new Chess();
  return prefix
    .split(' ')
    .map((word) => {
      const { san } = game.move({ from: word.slice(0, 2), to: word.slice(2, 4), promotion: word[4] });
      if (san.startsWith('O')) return word;
      return (/^[A-Z]/.test(san) ? san[0] : 'P') + word;
    })
    .join(' ');
}
