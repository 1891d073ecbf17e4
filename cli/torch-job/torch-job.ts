import { readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../../src/base/result.ts';
import { exportLimits, refusing } from '../../src/config/export-limits.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { filtersOf } from '../../src/data/filters.ts';
import { Corpus, SPLITS } from '../../src/data/corpus.ts';
import { leaveSpelling } from '../../src/data/legal-sets.ts';
import { fullyNamed } from '../../src/data/piece-sets.ts';
import { MANIFEST, writeShards } from '../../src/data/shards.ts';
import type { Notation } from '../../src/domains/domain.ts';
import { domainNamed } from '../../src/domains/domains.ts';
import { huggingFaceConfig, type Files } from '../../src/interchange/huggingface.ts';
import { slotEmbedding } from '../../src/models/gpt.ts';
import { modernSlotEmbedding } from '../../src/models/modern.ts';
import { muonMatrices } from '../../src/models/model.ts';
import { checkpointName } from '../../src/training/checkpoint-store.ts';
import { encodeCheckpoint, type Checkpoint } from '../../src/training/checkpoint.ts';
import { unwrap } from '../../src/base/result.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { openShardFolder } from '../node-io.ts';
import type { ReadyRun } from '../ready-run.ts';
import { npy } from './npy.ts';

/** Where the shards lie in a job's folder. */
const GAMES = 'games';

/** Fails with `no-torch-job`, naming the setting, where the script cannot continue a run of this config. */
export function continuable(config: RunConfig): Result<void> {
  const limit = refusing(exportLimits(config, true), 'job');
  if (!limit) return ok(undefined);
  const { setting, why } = limit;
  const value = setting.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], config);
  const named = typeof value === 'object' ? setting : `${setting} ${JSON.stringify(value)}`;
  return fail(
    'no-torch-job',
    `${named} does not go with torch-job: ${why}. Train this run here, or change the setting and begin a new one.`,
  );
}

/**
 * The files of a folder with which PyTorch continues a run (train.py): the checkpoint, exact; the model's config.json; the
 * training games as rows of tokens; all the games as shards; job.json, what of the notation and the optimiser the script
 * needs besides.
 */
export async function torchJob(run: ReadyRun, checkpoint: Checkpoint, data: string): Promise<Files> {
  const { config, notation, games, model } = run;
  const files = await shardFiles(run, data);
  const slotName = config.model.kind === 'gpt2' ? slotEmbedding : modernSlotEmbedding;
  const job = {
    kind: config.model.kind,
    // All of them stand in tokens.npy; the script leaves out those that are not drawn.
    names: { tokens: isNamed(notation) ? notation.mutedInEvaluation : [], share: notation.nameShare },
    // The weight of the piece that moves as a second target behind its start square.
    piece: config.objective === 'next' && isNamed(notation) ? config.pieceWeight : 0,
    slots: model.slots ? { name: slotName.split('.').at(-2), ...model.slots } : null,
    // The objective "legal": the weight of the loss beside the token's, and how many words each set in legal.npy has.
    legal: config.objective === 'legal' ? { weight: config.legalWeight, words: wordsOf(notation) } : null,
    matrices: config.optimizer.kind === 'muon' ? muonMatrices(model) : [],
  };
  const json = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);
  files.set('job.json', new TextEncoder().encode(`${JSON.stringify(job)}\n`));
  files.set('run.json', json(config));
  files.set('config.json', json(huggingFaceConfig(config, checkpoint.parameters)));
  for (const [name, rows] of Object.entries(rowsOf(games.train, notation))) files.set(`${name}.npy`, npy(rows));
  if (job.legal) files.set('legal.npy', npy(legalSets(games.train, notation)));
  files.set(checkpointName(checkpoint.step), encodeCheckpoint({ ...checkpoint, config }));
  files.set('train.py', await readFile(new URL('./train.py', import.meta.url)));
  return files.set('README.md', new TextEncoder().encode(readme(config, games.notice)));
}

/** The training games as the script reads them: their tokens, and where each begins. */
function rowsOf(train: Corpus, notation: Notation): Record<'tokens' | 'starts', Uint16Array | Uint32Array> {
  if (notation.vocabulary.size > 65_536) throw new Error('a token does not fit 16 bits');
  const rows = Array.from(train, (trace) => fullyNamed(notation, trace));
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((row, game) => (starts[game + 1] = starts[game] + row.length));
  const tokens = new Uint16Array(starts[rows.length]);
  rows.forEach((row, game) => tokens.set(row, starts[game]));
  return { tokens, starts };
}

