import { describe, expect, it } from 'vitest';
import { fail, ok, unwrap, type Result } from '../base/result.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Engine } from '../engine/engine.ts';
import { createEngine } from '../engine/runtimes/tfjs/create-engine.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';
import { checkpointOf, newestCheckpoint, saveCheckpoint } from './checkpoint-store.ts';
import { Curve } from './curve.ts';
import { Trainer, type StepEvent, type TrainerOptions } from './loop.ts';
import { MemoryStore } from './memory-store.ts';
import {
  otherSampleConfigs,
  sampleBatch,
  sampleConfig,
  sampleModelOf,
  sampleParameters,
} from '../../fixtures/sample-run.ts';

/** A trainer on an engine that answers at once, with what it called. */
function harness(overrides: Partial<TrainerOptions> = {}, losses: (step: number) => number = () => 2) {
  const called = { steps: [] as StepEvent[], evaluated: [] as number[], saved: [] as number[] };
  let now = 0;
  let steps = overrides.startStep ?? 0;
  const trainer: Trainer = new Trainer({
    engine: {
      runAhead: 0,
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
    expect(await trainer.run()).toEqual({ status: 'finished', failure: null, why: null });
    expect(called.evaluated).toEqual([0, 5, 10, 12]);
    expect(called.saved).toEqual([4, 8, 12]);
    expect(called.steps.map((event) => event.step)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    // The first token of a row is read and never learned; what a batch leaves out of `learn` is counted all the same.
    const read = [0, 1, 2, 3, 4].map((step) => {
      const { tokens, offsets } = sampleBatch(step);
      return tokens.length - (offsets.length - 1);
    });
    const tokensSeen = read.reduce((sum, tokens) => sum + tokens);
    const counts = { tokens: read[4], tokensSeen, tokensPerSecond: 2 * tokensSeen };
    expect(called.steps[4]).toMatchObject({ ...counts, secondsLeft: 0.7 });
  });

  it('writes a new run’s first checkpoint seconds after its start, once, and with no step under way', async () => {
    const rare = { ...sampleConfig, checkpointEvery: 1000, evaluation: { ...sampleConfig.evaluation, every: 1000 } };
    const slow = (overrides: Partial<TrainerOptions> = {}) => {
      let now = 0;
      let begun = 0;
      const made = harness({
        config: rare,
        clock: () => now,
        engine: {
          runAhead: 2,
          step: async () => {
            now += 500;
            begun++;
            return { loss: 2, tokens: 50, gradientNorm: 1 };
          },
        },
        ...overrides,
      });
      return { ...made, begun: () => begun };
    };
    const { trainer, called, begun } = slow({
      saveCheckpoint: async () => {
        called.saved.push(trainer.step);
        expect(begun()).toBe(trainer.step);
        return called.saved.length === 1 ? fail('storage-full', 'no room') : ok(undefined);
      },
    });
    await trainer.run();
    expect(called.saved).toEqual([4, 12]);
    // A run that goes on has one already.
    const resumed = slow({ startStep: 3 });
    await resumed.trainer.run();
    expect(resumed.called.saved).toEqual([12]);
  });

  it('pauses at a checkpoint, steps singly, goes on and stops', async () => {
    const states: string[] = [];
    const rests: number[] = [];
    const { trainer, called } = harness({
      onStep: (event) => event.step === 2 && trainer.pause(),
      onRest: async () => void rests.push(trainer.step),
    });
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
    expect(rests).toEqual([2, 3]);
  });

  it('lets the weight of the piece that moves fall at the end, and leaves that of what is legal alone', async () => {
    const weightsOf = async (change: Partial<RunConfig>): Promise<(number | undefined)[]> => {
      const weights: (number | undefined)[] = [];
      const { trainer } = harness({
        config: { ...sampleConfig, notation: 'rap:40', pieceWeight: 0.5, ...change },
        batches: { batch: (step) => ({ ...sampleBatch(step), validWeight: 0.5 }) },
        engine: {
          runAhead: 0,
          step: async ({ validWeight }) => {
            weights.push(validWeight);
            return { loss: 2, tokens: 50, gradientNorm: 1 };
          },
        },
      });
      await trainer.run();
      return weights;
    };
    const [last, ...earlier] = (await weightsOf({ objective: 'next' })).reverse();
    expect(new Set(earlier)).toEqual(new Set([0.5]));
    expect(last).toBeCloseTo(0.5 / 1.2, 12);
    expect(new Set(await weightsOf({ objective: 'legal' }))).toEqual(new Set([0.5]));
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

  it('passes over steps that mixed precision skipped, but not over many in a row', async () => {
    const skipping = (skips: (step: number) => boolean, loss = 2) => {
      let steps = 0;
      const step = async () => {
        const skipped = skips(++steps);
        return { loss: skipped ? loss : 2, tokens: 50, gradientNorm: skipped ? Infinity : 1, skipped };
      };
      return harness({ engine: { runAhead: 0, step } });
    };
    const some = skipping((step) => step % 6 !== 0);
    expect((await some.trainer.run()).status).toBe('finished');
    expect(some.called.steps).toHaveLength(12);
    const many = skipping((step) => step > 2);
    const { failure } = await many.trainer.run();
    expect(failure!.message).toMatch(/gradient was no longer a finite number at step 8.*full precision/);
    const lost = skipping((step) => step === 7, NaN);
    expect((await lost.trainer.run()).failure!.message).toMatch(/loss was no longer a finite number at step 7.*65,504/);
  });
});

/** A device that runs steps one after another, each reported only when the test says so; with what was asked of it. */
function slowDevice(runAhead: number, losses: (step: number) => number = (step) => step) {
  const reports: (() => void)[] = [];
  let begun = 0;
  let most = 0;
  const log: string[] = [];
  const engine: TrainerOptions['engine'] = {
    runAhead,
    step: (_, optimizer) => {
      const step = ++begun;
      log.push(`begin ${step} at ${optimizer.learningRate.toPrecision(3)}`);
      return new Promise((resolve) => {
        reports.push(() => {
          log.push(`report ${step}`);
          resolve({ loss: losses(step), tokens: 50, gradientNorm: 1 });
        });
        most = Math.max(most, reports.length);
      });
    },
  };
  /** Reports the oldest steps under way until the run has nothing more to wait for. */
  const drive = async () => {
    for (let idle = 0; idle < 3; idle++) {
      await turn();
      if (reports.length === 0) continue;
      reports.shift()!();
      idle = -1;
    }
  };
  return { engine, log, drive, most: () => most };
}

describe('running ahead', () => {
  it.each([0, 1, 3])('by %i: reports come in order, and everything else happens with no step under way', async (k) => {
    const device = slowDevice(k);
    const atRest = harness();
    await atRest.trainer.run();
    const note = (what: string) => (step: number) => void device.log.push(`${what} ${step}`);
    const { trainer, called } = harness({
      engine: device.engine,
      onEvaluate: note('evaluate'),
      saveCheckpoint: async () => (note('save')(trainer.step), ok(undefined)),
    });
    const run = trainer.run();
    await device.drive();
    expect(await run).toEqual({ status: 'finished', failure: null, why: null });
    expect(device.most()).toBe(k + 1);
    expect(called.steps.map(({ step, loss }) => [step, loss])).toEqual(
      Array.from({ length: 12 }, (_, i) => [i + 1, i + 1]),
    );
    // The same rates for the same steps as without running ahead.
    expect(called.steps.map((event) => event.learningRate)).toEqual(
      atRest.called.steps.map((event) => event.learningRate),
    );
    let underWay = 0;
    for (const line of device.log) {
      if (line.startsWith('begin')) underWay++;
      else if (line.startsWith('report')) underWay--;
      else expect([line, underWay]).toEqual([line, 0]);
    }
    expect(device.log.filter((line) => /evaluate|save/.test(line))).toEqual([
      'evaluate 0',
      'save 4',
      'evaluate 5',
      'save 8',
      'evaluate 10',
      'evaluate 12',
      'save 12',
    ]);
  });

  it('drains before it pauses and stops, and steps singly', async () => {
    const device = slowDevice(2);
    const { trainer, called } = harness({
      engine: device.engine,
      onStep: (event) => event.step === 1 && trainer.pause(),
    });
    const run = trainer.run();
    await device.drive();
    expect([trainer.state, trainer.step, trainer.begun, called.saved]).toEqual(['paused', 3, 3, [3]]);
    trainer.stepOnce();
    await device.drive();
    expect([trainer.state, trainer.step, trainer.begun]).toEqual(['paused', 4, 4]);
    trainer.resume();
    await turn();
    trainer.stop();
    await device.drive();
    expect((await run).status).toBe('stopped');
    expect(called.saved.at(-1)).toBe(trainer.step);
    expect(device.log.filter((line) => line.startsWith('begin'))).toHaveLength(trainer.step);
  });

  it('names the step that diverged, and waits for those begun after it', async () => {
    const device = slowDevice(3, (step) => (step === 7 ? NaN : 2));
    const { trainer, called } = harness({ engine: device.engine });
    const run = trainer.run();
    let ended = false;
    void run.then(() => (ended = true));
    await device.drive();
    expect(ended).toBe(true);
    const { failure } = await run;
    expect(failure!.message).toContain('step 7');
    expect(failure!.message).toContain('checkpoint of step 4 is kept');
    expect(called.steps).toHaveLength(6);
    expect(device.log.at(-1)).toBe('report 8');
  });

  it('passes on what a step throws, once those after it are over', async () => {
    const broken = new Error('device lost');
    let begun = 0;
    let over = 0;
    const { trainer } = harness({
      engine: {
        runAhead: 2,
        step: async () => {
          const step = ++begun;
          if (step === 2) throw broken;
          await turn();
          over++;
          return { loss: 1, tokens: 1, gradientNorm: 1 };
        },
      },
    });
    await expect(trainer.run()).rejects.toBe(broken);
    expect(over).toBe(begun - 1);
  });
});

/** Trains from the store's newest checkpoint (or from the start) to `until`, then stops as a closed tab would: nothing is saved. */
async function train(
  backend: 'cpu' | 'wasm',
  store: MemoryStore,
  config: RunConfig,
  until: number,
  validation: (epoch: number) => number = () => 1,
): Promise<{ engine: Engine; curve: Curve; why: string | null }> {
  const found = unwrap(await newestCheckpoint(store, 'run'));
  const checkpoint = found?.checkpoint ?? null;
  const engine = await createEngine({
    backend,
    model: sampleModelOf(config),
    parameters: checkpoint?.parameters ?? sampleParameters(config),
  });
  if (checkpoint) engine.setOptimizerState(checkpoint.optimizer);
  const curve = checkpoint?.curve ?? new Curve();
  const killed = new Error('the tab was closed');
  const trainer: Trainer = new Trainer({
    engine,
    batches: { batch: sampleBatch, stepsPerEpoch: SAMPLE_EPOCH },
    config,
    curve,
    startStep: checkpoint?.step ?? 0,
    tokensSeen: checkpoint?.tokensSeen ?? 0,
    kept: checkpoint?.kept ?? null,
    clock: () => 0,
    onStep: () => {},
    onEvaluate: (step) => curve.addEvaluation({ step, devPerplexity: validation(step / SAMPLE_EPOCH) }),
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
        kept: trainer.kept,
      });
      return saveCheckpoint(store, 'run', step, bytes, trainer.best);
    },
    restore: async (step) => {
      const { parameters, optimizer } = unwrap(await checkpointOf(store, 'run', step));
      engine.setParameters(parameters);
      engine.setOptimizerState(optimizer);
      return ok(undefined);
    },
    yieldToHost: async () => {
      if (trainer.step === until) throw killed;
    },
  });
  const end = await trainer.run().catch((error: unknown) => {
    if (error !== killed) throw error;
  });
  return { engine, curve, why: end?.why ?? null };
}

