import { expect, it } from 'vitest';
import { wasmHost } from '../../../../cli/wasm-host.ts';
import type { Batch } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import type { Objective } from '../../../config/objectives.ts';
import { chess } from '../../../domains/chess/chess.ts';
import { replay } from '../../../domains/chess/replay.ts';
import { Batches } from '../../../data/batches.ts';
import { Corpus } from '../../../data/corpus.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import type { OptimizerSettings } from '../../engine.ts';
import { createEngine as createReference } from '../tfjs/create-engine.ts';
import { createWasmEngine } from './engine.ts';

const notation = unwrap(chess.notation('rap:40'));
const { vocabulary } = notation;
const model: ModelConfig = {
  ...{ kind: 'gpt2', layers: 1, width: 16, heads: 2, context: 48, dropout: 0 },
  ...{ vocabulary: vocabulary.size, window: null, slots: null, start: 'gpt2' },
} as const;
const optimizer: OptimizerSettings = {
  ...{ learningRate: 3e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clipNorm: 1 },
  muon: null,
};
const corpus = Corpus.from(
  ['e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f8e7', 'd2d4 d7d5 c2c4', 'a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 d7d6 b7a8q'].map(
    (line) => unwrap(replay(line)),
  ),
);
const batches = (objective: Objective) =>
  new Batches(corpus, notation, { games: 2, seed: 5, context: model.context, objective });
const parameters = () => initialParameters(model, seededRandom('weights'));

const device = { backend: 'wasm' as const, adapter: '', reason: '', available: [] };
const wasmEngine = (threads: number) =>
  createWasmEngine({ host: wasmHost(threads), model, parameters: parameters(), device });

/** Both engines after six steps that agreed. */
async function agreed(objective: Objective) {
  const engine = await wasmEngine(2);
  const reference = await createReference({ backend: 'cpu', model, parameters: parameters() });
  const games = batches(objective);
  for (let step = 0; step < 6; step++) {
    const found = await engine.step(games.batch(step), optimizer, step);
    const wanted = await reference.step(games.batch(step), optimizer, step);
    expect(Math.abs(found.loss / wanted.loss - 1)).toBeLessThan(1e-4);
    expect(Math.abs(found.gradientNorm / wanted.gradientNorm - 1)).toBeLessThan(1e-3);
  }
  return { engine, reference, games };
}

it('steps within what is legal are those of the reference', async () => {
  const { engine, reference } = await agreed('legal');
  reference.dispose();
  engine.dispose();
});

it('leaves less to what is illegal than steps towards the next token alone do', async () => {
  const illegal = async (objective: Objective): Promise<number> => {
    const engine = await wasmEngine(1);
    for (let step = 0; step < 400; step++) await engine.step(batches(objective).batch(step), optimizer, step);
    const batch = batches('legal').batch(0);
    const words = Math.ceil(vocabulary.size / 32);
    const shares: number[] = [];
    await engine.targetLogits(batch, (place, logits) => {
      const set = batch.valid!.subarray((place + 1) * words, (place + 2) * words);
      const chances = [...logits].map((logit) => Math.exp(logit - Math.max(...logits)));
      const forbidden = chances.filter((_, v) => ((set[v >> 5] >>> (v & 31)) & 1) === 0);
      const sumOf = (all: number[]) => all.reduce((sum, chance) => sum + chance, 0);
      shares.push(sumOf(forbidden) / sumOf(chances));
    });
    engine.dispose();
    return shares.reduce((sum, share) => sum + share) / shares.length;
  };
  expect(await illegal('legal')).toBeLessThan(0.6 * (await illegal('next')));
});

it('steps towards all valid tokens are those of the reference, and in time come near the least possible loss', async () => {
  const { engine, reference, games } = await agreed('valid');
  // A batch without sets after one with them is learned as before.
  const [plain, same] = await Promise.all(
    [engine, reference].map((one) => one.step(batches('next').batch(6), optimizer, 6)),
  );
  expect(Math.abs(plain.loss / same.loss - 1)).toBeLessThan(1e-4);
  reference.dispose();

  const batch = games.batch(0);
  let loss = Infinity;
  for (let step = 0; step < 600; step++) loss = (await engine.step(batch, optimizer, 0)).loss;
  const least = leastLoss(batch);
  expect(loss).toBeGreaterThan(least - 1e-5);
  expect(loss).toBeLessThan(least + 0.05);
  engine.dispose();
});

/** The mean of log |set| over the targets: what a model loses that gives every valid token the same chance. */
function leastLoss({ tokens, offsets, valid }: Batch): number {
  const words = Math.ceil(vocabulary.size / 32);
  const sizes: number[] = [];
  for (const at of tokens.keys()) {
    if (offsets.includes(at)) continue;
    const set = valid!.subarray(at * words, (at + 1) * words);
    sizes.push([...set].reduce((sum, word) => sum + (word >>> 0).toString(2).replaceAll('0', '').length, 0));
  }
  return sizes.reduce((sum, size) => sum + Math.log(size), 0) / sizes.length;
}
