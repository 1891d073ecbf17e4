import { mkdir, readFile } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { defineCommand } from 'citty';
import * as v from 'valibot';
import packageJson from '../../package.json' with { type: 'json' };
import { sha256 } from '../../src/base/bytes.ts';
import { inputError, unwrap, wordsOf } from '../../src/base/result.ts';
import { domainNamed, grammarOf, notationOf } from '../../src/domains/domains.ts';
import { halved, modelFolder, modelFromFiles, WEIGHTS } from '../../src/interchange/huggingface.ts';
import { readSafetensors } from '../../src/interchange/safetensors.ts';
import { recordReadme } from '../../src/interchange/records/record-readme.ts';
import {
  areOfSquares,
  parseTrainingRecord,
  TRAINING_RECORD,
  type TrainingRecord,
} from '../../src/interchange/records/training-record.ts';
import { parameterCount } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { evaluationsOf } from '../../src/studies/stored-evaluation.ts';
import { assessedModel } from '../../src/studies/testbed/assess.ts';
import { besidePublished } from '../../src/studies/testbed/published/published-for.ts';
import type { Checkpoint } from '../../src/training/checkpoint.ts';
import { maxLogitDifference } from '../compare-weights.ts';
import { misfitOf, runsUpTo, trainingCommands } from '../earlier-runs.ts';
import { writeWhole } from '../folder-store.ts';
import { usageError, wholeNumber, writeResult } from '../node-io.ts';
import { engineWith, modelArgs, newestIn } from '../open-model.ts';
import { eventScores, squareScores } from '../shipped-scores.ts';
import { splitSeedOf, trainingGames } from '../training-games.ts';

export default defineCommand({
  meta: {
    name: 'ship',
    description:
      'A finished run as the model that comes with the page: 16-bit weights, scored as they are, and a record.',
  },
  args: {
    model: { type: 'string', required: true, description: 'the folder of the run, with its newest checkpoint' },
    engine: modelArgs.engine,
    data: { type: 'string', required: true, description: 'what train --data was; its hash must be the run’s' },
    source: { type: 'string', required: true, description: 'where those games come from, in a sentence' },
    games: { type: 'string', required: true, description: 'GAMES for perplexity, none of them trained on' },
    'probe-games': { type: 'string', description: 'GAMES to make probing instances from, of a model of squares' },
    avoid: { type: 'string', description: 'GAMES whose prefixes may not be probed; --data where not said' },
    splits: {
      type: 'string',
      description:
        'a JSON file with further games to ask about, 5,000 long prefixes each: [{"words": "…", "games": "GAMES or random"}]',
    },
    training: { type: 'string', required: true, description: 'what train printed at its end, as a file' },
    seconds: { type: 'string', required: true, description: 'how long it trained' },
    threads: { type: 'string', required: true, description: 'CPU threads it trained on' },
    earlier: {
      type: 'string',
      description: 'the training-record.json of the model that it began with (train --from), where there was one',
    },
    remark: { type: 'string', description: 'what its config does not tell of how it trained, in a sentence' },
    unfinished: { type: 'boolean', default: false, description: 'also ship a run that stopped before its last step' },
    date: { type: 'string', required: true, description: 'today, YYYY-MM-DD' },
    out: { type: 'string', required: true, description: 'folder to write' },
  },
  async run({ args }) {
    if (!/^\d{4}-\d\d-\d\d$/.test(args.date)) throw usageError(`--date ${args.date}: give it as YYYY-MM-DD.`);
    const seconds = wholeNumber('--seconds', args.seconds, 1);
    const threads = wholeNumber('--threads', args.threads, 1);
    const { engine: trainedBy, device } = await trainingOutput(args.training);
    const checkpoint = await finishedRun(args.model, args.unfinished);
    const earlier = args.earlier === undefined ? [] : await runsUpTo(args.earlier);
    const total = (count: 'steps' | 'tokens' | 'seconds', own: number) =>
      earlier.reduce((sum, run) => sum + run[count], own);
    const runs = [...earlier, { config: checkpoint.config, steps: checkpoint.step }];
    const notation = unwrap(notationOf(checkpoint.config));
    const ofSquares = notation.tokensPer === 'square';
    const probes = args['probe-games'] ?? '';
    if (ofSquares && probes === '')
      throw usageError('--probe-games: give GAMES to make probing instances from; this model is asked for squares.');
    if (ofSquares && notation.nameShare === 0)
      throw inputError(
        'no-piece-names',
        `${args.model} was trained without piece names and cannot be asked where a piece stands.`,
      );
    const { train, manifest } = await trainingGames(args.data, {
      limit: checkpoint.config.data.limit,
      seed: splitSeedOf(checkpoint.config),
      domain: checkpoint.config.domain,
    });
    if (manifest !== checkpoint.config.data.manifest)
      throw inputError('other-games', `${args.data}: the run was not trained on these games.`);
    const misfit = misfitOf(runs.map(({ config }) => config));
    if (misfit !== null)
      throw inputError('other-model', `${args.earlier}: the run did not begin with this model, which ${misfit}.`);

    // Names alone: where files lie on the machine that trained says nothing to others.
    const data = {
      name: basename(args.data),
      hash: manifest,
      games: train.length,
      source: args.source.replace(/[^.!?]$/, '$&.'),
    };
    const config = { ...checkpoint.config, data: { ...checkpoint.config.data, games: data.name } };
    const known = {
      tokens: notation.vocabulary.tokens,
      step: checkpoint.step,
      evaluations: evaluationsOf(checkpoint.curve),
    };
    const files = unwrap(halved(modelFolder(config, checkpoint.parameters, known, notation)));
    const shipped = unwrap(modelFromFiles(files, grammarOf));
    const { size } = notation.vocabulary;
    const trained = modelOf(checkpoint.config, { size, slots: notation.slots });
    const before = await engineWith(args.engine, trained, checkpoint.parameters);
    // The rounded weights, as anybody reads them from the folder, are what is scored.
    const engine = await engineWith(args.engine, shipped.model, shipped.parameters);
    const difference = await maxLogitDifference(before, engine, notation);
    before.dispose();
    const weights = files.get(WEIGHTS)!;
    const shippedName = isAbsolute(args.out) ? basename(args.out) : args.out;
    const about = assessedModel(trained, {
      ...{ name: shippedName, notation: notation.name, config, steps: checkpoint.step },
      ...{ tokens: checkpoint.tokensSeen, trainGames: train.length },
    });
    const record: TrainingRecord = {
      version: 1,
      date: args.date,
      software: `${packageJson.name} ${packageJson.version}`,
      config,
      data,
      training: {
        steps: total('steps', checkpoint.step),
        tokens: total('tokens', checkpoint.tokensSeen),
        // Runs with one seed meet the same games first, so they are not added up.
        games: Math.min(train.length, Math.max(...runs.map(({ config, steps }) => steps * config.batch))),
        seconds: total('seconds', seconds),
        device,
        engine: trainedBy,
        threads,
        ...(args.remark === undefined ? {} : { remark: args.remark }),
        ...(earlier.length === 0 ? {} : { earlier }),
        computedBy: trainingCommands([...earlier.map((run) => run.config.data.games), data.name]),
      },
      weights: {
        file: WEIGHTS,
        format: 'F16',
        parameters: parameterCount(trained),
        stored: storedNumbers(weights),
        bytes: weights.length,
        sha256: await sha256(weights),
        maxLogitDifference: difference,
      },
      scores: ofSquares
        ? await squareScores(engine, notation, {
            ...{ model: shippedName, games: args.games, probes, avoid: args.avoid ?? args.data },
            splits: args.splits === undefined ? [] : await splitList(args.splits),
          })
        : await eventScores(
            engine,
            { domain: unwrap(domainNamed(config.domain)), notation, about },
            { model: shippedName, games: args.games },
          ),
    };
    const json = new TextEncoder().encode(`${JSON.stringify(record, null, 2)}\n`);
    unwrap(parseTrainingRecord(json));
    const { scores } = record;
    const beside = areOfSquares(scores) ? besidePublished(checkpoint.config, train.length, scores) : null;
    const usage = new TextDecoder().decode(files.get('README.md'));
    files.set(TRAINING_RECORD, json).set('README.md', new TextEncoder().encode(recordReadme(record, usage, beside)));
    await mkdir(args.out, { recursive: true });
    for (const [name, bytes] of files) await writeWhole(args.out, name, bytes);
    writeResult(record);
  },
});

