import { describe, expect, it } from 'vitest';
import { ok, unwrap, type Result } from '../base/result.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Engine } from '../engine/engine.ts';
import { createEngine } from '../engine/tfjs/create-engine.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';
import { newestCheckpoint, saveCheckpoint } from './checkpoint-store.ts';
import { Curve } from './curve.ts';
import { Trainer, type StepEvent, type TrainerOptions } from './loop.ts';
import { MemoryStore } from './memory-store.ts';
import { sampleBatch, sampleConfig, sampleModel, sampleParameters } from '../../fixtures/sample-run.ts';

/** A trainer on an engine that answers at once, with what it called. */
function harness(overrides: Partial<TrainerOptions> = {}, losses: (step: number) => number = () => 2) {
  const called = { steps: [] as StepEvent[], evaluated: [] as number[], saved: [] as number[] };
  let now = 0;
  let steps = overrides.startStep ?? 0;
  const trainer: Trainer = new Trainer({
    engine: {
      step: async () => {
        now += 100;
        return { loss: losses(++steps), tokens: 50, gradientNorm: 1 };
      },
    },
    batches: { batch: sampleBatch },
    config: sampleConfig,
    curve: new Curve(),
    startStep: 0,
    tokensSeen: 0,
    clock: () => now,
    onStep: (event) => called.steps.push(event),
    onEvaluate: (step) => {
      called.evaluated.push(step);
    },
    saveCheckpoint: async () => {
      called.saved.push(trainer.step);
      return ok(undefined);
    },
    yieldToHost: async () => {},
    ...overrides,
  });
  return { trainer, called };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('the training loop', () => {
  it('steps, evaluates and checkpoints when the config says', async () => {
    const { trainer, called } = harness();
    expect(await trainer.run()).toEqual({ status: 'finished', failure: null });
    expect(called.evaluated).toEqual([0, 5, 10, 12]);
    expect(called.saved).toEqual([4, 8, 12]);
    expect(called.steps.map((event) => event.step)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(called.steps[4]).toMatchObject({ tokens: 50, tokensSeen: 250, tokensPerSecond: 500, secondsLeft: 0.7 });
  });

  it('pauses at a checkpoint, steps singly, goes on and stops', async () => {
    const states: string[] = [];
    const { trainer, called } = harness({ onStep: (event) => event.step === 2 && trainer.pause() });
    const run = trainer.run((state) => states.push(state));
    await turn();
    expect([trainer.state, trainer.step, called.saved]).toEqual(['paused', 2, [2]]);
    trainer.stepOnce();
    await turn();
    expect([trainer.state, trainer.step]).toEqual(['paused', 3]);
    trainer.resume();
    trainer.stop();
    expect((await run).status).toBe('stopped');
    expect(trainer.step).toBe(3);
    expect(called.saved).toEqual([2, 3]);
    expect(states).toEqual(['running', 'paused', 'stopped']);
  });

  it('yields to the host before every step', async () => {
    let yields = 0;
    const { trainer } = harness({ yieldToHost: async () => void yields++ });
    await trainer.run();
    expect(yields).toBe(12);
  });

  it('goes on when a checkpoint cannot be written, and tries again', async () => {
    const tried: number[] = [];
    const full: Result<never> = { ok: false, error: { code: 'storage-full', message: '' } };
    const { trainer } = harness({ saveCheckpoint: async () => (tried.push(trainer.step), full) });
    expect((await trainer.run()).status).toBe('finished');
    expect(tried).toEqual([4, 8, 12]);
  });

  it('ends in plain words when the loss is no longer finite, and saves nothing of it', async () => {
    const { trainer, called } = harness({}, (step) => (step === 7 ? NaN : 2));
    const end = await trainer.run();
    expect(end).toMatchObject({
      status: 'failed',
      failure: { code: 'diverged', message: expect.stringContaining('step 7') },
    });
    expect(end.failure!.message).toContain('checkpoint of step 4 is kept');
    expect(called.saved).toEqual([4]);
    expect(called.steps).toHaveLength(6);
  });
});

/** Trains from the store's newest checkpoint (or from the start) to `until`, then stops as a closed tab would: nothing is saved. */
async function train(
  backend: 'cpu' | 'wasm',
  store: MemoryStore,
  config: RunConfig,
  until: number,
): Promise<{ engine: Engine; curve: Curve }> {
  const found = unwrap(await newestCheckpoint(store, 'run'));
  const checkpoint = found?.checkpoint ?? null;
  const engine = await createEngine({
    backend,
    model: sampleModel,
    parameters: checkpoint?.parameters ?? sampleParameters(),
  });
  if (checkpoint) engine.setOptimizerState(checkpoint.optimizer);
  const curve = checkpoint?.curve ?? new Curve();
  const killed = new Error('the tab was closed');
  const trainer: Trainer = new Trainer({
    engine,
    batches: { batch: sampleBatch },
    config,
    curve,
    startStep: checkpoint?.step ?? 0,
    tokensSeen: checkpoint?.tokensSeen ?? 0,
    clock: () => 0,
    onStep: () => {},
    onEvaluate: () => {},
    saveCheckpoint: async () => {
      const { step, tokensSeen } = trainer;
      const parameters = await engine.parameters();
      const bytes = encodeCheckpoint({
        config,
        step,
        tokensSeen,
        curve,
        parameters,
        optimizer: await engine.optimizerState(),
      });
      return saveCheckpoint(store, 'run', step, bytes);
    },
    yieldToHost: async () => {
      if (trainer.step === until) throw killed;
    },
  });
  await trainer.run().catch((error: unknown) => {
    if (error !== killed) throw error;
  });
  return { engine, curve };
}

describe.each(['wasm', 'cpu'] as const)('a run on %s', (backend) => {
  it('killed at any step and taken up again equals one that never stopped, bit for bit', async () => {
    const whole = new MemoryStore();
    const straight = await train(backend, whole, sampleConfig, Infinity);
    const wanted = whole.files.get('run')!.get('checkpoint-000000012.safetensors')!;
    straight.engine.dispose();
    expect(unwrap(decodeCheckpoint(wanted)).curve.length).toBe(12);
    for (let until = 1; until < 12; until++) {
      const store = new MemoryStore();
      const first = await train(backend, store, sampleConfig, until);
      first.engine.dispose();
      const second = await train(backend, store, sampleConfig, Infinity);
      second.engine.dispose();
      expect(second.engine.memory().tensors).toBe(0);
      expect(
        Buffer.compare(
          Buffer.from(store.files.get('run')!.get('checkpoint-000000012.safetensors')!),
          Buffer.from(wanted),
        ),
      ).toBe(0);
    }
  });
});
