import type { ModelConfig } from '../../../models/model.ts';
import type { InferenceDevice } from '../../inference.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { Instance } from './instance.ts';
import type { WasmRuntime } from './wasm-runtime.ts';

/** Most tokens of a run. */
const TOKENS = 2048;
/** Most logits of a run, where it has more than one sequence: 64 MB. A vocabulary of English would take 412 MB. */
const LOGITS = 16e6;

/** Inference on the WASM kernels, with the weights at this address. Each run is over when the call returns. */
export function wasmInference(runtime: WasmRuntime, model: ModelConfig, weights: number): InferenceDevice {
  const { forward, history, logits } = buildPlan(model, false);
  const { context, vocabulary } = model;
  return {
    tokensPerRun: Math.min(TOKENS, Math.ceil(LOGITS / vocabulary)),
    layOut(capacity) {
      const instance = new Instance(runtime, {
        ...{ calls: forward, capacity, context, persistent: [...history, logits], arenas: { weight: weights } },
      });
      return {
        capacity,
        async run(call) {
          instance.run(call);
          const { firstRow, count } = call.batch;
          const all = instance.rows(logits, firstRow, count).slice();
          return Array.from({ length: count }, (_, row) => all.subarray(row * vocabulary, (row + 1) * vocabulary));
        },
        release: () => instance.release(),
      };
    },
  };
}
