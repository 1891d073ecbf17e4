import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Chess } from 'chess.js';
import { decompress } from 'fzstd';
import { seededRandom } from '../src/base/random.ts';
import { unwrap } from '../src/base/result.ts';
import { Position } from '../src/domains/chess/rules/position.ts';
import { randomGame } from '../src/domains/chess/rules/random-game.ts';
import { replay, uciLine } from '../src/domains/chess/replay.ts';
import { median } from './interleave.ts';

/** chess.js gets fewer games: it needs the same wall time for a hundredth of the work. */
const STOCK_SHARE = 0.01;

/** Milliseconds that chess.js spent on lists alone in the current run; 0 where the whole run counts. */
let listing = 0;

interface RulesSide {
  engine: 'blindfold' | 'chess.js';
  /** Does the work and tells how many units it was. */
  work: () => number;
}

interface RulesOptions {
  /** Measurements of each side. */
  runs: number;
  print: (row: object) => void;
  tell: (text: string) => void;
}

/**
 * How fast the rules are, beside chess.js in the same run. Two workloads on each set of games: `replay`
 * (plies a second, every UCI move checked for legality) and `legal-moves` (positions a second, full lists).
 * The sides take turns, so that a noisy machine is noisy for both.
 * chess.js lists moves as SAN, its only list that is not dearer still; ours are packed integers.
 */
export function benchRules(options: RulesOptions): void {
  measureAll('random-play', randomGames(2000, 80), options);
  const real = fileURLToPath(new URL('../../shared/data/chess/otb2000-dev10k.uci.txt.zst', import.meta.url));
  if (!existsSync(real))
    return options.tell('rules: ../shared/data is absent, so only self-made random games are measured');
  const text = new TextDecoder().decode(decompress(readFileSync(real)));
  measureAll('over-the-board', text.trim().split('\n'), options);
}

function measureAll(name: string, lines: string[], options: RulesOptions): void {
  const few = lines.slice(0, Math.max(5, Math.round(lines.length * STOCK_SHARE)));
  measure(
    `replay/${name}`,
    [
      { engine: 'blindfold', work: () => lines.reduce((plies, line) => plies + unwrap(replay(line)).length, 0) },
      { engine: 'chess.js', work: () => few.reduce((plies, line) => plies + stockReplay(line, () => {}), 0) },
    ],
    options,
  );
  const some = lines.slice(0, Math.ceil(lines.length / 10));
  const fewer = few.slice(0, Math.max(3, Math.round(few.length / 10)));
  const traces = some.map((line) => unwrap(replay(line)));
  let sink = 0;
  measure(
    `legal-moves/${name}`,
    [
      {
        engine: 'blindfold',
        work: () => {
          let positions = 0;
          for (const trace of traces) {
            const position = Position.initial();
            for (const move of trace) {
              sink += position.legalMoves().length;
              position.play(move);
            }
            positions += trace.length;
          }
          return positions;
        },
      },
      { engine: 'chess.js', work: () => fewer.reduce((positions, line) => positions + stockLists(line), 0) },
    ],
    options,
  );
  if (sink === 0) throw new Error('no move was generated');
}

function stockReplay(line: string, before: (game: Chess) => void): number {
  const game = new Chess();
  const words = line.split(' ');
  for (const word of words) {
    before(game);
    game.move({ from: word.slice(0, 2), to: word.slice(2, 4), promotion: word[4] });
  }
  return words.length;
}

/** Positions whose lists chess.js made; its own replay between them is timed apart and taken off. */
function stockLists(line: string): number {
  return stockReplay(line, (game) => {
    const started = performance.now();
    game.moves();
    listing += performance.now() - started;
  });
}

function measure(workload: string, sides: RulesSide[], { runs, print }: RulesOptions): void {
  const rates = sides.map((): number[] => []);
  for (const side of sides) side.work();
  for (let run = 0; run < runs; run++)
    sides.forEach((side, i) => {
      listing = 0;
      const started = performance.now();
      const units = side.work();
      const elapsed = listing > 0 ? listing : performance.now() - started;
      rates[i].push(Math.round((units / elapsed) * 1000));
    });
  const stock = median(rates[sides.findIndex(({ engine }) => engine === 'chess.js')]);
  sides.forEach(({ engine }, i) => {
    const perSecond = Math.round(median(rates[i]));
    const ratioToStock = Number((perSecond / stock).toPrecision(3));
    print({ suite: 'rules', workload, engine, threads: 1, perSecond, runs: rates[i], ratioToStock });
  });
}

/** Games of uniformly random legal moves, the same on every run. */
function randomGames(count: number, plies: number): string[] {
  return Array.from({ length: count }, (_, i) => uciLine(randomGame(seededRandom('bench-rules', i), plies)));
}
