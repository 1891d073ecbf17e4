import { batchOf } from '../../src/base/batch.ts';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { notationOf } from '../../src/domains/domains.ts';
import type { BackendName } from '../../src/engine/engine.ts';
import { initialParameters, trainingFlopsPerToken } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { optimizerAt } from '../../src/training/schedule.ts';
import type { TrainHost } from './handlers.ts';

/** Steps that warm up: what is laid out and compiled at the first is not paid again. */
const WARM = 2;
const LEAST_STEPS = 3;
/** Milliseconds of steps after which their median is good to some percent. */
const ENOUGH = 800;

/**
 * Floating-point operations of the model a second that this device gets done in training, from steps of the config's
 * model on rows of `length` random tokens: the median step, since a page that opens has other work too. Takes about a
 * second.
 */
export async function trialSpeed(
  host: Pick<TrainHost, 'device' | 'createEngine' | 'clock' | 'pause'>,
  config: RunConfig,
  length: number,
  wanted: BackendName | null,
): Promise<number> {
  const { vocabulary, slots } = unwrap(notationOf(config));
  const model = modelOf(config, { size: vocabulary.size, slots });
  const random = seededRandom('trial');
  const row = (): number[] => Array.from({ length: length + 1 }, () => random.below(vocabulary.size));
  const batch = batchOf(Array.from({ length: config.batch }, row));
  const engine = await host.createEngine(
    await host.device(wanted),
    model,
    initialParameters(model, seededRandom('trial weights')),
    {
      precision: config.precision,
      training: { muon: config.optimizer.kind === 'muon', tokens: config.batch * (length + 1) },
      onProgress: () => {},
    },
  );
  try {
    const times: number[] = [];
    for (let step = 1, total = 0; step <= WARM + LEAST_STEPS || total < ENOUGH; step++) {
      const start = host.clock();
      await engine.step(batch, optimizerAt(config, step), step);
      if (step > WARM) {
        times.push(host.clock() - start);
        total += times.at(-1)!;
      }
      await host.pause();
    }
    const median = times.sort((a, b) => a - b)[times.length >> 1];
    return (1000 * config.batch * length * trainingFlopsPerToken(model, length)) / Math.max(median, 1e-3);
  } finally {
    engine.dispose();
  }
}
