import { defineCommand } from 'citty';
import { seededRandom } from '../../src/base/random.ts';
import { inputError, unwrap } from '../../src/base/result.ts';
import type { CustomQuestion } from '../../src/config/questions-schema.ts';
import { baseball } from '../../src/domains/baseball/baseball.ts';
import { DOMAIN_NAMES } from '../../src/domains/domains.ts';
import { simulateGames } from '../../src/domains/baseball/simulator/game.ts';
import { checkQuestions } from '../../src/studies/splat/questions/check.ts';
import { questionsFor, type Questions } from '../../src/studies/splat/questions/questions.ts';
import {
  gamesFrom,
  nameOf,
  openText,
  progressBar,
  report,
  wantedDomain,
  wholeNumber,
  writeResult,
} from '../node-io.ts';
import { goalModeOf, customQuestions } from '../question-options.ts';
import evaluate from './splat-evaluate.ts';
import fineTune from './splat-fine-tune.ts';

const FAILURES_SHOWN = 5;

const check = defineCommand({
  meta: { name: 'check', description: 'Replay SPLAT question lines with the symbolic program and count agreements.' },
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'question lines of any game; - for standard input',
    },
    mode: {
      type: 'string',
      default: 'released',
      description: 'goal lines of baseball: released (the last verb repeated) or corrected (every verb legal)',
    },
    own: { type: 'string', description: 'the JSON file of custom questions that the lines ask' },
  },
  async run({ args }) {
    const bar = progressBar('lines');
    const mode = goalModeOf('--mode', args.mode);
    const games = args.own === undefined ? undefined : gamesWith(args.own, await customQuestions(args.own));
    const checked = await checkQuestions(openText(args.file), nameOf(args.file), { mode, onLine: bar.update, games });
    bar.end();
    writeResult(unwrap(checked));
  },
});

/** The questions of every game, with one's own where they mean something in it; InputError where they do in none. */
function gamesWith(path: string, own: readonly CustomQuestion[]): Questions[] {
  const games: Questions[] = [];
  const problems: string[] = [];
  for (const name of DOMAIN_NAMES) {
    const grown = questionsFor(name, own);
    if (!grown.ok) problems.push(`${name}: ${grown.error.message}`);
    const questions = grown.ok ? grown : questionsFor(name);
    if (questions.ok) games.push(questions.value);
  }
  if (problems.length < DOMAIN_NAMES.length) return games;
  const message = `${path}: these questions can be asked in no game. ${problems.join(' ')}`;
  throw inputError('bad-questions', message);
}

const makeQuestions = defineCommand({
  meta: {
    name: 'make-questions',
    description: 'Question lines at random points of games, as the authors made theirs.',
  },
  args: {
    games: {
      type: 'positional',
      required: true,
      description: 'GAMES, or "invented" (or "invented:5000:test") where the lab makes games up',
    },
    domain: { type: 'string', required: true, description: DOMAIN_NAMES.join(' or ') },
    seed: { type: 'string', default: '1', description: 'seed of every draw' },
    'per-game': { type: 'string', default: '1', description: 'questions tried in each game' },
    mode: { type: 'string', default: 'released', description: 'goal lines of baseball: released or corrected' },
    own: { type: 'string', description: 'a JSON file with a list of custom questions, asked too' },
  },
  async run({ args }) {
    const domain = wantedDomain(args.domain);
    const questions = unwrap(questionsFor(domain.name, await customQuestions(args.own)));
    const mode = goalModeOf('--mode', args.mode);
    const seed = wholeNumber('--seed', args.seed, 0);
    const perGame = wholeNumber('--per-game', args['per-game'], 1);
    let games = 0;
    let made = 0;
    let failures = 0;
    for await (const game of gamesFrom(args._, domain)) {
      if (!game.ok) {
        if (failures++ < FAILURES_SHOWN) report(game.error.message);
        continue;
      }
      for (let i = 0; i < perGame; i++) {
        const line = questions.make(game.value.events, { random: seededRandom('questions', seed, games, i), mode });
        if (line === null) continue;
        made++;
        process.stdout.write(questions.format(line) + '\n');
      }
      games++;
    }
    if (failures > 0) report(`${failures} games could not be read and were left out.`);
    if (games === 0) {
      const message = `There are no games of ${domain.name} in ${args._.map(nameOf).join(', ')}; check the file.`;
      throw inputError('no-games', message);
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
    description: 'SPLAT: make and check questions about games, fine-tune models on them, and ask.',
  },
  subCommands: { check, 'make-questions': makeQuestions, 'fine-tune': fineTune, evaluate, simulate },
});
