import { seededRandom } from '../../src/base/random.ts';
import { fail, failureOf, ok, unwrap, type Failure, type Result } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { settled } from '../../src/config/settled.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { leftOutMessage, writtenGames } from '../../src/data/written-games.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { BackendName, Engine } from '../../src/engine/engine.ts';
import { initialParameters, parameterCount } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { TAB_MEMORY, trainingMemory } from '../../src/models/training-memory.ts';
import { tokensOfLargest, trainingBatches } from '../../src/studies/splat/fine-tuning/training-batches.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import type { Checkpoint } from '../../src/training/checkpoint.ts';
import type { AnalyseService } from '../analyse/protocol.ts';
import type { CorpusBuffers } from '../data/protocol.ts';
import type { Remote } from '../wire.ts';
import { ActiveRun, onwards } from './active-run.ts';
import { evaluationOf, snapshotsOf } from './found-runs.ts';
import type { TrainHost } from './handlers.ts';
import type { EngineInUse, RunRecord, RunStarted, TrainEvent } from './protocol.ts';
import { descriptionIn } from './run-description.ts';
import { runName } from './run-name.ts';

/** A run whose device is lost is taken up again by itself at most so often in so many milliseconds. */
const RECOVERIES = 3;
const RECOVERY_WINDOW = 600_000;

/** What a start asks for. */
export interface Launch {
  config: RunConfig;
  notation: Notation;
  train: CorpusBuffers;
  wanted: BackendName | null;
  onEvent: (event: TrainEvent) => void;
  /** The weights of a run without a checkpoint; null for random ones. Kept, in case its device is lost before the first. */
  initial: NamedArrays | null;
}

/** What a run goes on from; all null for a new one. */
export interface Beginning {
  record: RunRecord | null;
  checkpoint: Checkpoint | null;
  notice: Failure | null;
}

/** Brings a run to life, and again where its device is lost under it. One run at a time. */
export class Supervisor {
  analyser: Remote<AnalyseService> | null = null;
  active: ActiveRun | null = null;
  private recovering = false;
  /** FLOP/s by engine and device: measured when first used and kept. */
  private readonly peaks = new Map<string, number | null>();

  constructor(private readonly host: TrainHost) {}

  get busy(): boolean {
    return this.recovering || (this.active !== null && !this.active.ended);
  }

  async launch(launch: Launch, from: Beginning): Promise<Result<RunStarted>> {
    const { host } = this;
    const id = from.record?.id ?? host.newId();
    const release = await host.locks.hold(id);
    if (release === null) return fail('run-in-use', 'This run is being trained in another tab; stop it there first.');
    try {
      const { run, started } = await this.prepare(launch, from, id, release);
      if (from.notice) launch.onEvent({ kind: 'notice', failure: from.notice });
      void this.follow(run, launch, release);
      return ok(started);
    } catch (error) {
      release();
      this.active = null;
      return { ok: false, error: failureOf(error) };
    }
  }

