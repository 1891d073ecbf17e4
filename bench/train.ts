import { arch, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/base/random.ts';
import { presetNamed, presets } from '../src/config/presets.ts';
import type { BackendName, Batch, Engine } from '../src/engine/engine.ts';
import { createEngine } from '../src/engine/tfjs/create-engine.ts';
import { initialParameters, parameterCount, trainingFlopsPerToken, type GptConfig } from '../src/models/gpt.ts';

/**
 * Training speed of a preset on each backend, sides interleaved step by step, as JSON Lines:
 *
 *   npx tsx bench/train.ts --preset nano --backends wasm,cpu [--steps 20] [--tokens 170]
 *
 * The batch is random tokens in rows of about the length of a game; what the tokens are does not change the work.
 */
const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'nano' },
    backends: { type: 'string', default: 'wasm' },
    steps: { type: 'string', default: '20' },
    tokens: { type: 'string', default: '170' },
  },
});
const preset = presetNamed(values.preset);
const backends = values.backends.split(',');
const steps = Number(values.steps);
const tokens = Number(values.tokens);
if (!preset) refuse(`--preset ${values.preset}: there are ${presets.map(({ name }) => name).join(', ')}.`);
if (!backends.every((name): name is BackendName => ['webgpu', 'wasm', 'cpu'].includes(name)))
  refuse(`--backends ${values.backends}: give webgpu, wasm or cpu.`);
if (!(steps >= 5) || !(tokens >= 8)) refuse('--steps is at least 5, --tokens at least 8.');

const { config } = preset;
const model: GptConfig = { ...config.model, vocabulary: 77 };
const batch = randomBatch(config.batch, Math.min(tokens, model.context));
const engines: { backend: BackendName; engine: Engine; ms: number[]; cpu: number; targets: number }[] = [];
for (const backend of backends) {
  const parameters = initialParameters(model, seededRandom('bench'));
  engines.push({ backend, engine: await createEngine({ backend, model, parameters }), ms: [], cpu: 0, targets: 0 });
}
const warmUp = 2;
for (let step = 0; step < warmUp + steps; step++)
  for (const side of engines) {
    const start = performance.now();
    const used = process.cpuUsage();
    const report = await side.engine.step(batch, { ...config.optimizer, learningRate: 1e-3 }, step);
    if (step >= warmUp) {
      side.ms.push(performance.now() - start);
      const { user, system } = process.cpuUsage(used);
      side.cpu += (user + system) / 1000;
    }
    side.targets = report.tokens;
  }
for (const { backend, engine, ms, cpu, targets } of engines) {
  const median = ms.sort((a, b) => a - b)[ms.length >> 1];
  console.log(
    JSON.stringify({
      suite: 'train',
      workload: preset.name,
      engine: `tfjs-${backend}`,
      threads: 1,
      device: `${cpus()[0]?.model ?? 'unknown'} (${arch()})`,
      parameters: parameterCount(model),
      rows: batch.rows,
      columns: batch.columns,
      msPerStep: Number(median.toFixed(2)),
      fastestMs: Number(ms[0].toFixed(2)),
      cpuMsPerStep: Number((cpu / ms.length).toFixed(2)),
      tokensPerSecond: Math.round((1000 * targets) / median),
      gflopPerSecond: Number(
        ((trainingFlopsPerToken(model, batch.columns) * batch.rows * batch.columns) / median / 1e6).toFixed(1),
      ),
      runs: ms.length,
    }),
  );
  engine.dispose();
}

/** Rows within five tokens of `length`. */
function randomBatch(rows: number, length: number): Batch {
  const random = seededRandom('bench rows');
  const lengths = Int32Array.from({ length: rows }, () => length - random.below(6));
  const columns = Math.min(model.context, Math.ceil(length / 16) * 16);
  const ids = new Int32Array(rows * columns);
  lengths.forEach((end, row) => {
    for (let t = 0; t < end; t++) ids[row * columns + t] = t === 0 ? 1 : 3 + random.below(74);
  });
  return { tokens: ids, rows, columns, lengths, pad: 0 };
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
