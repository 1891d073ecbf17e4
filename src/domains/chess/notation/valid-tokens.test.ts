import { Chess, type Move } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { notationNamed } from './notation.ts';
import { replay } from '../replay.ts';
import { vocabulary } from './vocabulary.ts';

/** Castling on both wings, en passant and a promotion. */
const GAME = 'e2e4 d7d5 e4e5 f7f5 e5f6 d8d6 f6g7 c8e6 g7h8n b8c6 g1f3 e8c8 f1e2 d6f4 e1g1 f4f3 e2f3';

const WORDS = Math.ceil(vocabulary.size / 32);
/** The tokens of a row's set, in words. */
const setAt = (sets: Int32Array, row: number): string[] =>
  vocabulary.tokens.filter((_, token) => (sets[row * WORDS + (token >> 5)] >>> (token & 31)) & 1);
const sorted = (words: Iterable<string>): string[] => [...new Set(words)].sort();

/** A random legal game by chess.js, as UCI text: pawns pushed and captured into promotions more often than by chance. */
function randomGame(game: number): string {
  const random = seededRandom('valid tokens', game);
  const theirs = new Chess();
  const line: string[] = [];
  while (line.length < 120 && !theirs.isGameOver()) {
    const moves = theirs.moves({ verbose: true });
    const eager = moves.filter((move) => move.promotion ?? (move.piece === 'p' || move.isKingsideCastle()));
    const from = eager.length > 0 && random.next() < 0.5 ? eager : moves;
    const move = from[random.below(from.length)];
    line.push(move.from + move.to + (move.promotion ?? ''));
    theirs.move(move);
  }
  return line.join(' ');
}

/** A game, and the legal moves before each of its plies by chess.js. */
interface Game {
  line: string;
  legal: Move[][];
}

function withLegal(line: string): Game {
  const theirs = new Chess();
  const legal = line.split(' ').map((word) => {
    const moves = theirs.moves({ verbose: true });
    theirs.move({ from: word.slice(0, 2), to: word.slice(2, 4), promotion: word[4] });
    return moves;
  });
  return { line, legal };
}

/**
 * The sets by another way: every legal move by chess.js is spelt out, and a token is valid where some legal spelling
 * that agrees with the game up to there goes on with it.
 */
function bySpellings({ line, legal }: Game, tokens: readonly string[], always: boolean): string[][] {
  const sets: string[][] = [['<s>']];
  for (const [ply, word] of line.split(' ').entries()) {
    const written = tokens.slice(sets.length);
    const names = always || /^[PNBRQK]$/.test(written[0]);
    const spellings = legal[ply].flatMap((move) => {
      const castles = move.isKingsideCastle() || move.isQueensideCastle();
      const bare = [move.from, move.to, ...(move.promotion ? [move.promotion] : [])];
      if (!names) return [bare];
      if (castles) return always ? [bare] : [];
      return [[move.piece.toUpperCase(), ...bare]];
    });
    const length = (/^[PNBRQK]$/.test(written[0]) ? 3 : 2) + (word.length === 5 ? 1 : 0);
    for (let i = 0; i < length && i < written.length; i++)
      sets.push(
        sorted(
          spellings
            .filter((spelling) => spelling.slice(0, i).join() === written.slice(0, i).join())
            .map((spelling) => spelling[i]),
        ),
      );
  }
  if (sets.length < tokens.length) sets.push(['</s>']);
  return sets;
}

describe('the valid tokens of a game', () => {
  const games = [GAME, ...Array.from({ length: 3 }, (_, i) => randomGame(i))].map(withLegal);

  it.each(['uci', 'rap:40', 'rap:100', 'ap'])('are those of chess.js in %s', (name) => {
    const notation = unwrap(notationNamed(name));
    const met = new Set<string>();
    games.forEach((played, game) => {
      const trace = unwrap(replay(played.line));
      const tokens = notation.encode(trace, { random: seededRandom(name, game), closed: true });
      const sets = notation.valid(trace, tokens);
      const words = tokens.map((token) => vocabulary.tokens[token]);
      expect(tokens.map((_, row) => setAt(sets, row))).toEqual(
        bySpellings(played, words, name === 'ap' || name === 'rap:100').map((set) =>
          vocabulary.tokens.filter((token) => set.includes(token)),
        ),
      );
      words.forEach((word) => met.add(word));
    });
    // Every kind of place was met.
    for (const word of ['</s>', 'n', 'q', ...(name === 'uci' ? [] : ['K', 'P'])]) expect(met).toContain(word);
  });

  it('are told by hand at the first moves and in castling', () => {
    const uci = unwrap(notationNamed('uci'));
    const trace = unwrap(replay('e2e4 e7e5 g1f3 g8f6 f1e2 f8e7'));
    const sets = uci.valid(trace, uci.encode(trace, { random: null, closed: true }));
    expect(setAt(sets, 1)).toEqual(sorted('a2 b2 c2 d2 e2 f2 g2 h2 b1 g1'.split(' ')).sort(byRank));
    expect(setAt(sets, 2)).toEqual(['e3', 'e4']);
    expect(setAt(sets, 13)).toEqual(['</s>']);
    const castled = unwrap(replay('e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1'));
    const ap = unwrap(notationNamed('ap'));
    const tokens = ap.encode(castled, { random: null, closed: false });
    const named = ap.valid(castled, tokens);
    // Six moves of three tokens: then K and e1 are both there, and after the bare e1 castling alone.
    expect(setAt(named, 19)).toEqual(['P', 'N', 'R', 'B', 'K', 'e1']);
    expect(setAt(named, 20)).toEqual(['g1']);
  });

  it('of a game cut short are its first rows, and of another game an error', () => {
    const notation = unwrap(notationNamed('rap:40'));
    const trace = unwrap(replay(GAME));
    const tokens = notation.encode(trace, { random: seededRandom('cut'), closed: true });
    const whole = notation.valid(trace, tokens);
    for (const length of [1, 2, 7, 20])
      expect([...notation.valid(trace, tokens.slice(0, length))]).toEqual([...whole.subarray(0, length * WORDS)]);
    expect(() =>
      notation.valid(unwrap(replay('d2d4')), notation.encode(trace, { random: null, closed: true })),
    ).toThrow('no part of this game');
  });
});

const byRank = (a: string, b: string): number => vocabulary.id(a)! - vocabulary.id(b)!;
