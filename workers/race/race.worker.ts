import { createWorkerEngine, workerDevice } from '../create-engine.ts';
import { macrotask } from '../macrotask.ts';
import { webLocks } from '../train/run-locks.ts';
import { trainingThreads } from '../training-threads.ts';
import { wasmPaths } from '../wasm-paths.ts';
import { serve } from '../wire.ts';
import { raceHandlers } from './handlers.ts';
import type { RaceService } from './protocol.ts';

serve<RaceService>(
  raceHandlers({
    device: (wanted) => workerDevice(wanted, navigator.gpu),
    compiled: (device, model, parameters) => createWorkerEngine(device, model, parameters),
    async stock(device, model, parameters) {
      const { createEngine } = await import('../../src/engine/runtimes/tfjs/create-engine.ts');
      return createEngine({ backend: device.backend, device, model, parameters, wasmPaths, stockKernels: true });
    },
    threads: trainingThreads(),
    training: async () => (await webLocks(navigator.locks).held()).size > 0,
    clock: () => performance.now(),
    pause: macrotask,
  }),
);
