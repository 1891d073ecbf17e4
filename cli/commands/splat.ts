import { defineCommand } from 'citty';
import { seededRandom } from '../../src/base/random.ts';
import { fail, InputError, unwrap, type Result } from '../../src/base/result.ts';
import { textLines } from '../../src/base/streams.ts';
import { recordOf, type GameRecord } from '../../src/data/game-record.ts';
import { kindByName, readGames } from '../../src/data/sources.ts';
import { baseball } from '../../src/domains/baseball/baseball.ts';
import { simulateGames } from '../../src/domains/baseball/simulator/game.ts';
import { checkQuestions } from '../../src/probes/questions/check.ts';
import { GOAL_MODES, type GoalMode } from '../../src/probes/questions/question.ts';
import { QUESTIONS } from '../../src/probes/questions/questions.ts';
import {
  gamesFrom,
  nameOf,
  openBytes,
  openText,
  progressBar,
  report,
  usageError,
  wholeNumber,
  writeJsonLine,
} from '../node-io.ts';

const FAILURES_SHOWN = 5;

const check = defineCommand({
  meta: { name: 'check', description: 'Replay SPLAT question lines with the symbolic program and count agreements.' },
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'question lines, chess or baseball; - for standard input',
    },
    mode: {
      type: 'string',
      default: 'released',
      description: 'goal lines of baseball: released (the last verb repeated) or corrected (every verb legal)',
    },
  },
  async run({ args }) {
    const bar = progressBar('lines');
    const mode = modeOf(args.mode);
    const checked = await checkQuestions(openText(args.file), nameOf(args.file), { mode, onLine: bar.update });
    bar.end();
    writeJsonLine(unwrap(checked));
  },
});

const makeQuestions = defineCommand({
  meta: {
    name: 'make-questions',
    description: 'Question lines at random points of games, as the authors made theirs.',
  },
  args: {
    games: {
      type: 'positional',
      required: true,
      description: 'GAMES; baseball as verbs or what "baseball trace" prints, a game a line',
    },
    domain: { type: 'string', required: true, description: 'chess or baseball' },
    seed: { type: 'string', default: '1', description: 'seed of every draw' },
    'per-game': { type: 'string', default: '1', description: 'questions tried in each game' },
    mode: { type: 'string', default: 'released', description: 'goal lines of baseball: released or corrected' },
  },
  async run({ args }) {
    if (args.domain !== 'chess' && args.domain !== 'baseball')
      throw usageError(`--domain ${args.domain}: choose chess or baseball.`);
    const questions = QUESTIONS[args.domain];
    const mode = modeOf(args.mode);
    const seed = wholeNumber('--seed', args.seed, 0);
    const perGame = wholeNumber('--per-game', args['per-game'], 1);
    let games = 0;
    let made = 0;
    let failures = 0;
    for await (const game of args.domain === 'chess' ? gamesFrom(args._) : baseballGames(args._)) {
      if (!game.ok) {
        if (failures++ < FAILURES_SHOWN) report(game.error.message);
        continue;
      }
      for (let i = 0; i < perGame; i++) {
        const line = questions.make(game.value.moves, { random: seededRandom('questions', seed, games, i), mode });
        if (line === null) continue;
        made++;
        process.stdout.write(questions.format(line) + '\n');
      }
      games++;
    }
    if (failures > 0) report(`${failures} games could not be read and were left out.`);
    if (games === 0) {
      const message = `There are no games of ${args.domain} in ${args._.map(nameOf).join(', ')}; check the file.`;
      throw new InputError(fail('no-games', message).error);
    }
    if (made < games * perGame)
      report(`${games * perGame - made} of ${games * perGame} questions fell on games too short for them.`);
  },
});

const simulate = defineCommand({
  meta: { name: 'simulate', description: 'Invented baseball games with the statistics of real ones, a game a line.' },
  args: {
    games: { type: 'string', default: '1000', description: 'games wanted' },
    seed: { type: 'string', default: '1', description: 'seed of every draw' },
  },
  run({ args }) {
    for (const trace of simulateGames(wholeNumber('--games', args.games, 1), wholeNumber('--seed', args.seed, 0)))
      process.stdout.write(baseball.traces.format(trace) + '\n');
  },
});

export default defineCommand({
  meta: {
    name: 'splat',
    description: 'SPLAT questions of chess and baseball: check, make; baseball games to ask about.',
  },
  subCommands: { check, 'make-questions': makeQuestions, simulate },
});

function modeOf(text: string): GoalMode {
  const mode = GOAL_MODES.find((candidate) => candidate === text);
  if (mode === undefined) throw usageError(`--mode ${text}: choose ${GOAL_MODES.join(' or ')}.`);
  return mode;
}

/**
 * Games of baseball: verbs a line, or JSON Lines with them in "tokens" (as "baseball trace" prints) or "moves"; Parquet
 * by its name. Read here rather than by readGames, which cannot tell verbs on standard input.
 */
async function* baseballGames(paths: readonly string[]): AsyncGenerator<Result<GameRecord>> {
  for (const path of paths) {
    const name = nameOf(path);
    if (kindByName(path) === 'parquet') yield* readGames({ name, stream: openBytes(path) }, baseball);
    else
      for await (const { text, line } of textLines(openText(path), name)) {
        if (text.trim() === '') continue;
        const verbs = text.startsWith('{') ? verbsOf(text) : text;
        const wrong = 'this is not a game; give its verbs, or {"tokens": "<sog> ..."}.';
        yield recordOf(verbs === null ? fail('not-a-game', wrong) : baseball.traces.parse(verbs), {}, name, line);
      }
  }
}

/** The verbs in a line of JSON; null where there are none. */
function verbsOf(text: string): string | null {
  try {
    const { tokens, moves } = JSON.parse(text) as Record<string, unknown>;
    const verbs = tokens ?? moves;
    return typeof verbs === 'string' ? verbs : null;
  } catch {
    return null;
  }
}
