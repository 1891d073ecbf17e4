import { basename } from 'node:path';
import { unwrap } from '../src/base/result.ts';
import { meanEstimate, shareEstimate } from '../src/base/statistics.ts';
import { INSTANCE_SEED } from '../src/config/instance-seed.ts';
import { Corpus } from '../src/data/corpus.ts';
import type { Notation } from '../src/domains/domain.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { EventScores, SquareScores } from '../src/interchange/records/training-record.ts';
import { perplexity } from '../src/studies/asking/perplexity.ts';
import { namesEveryPiece } from '../src/studies/asking/prompting.ts';
import { legalGames } from '../src/studies/self-play/legal-games.ts';
import { soundness } from '../src/studies/soundness/soundness.ts';
import { assessSplat, type SplatSubject } from '../src/studies/splat/assess-splat.ts';
import { questionsFor } from '../src/studies/splat/questions/questions.ts';
import { prefixRanges, type PrefixRange } from '../src/studies/testbed/prefix-ranges.ts';
import type { TaskReport } from '../src/studies/testbed/assessment.ts';
import { askTasks, fitsContext, taskNames, taskReport, type TaskName } from '../src/studies/testbed/tasks.ts';
import { gamesList, progressBar, report, shareBar } from './node-io.ts';
import { probingInstances } from './probing-instances.ts';

/** Plies of a held-out game that each game of the soundness measures begins with, and the most plies after them. */
export const SOUNDNESS_GAMES = { warmUp: 10, plies: 120 };

const INSTANCES = 1000;
/** Games alone, and for each adversary. */
const SOUND_GAMES = 100;
/** Of each split, so that its intervals are as narrow as splits differ. */
const SPLIT_INSTANCES = 5000;
const ROWS = 8;
const NO_GAMES = Corpus.from([]);

type RangeScore = SquareScores['short'];

export interface Sources {
  /** How commands name the shipped model. */
  model: string;
  games: string;
  probes: string;
  avoid: string;
  /** GAMES of other kinds to ask about, or "random", and what the record calls them. */
  splits: readonly { words: string; games: string }[];
}

/** Everything the record tells of what a model of squares can do, with the commands that tell the same. */
export async function squareScores(engine: Engine, notation: Notation, from: Sources): Promise<SquareScores> {
  const bar = progressBar('games');
  const { games, moves, ...held } = unwrap(
    await perplexity(engine, await gamesList([from.games]), notation, {
      rowsPerBatch: ROWS,
      onGames: bar.update,
    }),
  );
  bar.end();
  const avoid = await gamesList([from.avoid]);
  const range = async (name: PrefixRange, file: string, games: string, n: number): Promise<RangeScore> => {
    const plies = prefixRanges[name];
    const made = await probingInstances(games, plies, { n, seed: INSTANCE_SEED }, () => avoid);
    const instances = made.filter((instance) => fitsContext(instance, notation, engine.model.context));
    if (instances.length < n) report(`Only ${instances.length} instances of ${plies.join(' to ')} plies.`);
    const bar = progressBar('instances');
    const judged = await askTasks(engine, notation, instances, {
      tasks: taskNames,
      rowsPerBatch: ROWS,
      onInstances: (done) => bar.update(done, instances.length),
    });
    bar.end();
    const tasks = Object.fromEntries(taskNames.map((task) => [task, taskReport(judged, task)]));
    return {
      plies: [...plies],
      tasks: tasks as Record<TaskName, TaskReport>,
      computedBy: [
        `blindfold make-probes --games ${basename(games)} --range ${plies.join('-')} --n ${n} --seed ${INSTANCE_SEED} --avoid ${basename(from.avoid)} > ${file}.jsonl`,
        `blindfold probe --model ${from.model} --probes ${file}.jsonl`,
      ],
    };
  };
  const splits: NonNullable<SquareScores['splits']> = [];
  for (const [i, { words, games }] of from.splits.entries())
    splits.push({ words, ...(await range('long', `split-${i + 1}`, games, SPLIT_INSTANCES)) });
  return {
    perplexity: {
      games,
      moves,
      perplexity: held.perplexity,
      computedBy: [`blindfold perplexity --model ${from.model} --games ${basename(from.games)}`],
    },
    short: await range('short', 'short', from.probes, INSTANCES),
    long: await range('long', 'long', from.probes, INSTANCES),
    ...(splits.length === 0 ? {} : { splits }),
    ...(await soundnessScores(engine, notation, from)),
  };
}

/**
 * Whole games alone and under attack; nothing where no game is long enough to begin with, or where every move carries its
 * piece's name, so that the model cannot play (legalGames).
 */
export async function soundnessScores(
  engine: Engine,
  notation: Notation,
  from: Pick<Sources, 'model' | 'probes'>,
): Promise<Pick<SquareScores, 'soundness'>> {
  if (namesEveryPiece(notation)) return {};
  const { warmUp, plies } = SOUNDNESS_GAMES;
  const games = Corpus.from((await gamesList([from.probes])).filter((game) => game.length > warmUp));
  const count = Math.min(SOUND_GAMES, games.length);
  if (count === 0) return {};
  const bar = shareBar();
  const request = { games, count, warmUp, plies, seed: 1 };
  const alone = unwrap(await legalGames(engine, notation, { ...request, temperature: 1 }, bar));
  const { rows } = unwrap(await soundness(engine, notation, request, bar));
  bar.end();
  return {
    soundness: {
      ...{ games: count, warmUp, plies },
      alone: {
        fullyLegal: alone.fullyLegal,
        ci95: alone.ci95,
        legalPlies: alone.legalPlies!,
        legalGamePlies: alone.legalGamePlies,
      },
      attacks: rows.map(({ adversary, attackSuccess, ci95 }) => ({ adversary, attackSuccess, ci95 })),
      computedBy: [`blindfold soundness --model ${from.model} --games ${basename(from.probes)} --n ${count}`],
    },
  };
}

/** The same of a model that reads an event a token, about held-out games. */
export async function eventScores(
  engine: Engine,
  { domain, notation, about }: Pick<SplatSubject, 'domain' | 'notation' | 'about'>,
  from: Pick<Sources, 'model' | 'games'>,
): Promise<EventScores> {
  const questions = unwrap(questionsFor(domain.name));
  const test = Corpus.from(await gamesList([from.games], domain));
  const bar = shareBar();
  const measured = unwrap(
    await assessSplat(
      engine,
      { domain, notation, questions, about, config: null },
      {
        ...{ games: { train: NO_GAMES, dev: NO_GAMES, test }, questions: INSTANCES, perplexityGames: INSTANCES },
        ...{ goals: 'released', distances: false, seed: 1, lines: [] },
      },
      bar,
    ),
  );
  bar.end();
  const { perplexity, legalVerbs, random } = measured;
  const { mean, n, ci95 } = shareEstimate(legalVerbs.map(({ rPrecision }) => rPrecision));
  const games = basename(from.games);
  return {
    perplexity: perplexity!,
    legal: { rprec: mean!, n, ci95: ci95!, random: random.legalVerbs },
    legalMass: meanEstimate(legalVerbs.map(({ legalMass }) => legalMass)).mean!,
    computedBy: [
      `blindfold splat make-questions ${games} --domain ${domain.name} > questions.txt`,
      `blindfold splat evaluate --model ${from.model} --questions questions.txt --games ${games} --n ${INSTANCES}`,
    ],
  };
}
