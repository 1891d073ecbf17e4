/**
 * Makes chess games by letting a UCI engine play itself at a fixed, small number of nodes:
 *
 *   npx tsx scripts/self-play/main.ts --engine /usr/games/stockfish --games 30000 --seed 1 --out DIR
 *
 * Game n of seed s has a random stream of its own, so --first splits the work over processes and a rerun
 * writes the same bytes. Writes games-FIRST.uci.txt (a game a line) and games-FIRST.jsonl (what is known
 * about the game on the same line). Games still going on after --max-plies are counted and left out.
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/base/random.ts';
import { UciEngine } from './engine.ts';
import { playGame } from './game.ts';
import { drawStyle } from './style.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '/usr/games/stockfish' },
    out: { type: 'string' },
    games: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '200' },
    'max-plies': { type: 'string', default: '150' },
  },
});
if (!values.out) {
  console.error('say where to write with --out DIR');
  process.exit(2);
}
const first = Number(values.first);
const last = first + Number(values.games) - 1;
const seed = Number(values.seed);
const limits = { nodes: Number(values.nodes), maxPlies: Number(values['max-plies']) };

mkdirSync(values.out, { recursive: true });
const lines = createWriteStream(join(values.out, `games-${first}.uci.txt`));
const facts = createWriteStream(join(values.out, `games-${first}.jsonl`));
const engine = await UciEngine.start(values.engine);
console.error(`${engine.name}, ${limits.nodes} nodes a move, seed ${seed}, games ${first} to ${last}`);

const started = performance.now();
const counts = new Map<string, number>();
for (let game = first; game <= last; game++) {
  const random = seededRandom('self-play', seed, game);
  const played = await playGame(engine, drawStyle(random), random, limits);
  counts.set(played.termination, (counts.get(played.termination) ?? 0) + 1);
  if (played.termination !== 'unfinished') {
    const { moves, result, termination } = played;
    lines.write(moves.join(' ') + '\n');
    facts.write(JSON.stringify({ game, result, termination, plies: moves.length }) + '\n');
  }
  if ((game - first + 1) % 500 === 0) {
    const rate = ((game - first + 1) / (performance.now() - started)) * 60_000;
    console.error(`${game - first + 1} games, ${Math.round(rate)} a minute`);
  }
}
engine.quit();
await Promise.all([lines, facts].map((file) => new Promise<void>((done) => file.end(done))));
console.log(JSON.stringify({ engine: engine.name, seed, first, last, ...limits, ended: Object.fromEntries(counts) }));