  /** An engine at the beginning's weights, and the run that will use it. */
  private async prepare(
    { config: given, notation, train, wanted, onEvent, initial }: Launch,
    { record: known, checkpoint }: Beginning,
    id: string,
    onOver: () => void,
  ): Promise<{ run: ActiveRun; started: RunStarted }> {
    const { host } = this;
    const read = Corpus.of(train);
    const { games, leftOut } = writtenGames(read, notation);
    const message = leftOutMessage(leftOut, read.length);
    if (message !== null) onEvent({ kind: 'notice', failure: { code: 'games-left-out', message } });
    const batches = unwrap(trainingBatches(given, games, notation));
    const config = settled(given, batches.stepsPerEpoch * given.batch);
    const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
    const tokens = tokensOfLargest(batches);
    unwrap(trainingMemory(model, config.batch, tokens / config.batch, TAB_MEMORY));
    const device = await host.device(wanted);
    const parameters =
      checkpoint?.parameters ?? initial ?? initialParameters(model, seededRandom('weights', config.seed));
    const engine = await host.createEngine(device, model, parameters, {
      precision: config.precision,
      training: { muon: config.optimizer.kind === 'muon', tokens },
      onProgress: (done, total) => onEvent({ kind: 'compiling', done, total }),
    });
    try {
      if (checkpoint) engine.setOptimizerState(checkpoint.optimizer);
      const now = host.clock();
      const inUse = this.inUse(engine);
      const record: RunRecord = {
        id,
        name: runName(config),
        ...descriptionIn(known),
        createdAt: known?.createdAt ?? now,
        config,
        status: 'preparing',
        step: checkpoint?.step ?? 0,
        parameters: parameterCount(model),
        backend: device.backend,
        engine: inUse,
        updatedAt: now,
        loss: known?.loss ?? null,
        evaluation: checkpoint ? evaluationOf(checkpoint) : null,
      };
      const run = new ActiveRun({
        host,
        engine,
        inUse,
        peakFlops: await this.peakOf(engine, inUse),
        record,
        batches,
        notation,
        checkpoint,
        snapshots: await snapshotsOf(host, record),
        analyser: () => this.analyser,
        onEvent,
        onOver,
      });
      await host.runs.put(record);
      this.active = run;
      return { run, started: run.started(engine.device) };
    } catch (error) {
      engine.dispose();
      throw error;
    }
  }

  private inUse({ name, device }: Engine): EngineInUse {
    const mixed = device.precision?.used === 'mixed' ? { mixed: true as const } : {};
    if (device.backend === 'webgpu') return { name, threads: null, ...mixed };
    return { name, threads: name === 'wasm' ? this.host.threads : 1 };
  }

  private async peakOf(engine: Engine, { name, threads }: EngineInUse): Promise<number | null> {
    const { backend, adapter } = engine.device;
    const key = JSON.stringify([name, threads, backend, adapter]);
    if (!this.peaks.has(key)) this.peaks.set(key, await engine.measurePeak());
    return this.peaks.get(key)!;
  }

  /** The run to its end, through as many devices as that takes. */
  private async follow(first: ActiveRun, launch: Launch, release: () => void): Promise<void> {
    const { host } = this;
    const { onEvent } = launch;
    const lostAt: number[] = [];
    for (let run = first; ;) {
      if ((await run.run()) === 'over') return;
      const { record } = run;
      lostAt.push(host.clock());
      const recent = lostAt.filter((time) => lostAt.at(-1)! - time < RECOVERY_WINDOW);
      this.recovering = true;
      try {
        if (recent.length > RECOVERIES)
          throw new Error(
            `it was lost ${recent.length} times within ten minutes. Another device or a smaller model may do`,
          );
        onEvent({
          kind: 'status',
          status: 'preparing',
          label: 'The device was lost; preparing it again',
          failure: null,
        });
        const checkpoint = unwrap(await newestCheckpoint(host.checkpoints, record.id))?.checkpoint ?? null;
        const again = await this.prepare(launch, { record, checkpoint, notice: null }, record.id, release);
        onEvent({ kind: 'recovered', started: again.started });
        onEvent({ kind: 'notice', failure: recoveryNotice(again.started) });
        if (run.stopping) void again.run.stop();
        run = again.run;
      } catch (error) {
        const message = `The device was lost, and the run could not go on by itself: ${failureOf(error).message.replace(/\.$/, '')}. ${onwards(record.step)}`;
        release();
        this.recovering = false;
        await run.fail({ code: 'device-lost', message });
        return;
      }
      this.recovering = false;
    }
  }
}

function recoveryNotice({ record, device }: RunStarted): Failure {
  const from =
    record.step > 0 ? `its checkpoint at step ${record.step}` : 'the beginning, since it had no checkpoint yet';
  return {
    code: 'device-recovered',
    message: `The device was lost in mid-run. The run went on by itself from ${from}, on ${device.adapter}.`,
  };
}
