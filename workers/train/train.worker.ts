import { chooseDevice } from '../../src/engine/device.ts';
import { createEngine } from '../../src/engine/tfjs/create-engine.ts';
import { opfsStore } from '../../src/training/opfs-store.ts';
import { macrotask } from '../macrotask.ts';
import { wasmPaths } from '../wasm-paths.ts';
import { serve } from '../wire.ts';
import { trainHandlers } from './handlers.ts';
import type { TrainService } from './protocol.ts';
import { indexedRunList } from './run-list.ts';
import { webLocks } from './run-locks.ts';

serve<TrainService>(
  trainHandlers({
    device: (wanted) => chooseDevice({ gpu: navigator.gpu, simd: true, wanted: wanted ?? undefined }),
    createEngine: (device, model, parameters) =>
      createEngine({ backend: device.backend, device, model, parameters, wasmPaths }),
    checkpoints: opfsStore(),
    runs: indexedRunList(),
    locks: webLocks(navigator.locks),
    clock: () => Date.now(),
    newId: () => crypto.randomUUID(),
    pause: macrotask,
  }),
);
