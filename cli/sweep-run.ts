import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureOf, inputError, unwrap } from '../src/base/result.ts';
import { parseRunConfig, type RunConfig } from '../src/config/run-config.ts';
import type { AssessPlan, SweepRun } from '../src/config/sweep.ts';
import type { Assessment } from '../src/studies/testbed/assessment.ts';
import { makeMaterial } from '../src/studies/testbed/material.ts';
import { newestCheckpoint } from '../src/training/checkpoint-store.ts';
import { assessModel } from './assessed-models.ts';
import { folderStore, writeWhole } from './folder-store.ts';
import { report } from './node-io.ts';
import type { TrainingGames } from './training-games.ts';

const program = fileURLToPath(new URL('./blindfold.mjs', import.meta.url));
const CONFIG = 'sweep-config.json';
/** What `train` printed at its end; a run that a person stopped has none, though it left a model. */
const TRAINED = 'trained.json';
const ASSESSMENT = 'assessment.json';

/**
 * Trains a run of a sweep in its folder by `blindfold train` in a process of its own, since that command ends its
 * process: 'found' where it was finished before, 'stopped' where a person stopped it. Another run in the folder is a
 * failure, and so is a training that fails.
 */
export async function trainRun(
  { name, config }: SweepRun,
  from: { folder: string; data: string; engine: string | undefined },
): Promise<'trained' | 'found' | 'stopped'> {
  const { folder } = from;
  const newest = unwrap(await newestCheckpoint(folderStore, folder));
  if (newest && !(await holdsRun(folder, config)))
    throw inputError('other-run', `${folder} holds a run with other settings; name another --out, or move it away.`);
  if (newest && existsSync(join(folder, TRAINED))) return 'found';
  await mkdir(folder, { recursive: true });
  await writeWhole(folder, CONFIG, new TextEncoder().encode(`${JSON.stringify(config, null, 2)}\n`));
  const how = newest ? ['--resume'] : ['--config', join(folder, CONFIG)];
  const engine = from.engine === undefined ? [] : ['--engine', from.engine];
  report(newest ? `${name}: going on from step ${newest.checkpoint.step}.` : `${name}: training.`);
  const result = await trainProcess(['train', '--data', from.data, '--out', folder, ...engine, ...how]);
  if (stopping) return 'stopped';
  await writeWhole(folder, TRAINED, new TextEncoder().encode(result));
  return 'trained';
}

/** Whether the folder was begun for this very config. */
async function holdsRun(folder: string, config: RunConfig): Promise<boolean> {
  try {
    const held = parseRunConfig(JSON.parse(await readFile(join(folder, CONFIG), 'utf8')));
    return held.ok && JSON.stringify(held.value) === JSON.stringify(config);
  } catch {
    return false;
  }
}

/** Set by Ctrl-C, which the terminal sends to the training process, too: it stops at a checkpoint. */
let stopping = false;

/** What it printed. */
function trainProcess(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const stop = (): void => {
      stopping = true;
      child.kill('SIGINT');
    };
    process.on('SIGINT', stop);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', stop);
      // While it still reads the games it has nothing to save, and Ctrl-C ends it at once.
      if (signal === 'SIGINT') stopping = true;
      if (code === 0 || signal === 'SIGINT') resolve(output);
      else reject(inputError('training-failed', 'Training failed, for the reason above.'));
    });
  });
}

/**
 * Assesses a finished run, or reads what was found before where it answers the same questions. The same material and
 * measures as the page's measuring worker (workers/measure/handlers.ts) take, so that the numbers are equal.
 * @param games those of the prepared folder that the run was trained on, all of them, whatever its limit
 */
export async function assessRun(
  { name }: SweepRun,
  games: TrainingGames,
  asked: { plan: AssessPlan; games: string },
  from: { folder: string; engine: string | undefined },
): Promise<Assessment> {
  const newest = unwrap(await newestCheckpoint(folderStore, from.folder));
  if (!newest) throw inputError('no-checkpoint', `${from.folder} holds no checkpoint; run the sweep again.`);
  const { step, config } = newest.checkpoint;
  if (config.data.manifest !== games.manifest)
    throw inputError(
      'other-games',
      `${from.folder} was trained on other games than this sweep's, and may have learned from those it would be asked about; name another --out, or move it away.`,
    );
  const known = await assessedBefore(from.folder, { asked, step });
  if (known) return known;
  const material = unwrap(await makeMaterial(games, asked.plan));
  if (material.sets.every(({ instances }) => instances.length === 0))
    throw inputError(
      'no-held-out-games',
      'The games leave none to probe with; give more of them, or others by --assess-games.',
    );
  const assessment = await assessModel(from.folder, name, { engine: from.engine, material, games });
  const stored = JSON.stringify({ asked, step, assessment });
  await writeWhole(from.folder, ASSESSMENT, new TextEncoder().encode(`${stored}\n`));
  return assessment;
}

/** What was kept in the folder, where it is of these weights and these questions. */
async function assessedBefore(
  folder: string,
  wanted: { asked: { plan: AssessPlan; games: string }; step: number },
): Promise<Assessment | null> {
  const path = join(folder, ASSESSMENT);
  if (!existsSync(path)) return null;
  try {
    const { assessment, ...stored } = JSON.parse(await readFile(path, 'utf8')) as {
      asked: unknown;
      step: number;
      assessment: Assessment;
    };
    return JSON.stringify(stored) === JSON.stringify(wanted) ? assessment : null;
  } catch (error) {
    report(`${path} cannot be read (${failureOf(error).message}) and is made again.`);
    return null;
  }
}
