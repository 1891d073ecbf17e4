import type { ModelConfig } from '../../../models/model.ts';
import { padded } from '../../gpu-kit/launch.ts';
import type { InferenceDevice } from '../../inference.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { fuse } from '../../plan/fuse.ts';
import type { Graphics } from './graphics.ts';
import { Instance } from './instance.ts';
import { lower, type Shapes } from './lower.ts';
import { readOnce } from './read-back.ts';

/** Inference on a graphics device, with the weights in this buffer. */
export function webgpuInference(
  graphics: Graphics,
  model: ModelConfig,
  weights: GPUBuffer,
  shapes: Shapes,
): InferenceDevice {
  const { device, memory, pipelines } = graphics;
  const { forward, history, logits } = buildPlan(model, false);
  const persistent = [...history, logits];
  const launches = lower(fuse(forward, persistent), { shapes, context: model.context, loss: null, lossScale: null });
  const { vocabulary } = model;
  const wide = padded(vocabulary);
  let compiled: Promise<void> | null = null;
  return {
    tokensPerRun: 1024,
    compile: () => (compiled ??= pipelines.compile(launches)),
    layOut(capacity) {
      const instance = new Instance(device, memory, pipelines, {
        ...{ launches, capacity, persistent, arenas: { weight: weights }, tables: null },
      });
      return {
        capacity,
        async run(context) {
          const { firstRow, count } = context.batch;
          const { size } = instance.upload(context);
          const { buffer, offset, stride } = instance.place(logits);
          const part = { buffer, offset: offset + firstRow * stride, bytes: count * stride };
          const [bytes] = await readOnce(graphics, [part], (encoder) => {
            const pass = encoder.beginComputePass();
            instance.encode(pass, size);
            pass.end();
          });
          const all = new Float32Array(bytes);
          return Array.from({ length: count }, (_, row) => all.subarray(row * wide, row * wide + vocabulary));
        },
        release: () => instance.release(),
      };
    },
  };
}