const wordsOf = ({ vocabulary }: Notation): number => Math.ceil(vocabulary.size / 32);

/**
 * The sets of the objective "legal" for every token of tokens.npy. At a name's place is the set of the move without it: the
 * script needs it where it leaves the name out, and forbids nothing where it does not.
 */
function legalSets(train: Corpus, notation: Notation): Uint32Array {
  const words = wordsOf(notation);
  const rows = Array.from(train, (trace) => {
    const tokens = fullyNamed(notation, trace);
    const sets = notation.valid(trace, tokens);
    if (!isNamed(notation)) {
      leaveSpelling(notation, tokens, sets);
      return sets;
    }
    const bare = notation.encode(trace, { random: null, closed: true });
    const bareSets = notation.valid(trace, bare);
    let at = 0;
    tokens.forEach((token, place) => {
      if (token !== bare[at]) sets.set(bareSets.subarray(at * words, (at + 1) * words), place * words);
      else at++;
    });
    leaveSpelling(notation, tokens, sets, true);
    return sets;
  });
  const all = new Uint32Array(rows.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const row of rows) {
    all.set(row, end);
    end += row.length;
  }
  return all;
}

/** Whether names of pieces stand before moves in training alone: before some, drawn by chance, or before all. */
const isNamed = ({ nameShare, mutedInEvaluation }: Notation): boolean => nameShare > 0 && mutedInEvaluation.length > 0;

/** The games as `prepare` writes them; a folder that it wrote, as it is. */
async function shardFiles({ config, games }: ReadyRun, data: string): Promise<Files> {
  const files: Files = new Map();
  const write = async (path: string, bytes: Uint8Array) => void files.set(`${GAMES}/${path}`, bytes);
  const folder = await openShardFolder(data);
  if (folder) {
    for (const { files } of Object.values(folder.manifest.splits))
      for (const { path } of files) await write(path, await folder.fetchBytes(path));
    await write(MANIFEST, await folder.fetchBytes(MANIFEST));
    return files;
  }
  const traces: Uint16Array[] = [];
  const splits: Record<string, Uint32Array> = {};
  for (const split of SPLITS)
    if (games[split].length > 0) splits[split] = Uint32Array.from(games[split], (trace) => traces.push(trace) - 1);
  await writeShards(
    { corpus: Corpus.from(traces), meta: traces.map(() => ({})), splits, notices: games.notice ? [games.notice] : [] },
    {
      ...{ name: games.name, source: `The games of a run on ${games.name}.`, licence: 'as the source files' },
      ...{ domain: unwrap(domainNamed(config.domain)), filters: filtersOf(config.domain), splitSeed: config.seed },
      ...{ createdBy: `${packageJson.name} ${packageJson.version}`, write },
    },
  );
  return files;
}

function readme({ model, objective }: RunConfig, notice: string | undefined): string {
  const dropout =
    'dropout' in model && model.dropout > 0
      ? `\nThe run has dropout of ${model.dropout}. PyTorch draws other masks than the lab, so losses agree on average rather than step by step.\n`
      : '';
  return `# A run of Blindfold, to go on with in PyTorch

    pip install torch transformers safetensors numpy
    torchrun --nproc-per-node 4 train.py

\`accelerate launch train.py\` and \`python train.py\` do the same. The script takes the newest checkpoint in this folder and trains to the end of its schedule with the batches, objective, optimiser and learning rates that the lab has; the number of processes changes nothing but rounding. It writes a checkpoint as often as the run's settings say, and goes on from it when it is started again. A line of JSON tells of each step.
${dropout}
Back in the lab, \`blindfold import . --out MODEL\` makes the newest checkpoint a model with its curve, \`blindfold train --resume\` goes on with the run, and the page opens the checkpoint.

- \`checkpoint-*.safetensors\`: weights, both moments of the optimiser (\`optimizer.m.*\`, \`optimizer.v.*\`), the losses (\`curve.losses\`) and the settings (\`__metadata__\`).
- \`run.json\`: the run's settings. \`config.json\`: the model as Transformers reads it. \`job.json\`: what the script needs of the notation and the optimiser.
- \`tokens.npy\`, \`starts.npy\`: the training games as the script reads them: tokens, and where each game begins.
${objective === 'legal' ? '- \`legal.npy\`: for each token, what the rules allow in its place.\n' : ''}- \`${GAMES}/\`: all games as Parquet shards with their manifest.
${notice === undefined ? '' : `\n## The games\n\n${notice}\n`}`;
}
