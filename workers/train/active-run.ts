import { ok, type Failure, type Result } from '../../src/base/result.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { DeviceReport, Engine } from '../../src/engine/engine.ts';
import type { TrainingBatches } from '../../src/studies/splat/fine-tuning/training-batches.ts';
import { evaluationsOf, readEvaluation } from '../../src/studies/stored-evaluation.ts';
import { encodeCheckpoint, type Checkpoint } from '../../src/training/checkpoint.ts';
import { checkpointOf, saveCheckpoint } from '../../src/training/checkpoint-store.ts';
import { Curve } from '../../src/training/curve.ts';
import { Trainer, type StepEvent } from '../../src/training/loop.ts';
import { isValidation } from '../../src/training/validation.ts';
import type { AnalyseService, WeightsSnapshot } from '../analyse/protocol.ts';
import type { Remote } from '../wire.ts';
import { sketchOf } from './curve-sketch.ts';
import type { TrainHost } from './handlers.ts';
import type { EngineInUse, RunRecord, RunStarted, RunStatus, TrainEvent } from './protocol.ts';
import { RunProgress } from './run-progress.ts';
import { RunScores } from './run-scores.ts';
import { RunSnapshots } from './run-snapshots.ts';

export interface ActiveRunOptions {
  host: TrainHost;
  engine: Engine;
  /** Words for the page on what computes the steps, and its measured peak in FLOP/s. */
  inUse: EngineInUse;
  peakFlops: number | null;
  record: RunRecord;
  batches: TrainingBatches;
  notation: Notation;
  checkpoint: Checkpoint | null;
  /** Steps whose snapshots are stored. */
  snapshots: number[];
  analyser: () => Remote<AnalyseService> | null;
  onEvent: (event: TrainEvent) => void;
  /** Called once where the run is over, before that is told; not where its device was lost. */
  onOver: () => void;
}

/** How a run came to rest; a device that was lost under it leaves the rest to the caller. */
export type RunOutcome = 'over' | 'device-lost';

/** One run being trained: the trainer, its checkpoints, its row in the list, its weights on their way to be asked. */
export class ActiveRun {
  readonly record: RunRecord;
  ended = false;
  private readonly curve: Curve;
  private readonly trainer: Trainer;
  /** Whether a person asked for the end. */
  stopping = false;
  private finished: Promise<RunOutcome> = Promise.resolve('over');
  private readonly progress: RunProgress;
  private readonly scores: RunScores;
  private readonly snapshots: RunSnapshots;

  constructor(private readonly options: ActiveRunOptions) {
    const { host, engine, batches, record, checkpoint, analyser, onEvent } = options;
    const clock = (): number => host.clock();
    this.record = record;
    this.curve = checkpoint?.curve ?? new Curve();
    this.progress = new RunProgress(engine, record.config.schedule.steps, clock, onEvent);
    this.scores = new RunScores(this.curve, record, analyser, () => this.snapshot(), clock, onEvent);
    this.snapshots = new RunSnapshots(host.checkpoints, record, () => this.snapshot(), onEvent);
    this.trainer = new Trainer({
      engine,
      batches: { batch: (step) => this.progress.speed.see(batches.batch(step)), stepsPerEpoch: batches.stepsPerEpoch },
      config: record.config,
      curve: this.curve,
      startStep: checkpoint?.step ?? 0,
      tokensSeen: checkpoint?.tokensSeen ?? 0,
      kept: checkpoint?.kept ?? null,
      clock,
      onStep: (event) => this.onStep(event),
      onEvaluate: async (step, awaited) => {
        await this.scores.ask(step);
        if (awaited) await this.scores.settled;
      },
      saveCheckpoint: () => this.save(),
      restore: (step) => this.restore(step),
      yieldToHost: () => this.betweenSteps(),
      // Who goes on step by step is answered by the weights of each.
      onRest: () => this.scores.send(),
    });
  }

  started(device: DeviceReport): RunStarted {
    const { inUse, peakFlops, snapshots } = this.options;
    return {
      record: this.record,
      device,
      engine: inUse,
      peakFlops,
      losses: this.curve.losses(),
      evaluations: evaluationsOf(this.curve),
      snapshots,
    };
  }

  /** Trains until the run is over, or until its device is lost: nothing is told of that, and nothing is saved. */
  run(): Promise<RunOutcome> {
    return (this.finished = this.train());
  }

  pause(): void {
    this.trainer.pause();
  }

  stepOnce(): void {
    this.trainer.stepOnce();
  }

  continue(): void {
    if (this.ended) return;
    this.trainer.resume();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.trainer.stop();
    await this.finished;
  }

