import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Request } from '../run-side.ts';
import { NotHere } from '../side.ts';

/** A conversation with whatever runs a side. */
export interface Line {
  ask(request: Request): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Starts a program that speaks JSON lines. The last of what it wrote to stderr is told where it dies. */
export function openProcess(command: string, args: readonly string[], environment: Record<string, string>): Line {
  const child = spawn(command, args, { env: { ...process.env, ...environment }, stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (bytes: Buffer) => (complaints = (complaints + bytes.toString()).slice(-2000)));
  // A child that died while being written to; its end is told below.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new NotHere(`${command} is not installed`);
    throw error;
  });
  // Told to the first who asks; nobody may have asked yet.
  ended.catch(() => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const next = await lines.next();
      if (next.done) {
        await ended;
        throw new Error(`${command} ${args.join(' ')} ended: ${complaints.trim() || 'it said nothing'}`);
      }
      return understood(JSON.parse(next.value) as Record<string, unknown>);
    },
    async close() {
      child.kill();
      await ended.catch(() => {});
    },
  };
}

/** An answer, or the failure that it tells of, thrown. */
export function understood(answer: Record<string, unknown>): Record<string, unknown> {
  if (typeof answer.notHere === 'string') throw new NotHere(answer.notHere);
  if (typeof answer.error === 'string') throw new Error(answer.error);
  return answer;
}
