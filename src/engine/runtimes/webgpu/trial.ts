import { batchOf } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import type { ConfigOf } from '../../../models/kind.ts';
import { initialParameters, type CompiledKind, type ModelConfig } from '../../../models/model.ts';
import type { OptimizerSettings } from '../../engine.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { packBatch } from '../../plan/pack.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Graphics } from './graphics.ts';
import type { Shapes } from './lower.ts';
import { LOSS_SCALE } from './precision.ts';
import { readOnce } from './read-back.ts';
import { Training } from './training.ts';

export const STEPS = 50;
const [ROWS, COLUMNS, VOCABULARY] = [5, 23, 31];

const sizes = { context: 24, vocabulary: VOCABULARY, slots: null } as const;
const modern = { width: 32, heads: 2, mlp: 40, rotaryBase: 100, ...sizes } as const;

/** Small models, each with all that its kind has: norms before products of odd sizes, a head, attention, dropout. */
const models = {
  gpt2: { kind: 'gpt2', layers: 1, width: 24, heads: 3, dropout: 0.1, window: null, start: 'zero-out', ...sizes },
  qwen3: { kind: 'qwen3', layers: 1, window: null, shift: 2, ...modern },
  lfm2: { kind: 'lfm2', pattern: 'ca', taps: 3, ...modern },
  lstm: { kind: 'lstm', layers: 2, width: 24, dropout: 0.1, ...sizes },
} as const satisfies { [K in CompiledKind]: ConfigOf<K> };

const optimizer: OptimizerSettings = {
  ...{ learningRate: 3e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clipNorm: 1, muon: null },
};

/** What training a small model on a device gave. */
export interface Trial {
  /** Of the first step, by parameter. */
  gradients: Float32Array[];
  losses: Float32Array;
  /** Whether a step whose numbers leave their range was skipped and left the weights as they were. Mixed precision only. */
  skips: boolean;
}

export async function trial(graphics: Graphics, kind: CompiledKind, shapes: Shapes, mixed: boolean): Promise<Trial> {
  const { memory, device } = graphics;
  const model = models[kind];
  const plan = buildPlan(model, true);
  const bytes = 4 * plan.parameterLength;
  const arenas = {
    weight: memory.storage('trial', bytes),
    gradient: memory.storage('trial', bytes),
    'first moment': memory.storage('trial', bytes),
    'second moment': memory.storage('trial', bytes),
  };
  const read = async (buffer: GPUBuffer) =>
    new Float32Array((await readOnce(graphics, [{ buffer, offset: 0, bytes }]))[0]);
  const weights = startingWeights(plan, model);
  device.queue.writeBuffer(arenas.weight, 0, weights);
  const options = { graphics, model, plan, shapes, arenas, mixed };
  const training = new Training({ ...options, muon: false, sliceFlops: null, timed: false });
  const losses = new Float32Array(STEPS);
  let gradients: Float32Array[] = [];
  const take = async (step: number) => {
    const batch = packBatch(trialBatch(step % 4), model);
    const report = await training.submit({ batch, optimizer, step, seed: step });
    return { batch, report: await report() };
  };
  try {
    await training.compile();
    for (let step = 1; step <= STEPS; step++) {
      const { batch, report } = await take(step);
      losses[step - 1] = report.loss;
      if (step > 1) continue;
      const scale = mixed ? LOSS_SCALE * batch.targetCount : 1;
      const all = (await read(arenas.gradient)).map((value) => value / scale);
      gradients = plan.parameters.map(({ offset, length }) => all.slice(offset, offset + length));
    }
    return { gradients, losses, skips: mixed && (await skips()) };
  } finally {
    training.release();
    for (const buffer of Object.values(arenas)) memory.release(buffer);
  }

  async function skips(): Promise<boolean> {
    const loud = weights.map((value) => 1e6 * value);
    device.queue.writeBuffer(arenas.weight, 0, loud);
    const { report } = await take(STEPS + 1);
    const after = await read(arenas.weight);
    return report.skipped === true && after.every((value, i) => value === loud[i]);
  }
}

/** Stirred: what starts at zero would hide what lies behind it, all the way through the first step. */
function startingWeights(plan: Plan, model: ModelConfig): Float32Array<ArrayBuffer> {
  const weights = new Float32Array(plan.parameterLength);
  const parameters = initialParameters(model, seededRandom('trial'));
  for (const { name, offset } of plan.parameters) weights.set(parameters.get(name)!.data, offset);
  const random = seededRandom('trial, stirred');
  return weights.map((value) => value + 0.05 * random.normal());
}

function trialBatch(which: number) {
  const random = seededRandom('trial', which);
  const tokens = Array.from({ length: ROWS * COLUMNS }, () => 1 + random.below(VOCABULARY - 1));
  return batchOf(Array.from({ length: ROWS }, (_, row) => tokens.slice(COLUMNS * row, COLUMNS * (row + 1) - 3 * row)));
}
