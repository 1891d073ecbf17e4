import { chooseDevice } from '../../src/engine/device.ts';
import { createEngine } from '../../src/engine/tfjs/create-engine.ts';
import { parameterCount } from '../../src/models/gpt.ts';
import { wasmPaths } from '../wasm-paths.ts';
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
      const device = await chooseDevice({ gpu, simd: true });
      return createEngine({ backend: device.backend, device, model, parameters, wasmPaths });
    },
  }),
);
