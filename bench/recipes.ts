/**
 * What learns fastest: recipes trained one after the other on the same batches for the same number of steps, scored on
 * the same held-out games and instances. One JSON line a recipe.
 *
 *   npm run bench:recipes -- --data GAMES [--steps 900] [--recipes "name;name"] [--threads 2]
 */
import { parseArgs } from 'node:util';
import { trainingGames } from '../cli/training-games.ts';
import { wasmHost } from '../cli/wasm-host.ts';
import { seededRandom } from '../src/base/random.ts';
import { unwrap } from '../src/base/result.ts';
import { presetNamed } from '../src/config/presets.ts';
import { parseRunConfig, type RunConfig } from '../src/config/run-config.ts';
import { Batches } from '../src/data/batches.ts';
import { chess } from '../src/domains/chess/chess.ts';
import { createEngine } from '../src/engine/create-engine.ts';
import { initialParameters, parameterCount, trainingFlopsPerToken } from '../src/models/model.ts';
import { modelOf } from '../src/models/of-config.ts';
import { evaluateRun, makeRunWatch } from '../src/studies/evaluate-run.ts';
import { optimizerAt } from '../src/training/schedule.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    steps: { type: 'string', default: '900' },
    recipes: { type: 'string' },
    threads: { type: 'string', default: '1' },
    instances: { type: 'string', default: '300' },
  },
});
if (values.data === undefined) {
  console.error('Give --data GAMES (any of the formats of `prepare`).');
  process.exit(2);
}
const steps = Number(values.steps);

const tiny = presetNamed('tiny')!.config;
const gpt2 = presetNamed('gpt2-slots')!.config.model as RunConfig['model'] & { kind: 'gpt2' };
const qwen3 = presetNamed('qwen3-tiny')!.config.model as RunConfig['model'] & { kind: 'qwen3' };
const muon = tiny.optimizer;
const adamw = (learningRate: number): RunConfig['optimizer'] => ({
  kind: 'adamw',
  learningRate,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0.01,
  clipNorm: 1,
});
type Recipe = { model: RunConfig['model']; optimizer: RunConfig['optimizer'] };
const recipes: Record<string, Recipe> = {
  'AdamW 2e-3': { model: { ...gpt2, slots: false, start: 'gpt2' }, optimizer: adamw(2e-3) },
  'AdamW 2e-3, slots': { model: { ...gpt2, start: 'gpt2' }, optimizer: adamw(2e-3) },
  Muon: { model: { ...gpt2, slots: false, start: 'gpt2' }, optimizer: muon },
  'Muon, slots': { model: { ...gpt2, start: 'gpt2' }, optimizer: muon },
  'Muon, slots, zero-out': { model: gpt2, optimizer: muon },
  'Muon, slots, Qwen3': { model: qwen3, optimizer: muon },
  'Muon, slots, Qwen3, shift': { model: { ...qwen3, shift: 3 }, optimizer: muon },
  'Muon, slots, LFM2': { model: tiny.model, optimizer: muon },
  'Muon, slots, LFM2, deep': { model: presetNamed('deep')!.config.model, optimizer: muon },
  'AdamW 3e-3, LSTM, slots': { model: presetNamed('lstm')!.config.model, optimizer: adamw(3e-3) },
};

const chosen = values.recipes?.split(';').map((name) => name.trim()) ?? Object.keys(recipes);
const notation = unwrap(chess.notation('rap:15'));
const games = await trainingGames(values.data, { limit: null, seed: 1 });
const evaluation = { every: 1, games: 100, instances: Number(values.instances) };
const watched = { ...tiny, notation: 'rap:15', model: { ...tiny.model, context: 352 }, evaluation };
const watch = unwrap(await makeRunWatch(watched, notation, games));
for (const name of chosen) {
  const recipe = recipes[name];
  if (!recipe) {
    console.error(`No recipe named ${name}; there are: ${Object.keys(recipes).join('; ')}.`);
    process.exit(2);
  }
  const config = unwrap(
    parseRunConfig({ ...tiny, ...recipe, schedule: { steps, warmup: Math.min(0.5, 50 / steps), floor: 0.01 } }),
  );
  const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
  const engine = await createEngine({
    backend: 'wasm',
    model,
    parameters: initialParameters(model, seededRandom('weights', 1)),
    wasm: wasmHost(Number(values.threads)),
  });
  const batches = new Batches(games.train, notation, { games: config.batch, seed: 1, context: model.context });
  const losses: number[] = [];
  let tokens = 0;
  const start = performance.now();
  for (let step = 0; step < steps; step++) {
    const report = await engine.step(batches.batch(step), optimizerAt(config, step), step);
    tokens += report.tokens;
    losses.push(report.loss);
    if ((step + 1) % 100 === 0) console.error(`${name}: step ${step + 1}, loss ${mean(losses.slice(-100)).toFixed(3)}`);
  }
  const seconds = (performance.now() - start) / 1000;
  const { devPerplexity, scores } = unwrap(await evaluateRun(engine, watch, { step: steps }));
  const legal = (task: 'end' | 'start') =>
    ['short', 'long'].map((range) => scores.testbed[`${task}-legal-${range}`].mean);
  engine.dispose();
  console.log(
    JSON.stringify({
      recipe: name,
      parameters: parameterCount(model),
      tokens,
      seconds: Math.round(seconds),
      tflop: Number(((tokens * trainingFlopsPerToken(model, 170)) / 1e12).toFixed(1)),
      devPerplexity: Number(devPerplexity.toFixed(1)),
      endLegal: legal('end'),
      startLegal: legal('start'),
      losses: Array.from({ length: Math.floor(steps / 100) }, (_, i) =>
        Number(mean(losses.slice(100 * i, 100 * (i + 1))).toFixed(3)),
      ),
    }),
  );
}
process.exit();

function mean(list: number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / list.length;
}
