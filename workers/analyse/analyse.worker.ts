import { chooseDevice } from '../../src/engine/device.ts';
import { createEngine } from '../../src/engine/tfjs/create-engine.ts';
import { initialParameters } from '../../src/models/gpt.ts';
import { seededRandom } from '../../src/base/random.ts';
import { wasmPaths } from '../wasm-paths.ts';
import { serve } from '../wire.ts';
import { analyseHandlers } from './handlers.ts';
import type { AnalyseService } from './protocol.ts';

/** Above this a prompt on one CPU core is no longer immediate, and the graphics card is worth sharing. */
const LARGE = 5e6;

serve<AnalyseService>(
  analyseHandlers({
    clock: () => performance.now(),
    async createEngine(model) {
      const parameters = initialParameters(model, seededRandom('placeholder'));
      const count = [...parameters.values()].reduce((sum, { data }) => sum + data.length, 0);
      // Small models answer on the CPU, so that prompts never wait for a training step on the graphics card.
      const device = await chooseDevice({ gpu: count > LARGE ? navigator.gpu : undefined, simd: true });
      return createEngine({ backend: device.backend, device, model, parameters, wasmPaths });
    },
  }),
);
