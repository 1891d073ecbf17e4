import type { FetchBytes } from '../../src/data/shards.ts';
import type { GameFolders } from './game-folders.ts';

/** What the host gives: the embedded shards, folders for imported ones, and the network. */
export interface DataHost {
  embedded: FetchBytes;
  folders: GameFolders;
  fetch(url: string, init?: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response>;
  /** Lets the thread answer waiting messages, so that an import can be cancelled. */
  pause(): Promise<void>;
  /** Milliseconds. */
  clock(): number;
}
