import { seededRandom } from '../../src/base/random.ts';
import { fail, failureOf, ok, type Failure, type Result } from '../../src/base/result.ts';
import { parseRunConfig, type RunConfig } from '../../src/config/run-config.ts';
import { Batches } from '../../src/data/batches.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { chess } from '../../src/domains/chess/chess.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { BackendName, DeviceReport, Engine, NamedArrays } from '../../src/engine/engine.ts';
import { gpt2Folder } from '../../src/interchange/huggingface.ts';
import type { Evaluation } from '../../src/probes/scores.ts';
import { initialParameters, parameterCount, type GptConfig } from '../../src/models/gpt.ts';
import type { CheckpointStore } from '../../src/training/checkpoint-store.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import type { Checkpoint } from '../../src/training/checkpoint.ts';
import type { CorpusBuffers } from '../data/protocol.ts';
import { connect, type Remote } from '../wire.ts';
import type { AnalyseService } from '../analyse/protocol.ts';
import { guarded } from '../guarded.ts';
import { ActiveRun } from './active-run.ts';
import { zipped } from './zip.ts';
import type { RunList } from './run-list.ts';
import type { RunLocks } from './run-locks.ts';
import type { RunRecord, RunStarted, TrainEvent, TrainService } from './protocol.ts';

/** What the host gives: devices, storage, locks and time. */
export interface TrainHost {
  device(wanted: BackendName | null): Promise<DeviceReport>;
  createEngine(device: DeviceReport, model: GptConfig, parameters: NamedArrays): Promise<Engine>;
  checkpoints: CheckpointStore;
  runs: RunList;
  locks: RunLocks;
  /** Milliseconds since 1970. */
  clock(): number;
  newId(): string;
  pause(): Promise<void>;
}

export function trainHandlers(host: TrainHost): TrainService {
  let analyser: Remote<AnalyseService> | null = null;
  let active: ActiveRun | null = null;
  /** Set from the first word of a start to its end, so that two starts at once cannot both go on. */
  let starting = false;

  /** The list as it is, with runs that nobody trains any more told as interrupted. */
  async function currentRuns(): Promise<RunRecord[]> {
    const held = await host.locks.held();
    const runs = await host.runs.all();
    return runs.map((run) =>
      (run.status === 'running' || run.status === 'preparing' || run.status === 'paused') && !held.has(run.id)
        ? { ...run, status: 'interrupted' as const }
        : run,
    );
  }

  async function begin(
    config: RunConfig,
    notation: Notation,
    train: CorpusBuffers,
    wanted: BackendName | null,
    onEvent: (event: TrainEvent) => void,
    from: { record: RunRecord | null; checkpoint: Checkpoint | null; notice: Failure | null },
  ): Promise<Result<RunStarted>> {
    const model: GptConfig = { ...config.model, vocabulary: notation.vocabulary.size };
    const device = await host.device(wanted);
    const now = host.clock();
    const record: RunRecord = {
      id: from.record?.id ?? host.newId(),
      name: from.record?.name ?? nameOf(config),
      createdAt: from.record?.createdAt ?? now,
      config,
      status: 'preparing',
      step: from.checkpoint?.step ?? 0,
      parameters: parameterCount(model),
      backend: device.backend,
      updatedAt: now,
      loss: from.record?.loss ?? null,
      evaluation: (from.checkpoint?.curve.evaluations.at(-1) as Evaluation | undefined) ?? null,
    };
    const release = await host.locks.hold(record.id);
    if (release === null) return fail('run-in-use', 'This run is being trained in another tab; stop it there first.');
    let engine: Engine | null = null;
    try {
      const parameters = from.checkpoint?.parameters ?? initialParameters(model, seededRandom('weights', config.seed));
      engine = await host.createEngine(device, model, parameters);
      if (from.checkpoint) engine.setOptimizerState(from.checkpoint.optimizer);
      active = new ActiveRun({
        host,
        engine,
        record,
        batches: new Batches(new Corpus(train.moves, train.offsets).first(config.data.limit), notation, {
          games: config.batch,
          seed: config.seed,
          context: config.model.context,
        }),
        checkpoint: from.checkpoint,
        analyser: () => analyser,
        onEvent,
        onEnd: release,
      });
      await host.runs.put(record);
      const started = active.started(device);
      if (from.notice) onEvent({ kind: 'notice', failure: from.notice });
      void active.run();
      return ok(started);
    } catch (error) {
      engine?.dispose();
      release();
      active = null;
      return { ok: false, error: failureOf(error) };
    }
  }

  const busy = (): boolean => starting || (active !== null && !active.ended);

  async function alone<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (busy()) return fail('busy', 'A run is going on; stop it before starting another.');
    starting = true;
    const done = await guarded(work);
    starting = false;
    return done;
  }

  return {
    device: (wanted) => host.device(wanted),

    async connectAnalyser(port) {
      analyser = connect<AnalyseService>(port);
      port.start();
    },

    start: (input, train, wanted, onEvent) =>
      alone(async () => {
        const config = parseRunConfig(input);
        if (!config.ok) return config;
        const notation = chess.notation(config.value.notation);
        if (!notation.ok) return notation;
        if (train.offsets.length < 2)
          return fail('no-games', 'There are no training games in this set; choose another.');
        const fresh = { record: null, checkpoint: null, notice: null };
        return begin(config.value, notation.value, train, wanted, onEvent, fresh);
      }),

    resume: (id, train, wanted, onEvent) =>
      alone(async () => {
        const record = await host.runs.get(id);
        if (!record) return fail('no-run', 'This run is no longer in the list.');
        const config = parseRunConfig(record.config);
        if (!config.ok) return config;
        const notation = chess.notation(config.value.notation);
        if (!notation.ok) return notation;
        const found = await newestCheckpoint(host.checkpoints, id);
        if (!found.ok) return found;
        const { checkpoint = null, notice = null } = found.value ?? {};
        return begin(config.value, notation.value, train, wanted, onEvent, { record, checkpoint, notice });
      }),

    async pause() {
      active?.pause();
    },
    async step() {
      active?.stepOnce();
    },
    async continue() {
      active?.continue();
    },
    async stop(id) {
      if (active?.record.id === id) await active.stop();
    },

    runs: currentRuns,

    async remove(id) {
      if (busy() && active?.record.id === id) return fail('busy', 'This run is going on; stop it before deleting it.');
      if ((await host.locks.held()).has(id))
        return fail('run-in-use', 'This run is being trained in another tab; stop it there first.');
      for (const name of await host.checkpoints.list(id)) await host.checkpoints.remove(id, name);
      await host.runs.remove(id);
      return ok(null);
    },

    async export(id, form) {
      const record = await host.runs.get(id);
      if (!record) return fail('no-run', 'This run is no longer in the list.');
      const found = await newestCheckpoint(host.checkpoints, id);
      if (!found.ok) return found;
      if (!found.value)
        return fail('no-checkpoint', 'This run has no checkpoint yet; train until the first is written.');
      const { config, parameters, step } = found.value.checkpoint;
      const notation = chess.notation(config.notation);
      if (!notation.ok) return notation;
      const files = gpt2Folder(config, parameters, { tokens: notation.value.vocabulary.tokens, step });
      const name = `${record.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-step-${step}`;
      if (form === 'safetensors') return ok({ name: `${name}.safetensors`, bytes: files.get('model.safetensors')! });
      return ok({ name: `${name}.zip`, bytes: zipped(files) });
    },
  };
}

function nameOf(config: RunConfig): string {
  const { layers, width } = config.model;
  return `${layers} x ${width}, ${config.notation}, seed ${config.seed}`;
}
