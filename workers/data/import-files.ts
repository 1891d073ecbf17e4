import { fail, failureOf, type Failure, type Result } from '../../src/base/result.ts';
import { chunks, type ByteStream } from '../../src/base/streams.ts';
import type { GameRecord } from '../../src/data/game-record.ts';
import { readGames, type GameSource } from '../../src/data/sources.ts';
import type { AnyDomain } from '../../src/domains/domains.ts';

/** The games of several files, one after another. */
export async function* allGames(sources: readonly GameSource[], domain: AnyDomain): AsyncGenerator<Result<GameRecord>> {
  for (const source of sources) {
    try {
      yield* readGames(source, domain);
    } catch (error) {
      // One broken file must not lose the games of the others.
      yield { ok: false, error: failureOf(error) };
    }
  }
}

/** A stream whose bytes are counted as they pass. */
export function counting(stream: ByteStream, count: (bytes: number) => void): ByteStream {
  return (async function* () {
    for await (const chunk of chunks(stream)) {
      count(chunk.length);
      yield chunk;
    }
  })();
}

/** A failure in words where the browser's storage is full. */
export function storageFailure(error: unknown): { ok: false; error: Failure } {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return fail(
      'storage-full',
      'This browser has no room left for these games. Delete sets or runs that you no longer need, then import again.',
    );
  return { ok: false, error: failureOf(error) };
}
