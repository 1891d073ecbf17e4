import { opfsStore } from '../../src/training/opfs-store.ts';
import { createWorkerEngine, workerDevice } from '../create-engine.ts';
import { gamesOverPort } from '../data/games-port.ts';
import type { GamesReader } from '../data/protocol.ts';
import { macrotask } from '../macrotask.ts';
import { trainingThreads } from '../training-threads.ts';
import { serve } from '../wire.ts';
import { trainHandlers } from './handlers.ts';
import type { TrainService } from './protocol.ts';
import { indexedRunList } from './run-list.ts';
import { webLocks } from './run-locks.ts';

const { read, connectGames } = gamesOverPort();

serve<TrainService & GamesReader>({
  ...trainHandlers({
    games: read,
    device: (wanted) => workerDevice(wanted, navigator.gpu),
    createEngine: createWorkerEngine,
    threads: trainingThreads(),
    checkpoints: opfsStore(),
    runs: indexedRunList(),
    locks: webLocks(navigator.locks),
    clock: () => Date.now(),
    newId: () => crypto.randomUUID(),
    pause: macrotask,
  }),
  connectGames,
});
