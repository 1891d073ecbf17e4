import { parameterCount } from '../../src/models/model.ts';
import { opfsStore } from '../../src/training/opfs-store.ts';
import { createWorkerEngine, workerDevice } from '../create-engine.ts';
import { gamesOverPort } from '../data/games-port.ts';
import type { GamesReader } from '../data/protocol.ts';
import { readShipped } from '../shipped-files.ts';
import { serve } from '../wire.ts';
import { analyseHandlers } from './handlers.ts';
import type { AnalyseService } from './protocol.ts';

/** Above this a prompt on one CPU core is no longer immediate, and the graphics card is worth sharing. */
const LARGE = 5e6;

const { read, connectGames } = gamesOverPort();

serve<AnalyseService & GamesReader>({
  ...analyseHandlers({
    games: read,
    clock: () => performance.now(),
    readShipped,
    checkpoints: opfsStore(),
    async createEngine(model, parameters) {
      // Small models answer on the CPU, so that prompts never wait for a training step on the graphics card.
      const gpu = parameterCount(model) > LARGE ? navigator.gpu : undefined;
      const device = await workerDevice(null, gpu);
      return createWorkerEngine(device, model, parameters, { threads: 1 });
    },
  }),
  connectGames,
});