  private async train(): Promise<RunOutcome> {
    let failure: Failure | null = null;
    let status: RunStatus = 'failed';
    try {
      // A run that goes on can be asked at once, and a finished one that is opened again only asked.
      if (this.trainer.step > 0) await this.scores.send();
      await this.status('running', 'Training');
      await this.scoreAgain();
      const end = await this.trainer.run((state) => {
        if (state === 'paused') void this.status('paused', 'Paused');
        if (state === 'running' && this.record.status === 'paused') void this.status('running', 'Training');
      });
      status = end.status;
      failure = end.failure;
      await this.scores.settled;
      if (status === 'finished') {
        this.record.ending = end.why;
        const { kept } = this.trainer;
        if (kept !== null) {
          const best = this.curve.evaluationOf(kept);
          if (best) this.record.evaluation = readEvaluation(best);
          await this.scores.send();
        }
        await this.save();
      }
    } catch (error) {
      if (error instanceof Error && error.name === 'DeviceLostError') {
        this.scores.lost = true;
        this.end();
        return 'device-lost';
      }
      failure = {
        code: 'training-failed',
        message: `Training stopped: ${error instanceof Error ? error.message : String(error)}. ${onwards(this.record.step)}`,
      };
    }
    this.end();
    this.options.onOver();
    const labels = { finished: 'Finished', stopped: 'Stopped' } as Partial<Record<RunStatus, string>>;
    await this.status(status, labels[status] ?? 'Failed', failure);
    return 'over';
  }

  private end(): void {
    this.progress.flush();
    this.ended = true;
    try {
      this.options.engine.dispose();
    } catch {
      // An engine whose device is gone may have nothing left to give back.
    }
  }

  /** Tells that a run whose device was lost ends here. */
  fail(failure: Failure): Promise<void> {
    return this.status('failed', 'Failed', failure);
  }

  /** A resumed run whose checkpoint was written before its own step's scores came in. */
  private async scoreAgain(): Promise<void> {
    const { step } = this.trainer;
    const { schedule, evaluation } = this.record.config;
    const validation = isValidation(schedule, this.options.batches.stepsPerEpoch, step);
    const due = step > 0 && this.trainer.kept === null && (validation || step % evaluation.every === 0);
    if (!due || this.curve.evaluationOf(step)) return;
    await this.scores.ask(step);
    if (validation) await this.scores.settled;
  }

  /** The weights of an earlier step's checkpoint in the engine. */
  private async restore(step: number): Promise<Result<void>> {
    const found = await checkpointOf(this.options.host.checkpoints, this.record.id, step);
    if (!found.ok) {
      const message = `The weights of step ${step}, the best so far, could not be taken up: ${found.error.message} The run ends with its last ones.`;
      this.options.onEvent({ kind: 'notice', failure: { code: 'best-lost', message } });
      return found;
    }
    this.options.engine.setParameters(found.value.parameters);
    this.options.engine.setOptimizerState(found.value.optimizer);
    return ok(undefined);
  }

  private onStep(event: StepEvent): void {
    this.record.loss = event.loss;
    this.progress.took(event);
  }

  private async betweenSteps(): Promise<void> {
    await this.scores.sendWhenDue();
    await this.snapshots.takeWhenDue(this.trainer.begun);
    await this.progress.reportSpeed();
    await this.options.host.pause();
  }

  /** The engine's weights are those of the last step begun, whose report may still be on its way, or of the one kept. */
  private async snapshot(): Promise<WeightsSnapshot> {
    const step = this.trainer.kept ?? this.trainer.begun;
    return { step, parameters: await this.options.engine.parameters() };
  }

  private async save() {
    const { engine, host, record, notation } = this.options;
    const step = this.trainer.step;
    // A checkpoint lacks the scores of its own step at most: those can be found again from its weights.
    const { awaited } = this.scores;
    if (awaited !== null && (awaited < step || this.stopping)) await this.scores.settled;
    const bytes = encodeCheckpoint({
      config: record.config,
      step,
      tokensSeen: this.trainer.tokensSeen,
      curve: this.curve,
      parameters: await engine.parameters(),
      optimizer: await engine.optimizerState(),
      kept: this.trainer.kept,
      ...(notation.brought ? { tokenizer: notation.brought.files } : {}),
    });
    const write = () => saveCheckpoint(host.checkpoints, record.id, step, bytes, this.trainer.best);
    let saved = await write();
    if (!saved.ok && saved.error.code === 'storage-full' && (await this.snapshots.giveWay())) saved = await write();
    if (saved.ok) {
      this.record.step = step;
      this.options.onEvent({ kind: 'checkpoint', step });
      await this.list();
    } else this.options.onEvent({ kind: 'notice', failure: saved.error });
    return saved;
  }

  private async status(status: RunStatus, label: string, failure: Failure | null = null): Promise<void> {
    this.progress.flush();
    this.record.status = status;
    const ending = status === 'finished' ? (this.record.ending ?? null) : null;
    this.options.onEvent({ kind: 'status', status, label, failure, ending });
    await this.list();
  }

  private async list(): Promise<void> {
    this.record.updatedAt = this.options.host.clock();
    this.record.sketch = sketchOf(this.curve);
    try {
      await this.options.host.runs.put(structuredClone(this.record));
    } catch {
      this.options.onEvent({
        kind: 'notice',
        failure: {
          code: 'run-list',
          message:
            'The run list could not be written, perhaps since the storage of the browser was cleared. The run goes on and stores its next checkpoints; the Runs page finds it by them.',
        },
      });
    }
  }
}

/** How a run can go on that failed after its checkpoint of a step; 0 where it has none. */
export function onwards(savedStep: number): string {
  return savedStep > 0
    ? `Resume goes on from the checkpoint of step ${savedStep}.`
    : 'It had no checkpoint yet, so that it can only be started again.';
}