/** Steps of an epoch of the sample runs. */
const SAMPLE_EPOCH = 3;

const runs = [
  { name: 'GPT-2', config: sampleConfig, backend: 'wasm' as const, kills: Array.from({ length: 11 }, (_, i) => i + 1) },
  // Before the first checkpoint, at it, and some steps after the second.
  ...[{ name: 'GPT-2', config: sampleConfig, backend: 'cpu' as const }, ...otherSampleConfigs].map((run) => ({
    ...{ backend: 'wasm' as const, kills: [3, 4, 11] },
    ...run,
  })),
];

describe.each(runs)('a run of $name on $backend', ({ config, backend, kills }) => {
  it('killed at any step and taken up again equals one that never stopped, bit for bit', async () => {
    const bytesOf = (store: MemoryStore) =>
      Buffer.from(store.files.get('run')!.get('checkpoint-000000012.safetensors')!);
    const whole = new MemoryStore();
    const straight = await train(backend, whole, config, Infinity);
    straight.engine.dispose();
    expect(unwrap(decodeCheckpoint(bytesOf(whole))).curve.length).toBe(12);
    for (const until of kills) {
      const store = new MemoryStore();
      const first = await train(backend, store, config, until);
      first.engine.dispose();
      const second = await train(backend, store, config, Infinity);
      second.engine.dispose();
      expect(second.engine.memory().tensors).toBe(0);
      expect(Buffer.compare(bytesOf(store), bytesOf(whole))).toBe(0);
    }
  });
});