/** Numbers in a file of weights, whatever they are for. */
function storedNumbers(weights: Uint8Array): number {
  const { tensors } = unwrap(readSafetensors(weights));
  return [...tensors.values()].reduce((sum, { data }) => sum + data.length, 0);
}

const SplitsSchema = v.array(v.object({ words: v.string(), games: v.string() }));
const TrainingOutputSchema = v.object({ engine: v.string(), device: v.string() });

const splitList = (path: string) =>
  jsonOf(path, SplitsSchema, (why) =>
    inputError(
      'bad-splits',
      `${path} is no list of games to ask about (${why}); write [{"words": "random play", "games": "random"}].`,
    ),
  );

const trainingOutput = (path: string) =>
  jsonOf(path, TrainingOutputSchema, (why) =>
    inputError('bad-training', `${path} is not what train prints at its end (${why}); give that line as a file.`),
  );

async function jsonOf<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
  refused: (why: string) => Error,
): Promise<v.InferOutput<Schema>> {
  try {
    return v.parse(schema, JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw refused(wordsOf(error));
  }
}

async function finishedRun(folder: string, unfinished: boolean): Promise<Checkpoint> {
  const newest = await newestIn(folder);
  if (newest === null)
    throw inputError('no-checkpoint', `${folder} holds no checkpoint; give the folder that train --out named.`);
  const { step, kept, config } = newest.checkpoint;
  // Patience may have ended a run before its last step; one that ended with its best epoch has stored which that was.
  if (!unfinished && kept === null && config.schedule.patience === null && step < config.schedule.steps) {
    const message = `${folder} holds a run that stopped at step ${step} of ${config.schedule.steps}; go on with train --resume, or give --unfinished to ship it as it is.`;
    throw inputError('unfinished-run', message);
  }
  return newest.checkpoint;
}
