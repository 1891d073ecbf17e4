import { readFileSync, rmdirSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { InputError, inputError } from '../src/base/result.ts';
import { clearParts, orMissing } from './folder-store.ts';

const LOCK = '.blindfold.lock';

/**
 * Keeps a folder, which is made where there is none, to this process until it ends: two runs in one folder would replace
 * each other's checkpoints. Fails as InputError where another process has it; the lock of a dead one is taken over.
 */
export async function holdFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  const path = join(folder, LOCK);
  await acquire(folder, path);
  process.once('exit', () => {
    rmSync(path, { force: true });
    if (made !== undefined) removeEmpty(resolve(folder), resolve(made));
  });
  await clearParts(folder, isAlive);
}

async function acquire(folder: string, path: string): Promise<void> {
  while (!(await created(path))) {
    const holder = await orMissing(readFile(path, 'utf8'), null);
    // The lock has gone since.
    if (holder === null) continue;
    if (isHeld(holder) || !(await removed(path, holder))) throw inUse(folder, path, holder);
  }
}

async function created(path: string): Promise<boolean> {
  try {
    await writeFile(path, nameOfProcess(process.pid)!, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    await rm(path, { force: true });
    throw error;
  }
}

/** Removes a dead process's lock; false where another has taken it over in the meantime, whose lock then stays. */
async function removed(path: string, stale: string): Promise<boolean> {
  const aside = `${path}.${process.pid}`;
  if ((await orMissing(rename(path, aside), 'gone')) === 'gone') return true;
  if ((await readFile(aside, 'utf8')) !== stale) {
    await rename(aside, path);
    return false;
  }
  await rm(aside);
  return true;
}

/** Of another machine nothing is known, and an empty lock is being written. */
function isHeld(holder: string): boolean {
  const [pid, , host] = holder.split(' ');
  return host !== hostname() || holder === nameOfProcess(Number(pid));
}

/** A number is used again for other processes, so the time of its start goes with it where the system tells (Linux). */
function nameOfProcess(pid: number): string | null {
  if (!isAlive(pid)) return null;
  let started = '-';
  try {
    started = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ')[19];
  } catch {
    // Another system, or the process has just ended.
  }
  return `${pid} ${started} ${hostname()}`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(folder: string, path: string, holder: string): InputError {
  const [pid, , host] = holder.split(' ');
  const who = host === undefined ? '' : ` (process ${pid} on ${host})`;
  const message = `${folder} is in use by another run${who}; wait until it ends, or give another --out. If there is no such run any more, delete ${path}.`;
  return inputError('in-use', message);
}

/** What was made for a run that never wrote anything goes again. */
function removeEmpty(folder: string, outermost: string): void {
  try {
    for (let at = folder; at.length >= outermost.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // It holds something, and stays.
  }
}