describe('a run that ends at the first epoch that does not improve', () => {
  // Of four epochs the second is the best, and the third ends the run. Scores from between epochs are lower, and nothing to it.
  const scores = [30, 20, 15, 16, 10];
  const config: RunConfig = {
    ...sampleConfig,
    schedule: { ...sampleConfig.schedule, epochs: 4, patience: 1, keep: 'best' },
    checkpointEvery: 2,
  };
  const go = (store: MemoryStore, until: number, wanted = config) =>
    train('cpu', store, wanted, until, (epoch) => scores[epoch] ?? 1);

  it('has the weights of the best, told in words', async () => {
    const store = new MemoryStore();
    const { engine, curve, why: expected } = await go(store, Infinity);
    expect(curve.length).toBe(9);
    expect(expected).toBe('dev perplexity rose from 15.0 to 16.0 in epoch 3; epoch 2 is kept');
    const last = unwrap(decodeCheckpoint(store.files.get('run')!.get('checkpoint-000000009.safetensors')!));
    expect([last.step, last.kept, last.optimizer.step]).toEqual([9, 6, 6]);
    // As a run that was never meant to go further has after six steps: with the same rates, so the same schedule.
    const six = new MemoryStore();
    const plain = await go(six, 6, { ...config, schedule: { ...config.schedule, patience: null, keep: 'last' } });
    const [kept, wanted] = await Promise.all([engine.parameters(), plain.engine.parameters()]);
    for (const [name, { data }] of wanted) expect(kept.get(name)!.data).toEqual(data);
    engine.dispose();
    plain.engine.dispose();
  });

  it('killed at any step and taken up again ends the same, bit for bit, also when it is opened once more', async () => {
    const bytesOf = (store: MemoryStore) =>
      Buffer.from(store.files.get('run')!.get('checkpoint-000000009.safetensors')!);
    const whole = new MemoryStore();
    (await go(whole, Infinity)).engine.dispose();
    // With and without a checkpoint, in the middle and at the end of an epoch.
    for (const until of [1, 3, 4, 6, 8, 9]) {
      const store = new MemoryStore();
      (await go(store, until)).engine.dispose();
      const again = await go(store, Infinity);
      again.engine.dispose();
      expect(Buffer.compare(bytesOf(store), bytesOf(whole))).toBe(0);
      const opened = await go(store, Infinity);
      expect(opened.why).toBe(again.why);
      opened.engine.dispose();
      expect(Buffer.compare(bytesOf(store), bytesOf(whole))).toBe(0);
    }
  });

  it('goes on to the end without patience, and keeps its best or its last as asked', async () => {
    const endOf = async (keep: 'best' | 'last', values: number[]) => {
      const store = new MemoryStore();
      const wanted = { ...config, schedule: { ...config.schedule, patience: null, keep } };
      const { engine, why: expected } = await train('cpu', store, wanted, Infinity, (epoch) => values[epoch] ?? 1);
      engine.dispose();
      return { why: expected, kept: unwrap(await newestCheckpoint(store, 'run'))!.checkpoint.kept };
    };
    expect(await endOf('best', [30, 20, 15, 16, 17])).toEqual({
      why: 'dev perplexity was lowest in epoch 2, 15.0; epoch 2 is kept',
      kept: 6,
    });
    expect(await endOf('last', [30, 20, 15, 16, 17])).toEqual({ why: null, kept: null });
    expect(await endOf('best', scores)).toEqual({ why: null, kept: null });
  });

  it('ends with its last weights where the best cannot be read', async () => {
    const lost: Result<never> = { ok: false, error: { code: 'checkpoint-not-read', message: '' } };
    const curve = new Curve();
    const { trainer, called } = harness({
      config,
      curve,
      batches: { batch: sampleBatch, stepsPerEpoch: SAMPLE_EPOCH },
      onEvaluate: (step) => curve.addEvaluation({ step, devPerplexity: scores[step / SAMPLE_EPOCH] ?? 1 }),
      restore: async () => lost,
    });
    expect(await trainer.run()).toMatchObject({
      status: 'finished',
      why: expect.stringContaining('epoch 3 is kept'),
    });
    expect([trainer.kept, called.saved.at(-1)]).toEqual([null, 9]);
  });
});
