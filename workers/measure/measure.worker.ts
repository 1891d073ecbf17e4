import { parameterCount } from '../../src/models/model.ts';
import { opfsStore } from '../../src/training/opfs-store.ts';
import { createWorkerEngine, workerDevice } from '../create-engine.ts';
import { gamesOverPort } from '../data/games-port.ts';
import type { GamesReader } from '../data/protocol.ts';
import { macrotask } from '../macrotask.ts';
import { indexedRunList } from '../train/run-list.ts';
import { webLocks } from '../train/run-locks.ts';
import { readShipped } from '../shipped-files.ts';
import { trainingThreads } from '../training-threads.ts';
import { serve } from '../wire.ts';
import { indexedAssessmentLists } from './assessment-list.ts';
import { measureHandlers } from './handlers.ts';
import type { MeasureService } from './protocol.ts';

/** Above this a graphics card is worth sharing with training. */
const LARGE = 5e6;

const locks = webLocks(navigator.locks);

const { read, connectGames } = gamesOverPort();

serve<MeasureService & GamesReader>({
  ...measureHandlers({
    games: read,
    async createEngine(model, parameters) {
      const gpu = parameterCount(model) > LARGE ? navigator.gpu : undefined;
      const device = await workerDevice(null, gpu);
      // Threads of two engines on the same cores would wait for each other at every barrier.
      const training = (await locks.held()).size > 0;
      return createWorkerEngine(device, model, parameters, { threads: training ? 1 : trainingThreads() });
    },
    checkpoints: opfsStore(),
    runs: indexedRunList(),
    assessments: indexedAssessmentLists(),
    clock: () => Date.now(),
    readShipped,
    newId: () => crypto.randomUUID(),
    pause: macrotask,
  }),
  connectGames,
});
