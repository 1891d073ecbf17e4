import { fail, failureOf, type Result } from '../../src/base/result.ts';
import { connect, sink, type Remote } from '../wire.ts';
import type { DataProgress, GamesRead, GamesReader, GamesRequest, GamesService } from './protocol.ts';

export interface Reading {
  onProgress?: (progress: DataProgress) => void;
  /** Looked at whenever there is progress; where it is true, reading ends with the failure `cancelled`. */
  cancelled?: () => boolean;
}

/** Gives the games of a set: the data worker, over a port, or any function in tests and in Node. */
export type ReadGames = (request: GamesRequest, reading?: Reading) => Promise<Result<GamesRead>>;

/** The data worker's games at the other end of a port, which is replaced where that worker dies. */
export function gamesOverPort(): GamesReader & { read: ReadGames } {
  let service: Remote<GamesService> | null = null;
  let begun = 0;
  const ends = new Set<() => void>();
  return {
    async connectGames(port) {
      for (const end of ends) end();
      service = port && connect<GamesService>(port);
      port?.start();
    },

    read(request, { onProgress, cancelled } = {}) {
      const asked = service;
      if (asked === null) return Promise.resolve(gone());
      const id = ++begun;
      return new Promise((resolve) => {
        const end = (): void => resolve(gone());
        ends.add(end);
        const progress = sink((state: DataProgress) => {
          if (cancelled?.()) void asked.cancel(id);
          else onProgress?.(state);
        });
        void asked
          .read(id, request, progress)
          .then(resolve, (error: unknown) => resolve({ ok: false, error: failureOf(error) }))
          .finally(() => ends.delete(end));
      });
    },
  };
}

const gone = () =>
  fail('games-gone', 'Reading games stopped unexpectedly, and nothing that was stored is lost; try again.');
