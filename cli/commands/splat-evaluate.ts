import { basename, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { InputError, inputError, unwrap } from '../../src/base/result.ts';
import { noticeOf } from '../../src/config/notice.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import type { AnyDomain } from '../../src/domains/domains.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { fitsQuestion } from '../../src/studies/splat/asking/ask-questions.ts';
import { assessSplat, randomLegalVerbs, type SplatSubject } from '../../src/studies/splat/assess-splat.ts';
import { askLegalVerbs } from '../../src/studies/splat/asking/legal-verbs.ts';
import type { QuestionLine } from '../../src/studies/splat/questions/question.ts';
import { asksQuestions, questionsFor } from '../../src/studies/splat/questions/questions.ts';
import type { SplatAssessment } from '../../src/studies/splat/splat-assessment.ts';
import { openSubject } from '../assessed-models.ts';
import { writeText } from '../folder-store.ts';
import { gamesFrom, report, shareBar, usageError, wantedDomain, wholeNumber, writeResult } from '../node-io.ts';
import { modelArgs } from '../open-model.ts';
import { questionLines } from '../question-lines.ts';
import { goalModeOf } from '../question-options.ts';
import { answerLines, splatScores } from '../splat-scores.ts';
import { splitSeedOf, trainingGames } from '../training-games.ts';

const NO_GAMES = Corpus.from([]);

export default defineCommand({
  meta: {
    name: 'evaluate',
    description: 'Ask a model the questions of a file, and which verbs are legal before each of them.',
  },
  args: {
    ...modelArgs,
    domain: { type: 'string', default: 'chess', description: 'the game, of a model that has read text alone' },
    questions: {
      type: 'string',
      required: true,
      description: "question lines of the model's game, as make-questions prints them; - for standard input",
    },
    games: {
      type: 'string',
      description: 'held-out GAMES: perplexity is measured on them, and legal verbs are asked within them instead',
    },
    n: { type: 'string', default: '1000', description: 'of --games: beginnings for legal verbs, games for perplexity' },
    goals: {
      type: 'string',
      description: "how goals are judged: released or corrected; the model's own where not said",
    },
    'trained-on': {
      type: 'string',
      description: 'with --out: the DATA of its fine-tuning, to measure how far each question is from those learned',
    },
    each: { type: 'string', description: 'also write every answer to this file, a line of JSON each' },
    out: { type: 'string', description: 'also keep all that was measured in this file, for report --from' },
  },
  async run({ args }) {
    const n = wholeNumber('--n', args.n, 1);
    const trainedOn = args['trained-on'];
    if (trainedOn !== undefined && args.out === undefined)
      throw usageError('--trained-on needs --out: distances are kept there, for the report.');
    const {
      engine,
      domain,
      subject: opened,
    } = await openSubject(args.model, basename(resolve(args.model)), args.engine, {
      asText: wantedDomain(args.domain).name,
    });
    const { notation, config } = opened;
    if (!asksQuestions({ domain: domain.name, notation: notation.name }))
      throw inputError(
        'not-splat',
        `${args.model}: questions are asked in "splat" or "text", and this model reads "${notation.name}".`,
      );
    const questions = unwrap(questionsFor(domain.name, config?.questions?.own ?? []));
    const all = await questionLines(args.questions, questions);
    const lines = all.filter((line) => fitsQuestion(questions, line, engine.model.context, notation.text));
    if (lines.length === 0) throw allTooLong(args.questions, all.length, engine);
    if (lines.length < all.length) report(tooLong(all.length - lines.length, all.length, engine));
    if (!config?.questions) report('This model has never been asked a question in training; its answers are guesses.');
    const { games, notice } = args.games === undefined ? { games: NO_GAMES } : await heldOut(args.games, domain);
    const train = trainedOn === undefined ? NO_GAMES : await learnedGames(trainedOn, args.model, config);
    const subject: SplatSubject = { domain, questions, ...opened };
    const bar = shareBar();
    const goals = goalModeOf('--goals', args.goals ?? config?.questions?.goals ?? 'released');
    const held = { train, dev: NO_GAMES, test: games };
    const distances = trainedOn !== undefined;
    const asked = { games: held, questions: n, perplexityGames: n, goals, distances, seed: 1, lines, notice };
    const measured = unwrap(await assessSplat(engine, subject, asked, bar));
    const assessment = args.games === undefined ? await withLegalVerbs(engine, subject, measured, lines) : measured;
    bar.end();
    // What --games wants said was told as they were read.
    if (assessment.notice !== undefined && assessment.notice !== notice) report(assessment.notice);
    if (args.each !== undefined) await writeText(args.each, answerLines(assessment));
    if (args.out !== undefined) await writeText(args.out, `${JSON.stringify(assessment)}\n`);
    writeResult(splatScores(assessment, questions));
  },
});

/** The held-out games, and what must be said wherever they are used. */
async function heldOut(path: string, domain: AnyDomain): Promise<{ games: Corpus; notice?: string }> {
  const notices = new Set<string | undefined>();
  const traces: Uint16Array[] = [];
  for await (const game of gamesFrom([path], domain)) {
    const record = unwrap(game);
    traces.push(record.events);
    notices.add(record.notice);
  }
  if (traces.length === 0) throw inputError('no-games', `There are no games in ${path}; check the file.`);
  return { games: Corpus.from(traces), ...noticeOf(...notices) };
}

/** The games whose questions a model has learned; any others would give distances to what it never met. */
async function learnedGames(path: string, model: string, config: RunConfig | null): Promise<Corpus> {
  if (!config?.questions)
    throw inputError(
      'not-fine-tuned',
      `${model} has learned no questions, so there are none to measure distances to; leave out --trained-on.`,
    );
  const { data, domain } = config;
  const games = await trainingGames(path, { limit: null, seed: splitSeedOf(config), domain });
  if (data.manifest === (await games.manifestFor(data.limit))) return games.train;
  throw inputError(
    'other-games',
    `${path}: these are not the games that ${model} was fine-tuned on, so distances to them would say nothing; give --trained-on the games of ${data.games}, as they were.`,
  );
}

/** Legal Verbs after the verbs of each question, as the authors' file of them has partial traces up to [sep]. */
async function withLegalVerbs(
  engine: Engine,
  { domain, notation, questions }: SplatSubject,
  assessment: SplatAssessment,
  lines: readonly QuestionLine[],
): Promise<SplatAssessment> {
  const prefixes = lines.map(({ prefix }) => prefix);
  const legalVerbs = unwrap(await askLegalVerbs(engine, domain, notation, prefixes));
  return {
    ...assessment,
    legalVerbs,
    prefixes: prefixes.map((prefix) => domain.traces.format(prefix)),
    random: { ...assessment.random, ...randomLegalVerbs(legalVerbs, questions.vocabulary.size) },
  };
}

function allTooLong(path: string, all: number, { model }: Engine): InputError {
  const which = all === 1 ? 'the question is' : `all ${all} questions are`;
  const message = `${path}: ${which} longer than the model's context of ${model.context} tokens; make some of shorter games, or take a model of a longer context.`;
  return inputError('too-long', message);
}

function tooLong(left: number, all: number, { model }: Engine): string {
  return `${left} of ${all} questions are longer than the model's context of ${model.context} tokens and left out.`;
}
