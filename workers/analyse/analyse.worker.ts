import { parameterCount } from '../../src/models/model.ts';
import { createWorkerEngine, workerDevice } from '../create-engine.ts';
import { serve } from '../wire.ts';
import { analyseHandlers } from './handlers.ts';
import type { AnalyseService } from './protocol.ts';

/** Above this a prompt on one CPU core is no longer immediate, and the graphics card is worth sharing. */
const LARGE = 5e6;

serve<AnalyseService>(
  analyseHandlers({
    clock: () => performance.now(),
    async createEngine(model, parameters) {
      // Small models answer on the CPU, so that prompts never wait for a training step on the graphics card.
      const gpu = parameterCount(model) > LARGE ? navigator.gpu : undefined;
      const device = await workerDevice(null, gpu);
      return createWorkerEngine(device, model, parameters, { threads: 1 });
    },
  }),
);
