import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, failureOf, inputError, ok, type Result } from '../src/base/result.ts';
import { FOLDER_FILES, type Files } from '../src/interchange/huggingface.ts';
import { checkpointName } from '../src/training/checkpoint-store.ts';
import { writeTogether, type WriteBytes } from './folder-store.ts';

/** Fails as InputError where one of the files is there already; `who` would replace it. */
export function refuseToReplace(out: string, names: Iterable<string>, who: string): void {
  const there = [...names].filter((name) => existsSync(join(out, name)));
  if (there.length === 0) return;
  const message = `${out} already holds ${there.join(', ')}, which ${who} would replace; give another --out, or move ${there.length === 1 ? 'it' : 'them'} away.`;
  throw inputError('file-exists', message);
}

/**
 * The model of a step as files of a run's folder, all of them or none: where they do not fit on the disk, the model of
 * before stays, and the failure says where the last weights are.
 */
export async function writeModel(
  out: string,
  files: Files,
  steps: { step: number; /** Of the newest checkpoint; null where there is none. */ onDisk: number | null },
  write?: WriteBytes,
): Promise<Result<void>> {
  try {
    await writeTogether(out, files, write);
    return ok(undefined);
  } catch (error) {
    const full = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    const why = full ? 'the disk is full' : failureOf(error).message;
    const { step, onDisk } = steps;
    const model = await stepOfModel(out);
    const newer = model > (onDisk ?? -1) ? ` The model of step ${model} is still in ${out}.` : '';
    const left =
      onDisk === null
        ? 'No checkpoint of this run is on the disk. Make room and train again.'
        : `The newest checkpoint is that of step ${onDisk}, ${join(out, checkpointName(onDisk))}.${newer} Make room and go on with --resume.`;
    return fail('model-not-written', `The model of step ${step} was not written: ${why}. ${left}`);
  }
}

/**
 * Removes the model of an earlier step from a run's folder: from now on it would be taken for newer than the checkpoint.
 * One that is newer than the checkpoint stays; that was written where a full disk had no room for its own.
 */
export async function removeModelBefore(out: string, step: number): Promise<void> {
  if ((await stepOfModel(out)) >= step) return;
  for (const name of FOLDER_FILES) await rm(join(out, name), { force: true });
}

/** As blindfold.json says; -1 where there is no such model. */
async function stepOfModel(out: string): Promise<number> {
  try {
    const { record } = JSON.parse(await readFile(join(out, 'blindfold.json'), 'utf8')) as { record: { step: number } };
    return record.step;
  } catch {
    return -1;
  }
}
