import { createEngine as createReference } from '../../src/engine/tfjs/create-engine.ts';
import { createWorkerEngine, workerDevice } from '../create-engine.ts';
import { macrotask } from '../macrotask.ts';
import { webLocks } from '../train/run-locks.ts';
import { trainingThreads } from '../wasm-host.ts';
import { wasmPaths } from '../wasm-paths.ts';
import { serve } from '../wire.ts';
import { raceHandlers } from './handlers.ts';
import type { RaceService } from './protocol.ts';

serve<RaceService>(
  raceHandlers({
    device: (wanted) => workerDevice(wanted, navigator.gpu),
    compiled: (device, model, parameters) => createWorkerEngine(device, model, parameters),
    stock: (device, model, parameters) =>
      createReference({ backend: device.backend, device, model, parameters, wasmPaths, stockKernels: true }),
    threads: trainingThreads(),
    training: async () => (await webLocks(navigator.locks).held()).size > 0,
    clock: () => performance.now(),
    pause: macrotask,
  }),
);
