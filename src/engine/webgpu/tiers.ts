import { seededRandom } from '../../base/random.ts';
import { initialParameters, type ModelConfig } from '../../models/model.ts';
import type { OptimizerSettings } from '../engine.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { packBatch } from '../plan/pack.ts';
import type { Graphics } from './graphics.ts';
import type { Shapes } from './lower.ts';
import { readOnce } from './read-back.ts';
import { Training } from './training.ts';

export interface TierReport {
  tier: 'f32' | 'subgroups' | 'f16';
  /** Whether the engine uses it on this device. */
  admitted: boolean;
  reason: string;
  /** What the trial found, where there was one: largest relative differences from plain 32-bit kernels. */
  figures: { gradientError: number; lossError: number } | null;
}

const STEPS = 50;
const GRADIENT_LIMIT = 1e-4;
const LOSS_LIMIT = 1e-3;

/** Small, with everything that a tier changes: a norm before products of odd sizes, a head, attention. */
const model: ModelConfig = {
  ...{ kind: 'gpt2', layers: 1, width: 24, heads: 2, context: 24, dropout: 0, vocabulary: 31 },
  ...{ window: null, slots: null, start: 'zero-out' },
};
const optimizer: OptimizerSettings = {
  ...{ learningRate: 1e-2, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clipNorm: 1, muon: null },
};

/** Subgroups in which four threads share what they read: what the `shared` tiling is written for. */
const SHARING = 4;

const known = new WeakMap<GPUDevice, Promise<TierReport[]>>();

/** What this device was admitted to; found out once. @param plain shapes of plain 32-bit kernels */
export function tiersOf(graphics: Graphics, plain: Shapes): Promise<TierReport[]> {
  let tiers = known.get(graphics.device);
  if (!tiers) known.set(graphics.device, (tiers = findTiers(graphics, plain)));
  return tiers;
}

/** The shapes that use what was admitted. */
export function withTiers(shapes: Shapes, tiers: readonly TierReport[]): Shapes {
  const shared = tiers.some(({ tier, admitted }) => tier === 'subgroups' && admitted) && !shapes.tiling.staged;
  return shared ? { ...shapes, tiling: { ...shapes.tiling, shared } } : shapes;
}

async function findTiers(graphics: Graphics, plain: Shapes): Promise<TierReport[]> {
  const f32: TierReport = { tier: 'f32', admitted: true, reason: 'Every device has it.', figures: null };
  return [f32, await subgroupTier(graphics, plain), halfTier(graphics)];
}

function halfTier({ device }: Graphics): TierReport {
  const reason = device.features.has('shader-f16')
    ? 'The device has 16-bit floats; this engine has no kernels for them yet.'
    : 'The device offers no 16-bit floats (shader-f16).';
  return { tier: 'f16', admitted: false, reason, figures: null };
}

async function subgroupTier(graphics: Graphics, plain: Shapes): Promise<TierReport> {
  const report = (admitted: boolean, reason: string, figures: TierReport['figures'] = null): TierReport => ({
    ...{ tier: 'subgroups', admitted, reason, figures },
  });
  const { device, adapter } = graphics;
  if (!device.features.has('subgroups')) return report(false, 'The device offers no subgroups.');
  if (plain.tiling.staged || adapter.subgroupSize !== SHARING)
    return report(false, 'Its kernels share through workgroup memory; subgroups would add nothing yet.');
  const wanted = await trial(graphics, plain);
  const found = await trial(graphics, { ...plain, tiling: { ...plain.tiling, shared: true } });
  const figures = {
    gradientError: relative(found.gradients, wanted.gradients),
    lossError: relative(found.losses, wanted.losses),
  };
  const passed = figures.gradientError <= GRADIENT_LIMIT && figures.lossError <= LOSS_LIMIT;
  return report(
    passed,
    passed
      ? `Gradients and ${STEPS} steps are those of plain kernels.`
      : `Its gradients or its losses over ${STEPS} steps are not those of plain kernels.`,
    figures,
  );
}

/** Gradients of the first step and losses of all. */
async function trial(graphics: Graphics, shapes: Shapes): Promise<{ gradients: Float32Array; losses: Float32Array }> {
  const { memory, device } = graphics;
  const plan = buildPlan(model, true);
  const bytes = 4 * plan.parameterLength;
  const arenas = {
    weight: memory.storage('trial', bytes),
    gradient: memory.storage('trial', bytes),
    'first moment': memory.storage('trial', bytes),
    'second moment': memory.storage('trial', bytes),
  };
  const weights = new Float32Array(plan.parameterLength);
  const parameters = initialParameters(model, seededRandom('tiers'));
  for (const { name, offset } of plan.parameters) weights.set(parameters.get(name)!.data, offset);
  device.queue.writeBuffer(arenas.weight, 0, weights);
  const training = new Training({ graphics, model, plan, shapes, arenas, muon: false, sliceFlops: null, timed: false });
  const losses = new Float32Array(STEPS);
  let gradients = new Float32Array(0);
  try {
    await training.compile();
    for (let step = 1; step <= STEPS; step++) {
      const batch = packBatch(trialBatch(step % 4), null);
      const report = await training.submit({ batch, optimizer, step, seed: step });
      losses[step - 1] = (await report()).loss;
      if (step === 1) {
        const [read] = await readOnce(graphics, [{ buffer: arenas.gradient, offset: 0, bytes }]);
        gradients = new Float32Array(read);
      }
    }
  } finally {
    training.release();
    for (const buffer of Object.values(arenas)) memory.release(buffer);
  }
  return { gradients, losses };
}

function trialBatch(which: number) {
  const random = seededRandom('tiers', which);
  const [rows, columns] = [5, 23];
  return {
    tokens: Int32Array.from({ length: rows * columns }, () => 1 + random.below(30)),
    ...{ rows, columns, pad: 0 },
    lengths: Int32Array.from({ length: rows }, (_, row) => columns - 3 * row),
  };
}

/** Largest difference over largest magnitude; infinite where something is no number. */
function relative(found: Float32Array, wanted: Float32Array): number {
  let [most, error] = [0, 0];
  wanted.forEach((value, i) => {
    most = Math.max(most, Math.abs(value));
    const difference = Math.abs(found[i] - value);
    error = Math.max(error, Number.isNaN(difference) ? Infinity : difference);
  });
  return error / most;
}
