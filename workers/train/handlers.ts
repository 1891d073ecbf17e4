import { fail, inputError, ok, unwrap, type Result } from '../../src/base/result.ts';
import { noticeOf } from '../../src/config/notice.ts';
import { parseRunConfig, startOf, type RunConfig } from '../../src/config/run-config.ts';
import { notationOf } from '../../src/domains/domains.ts';
import type {
  BackendName,
  DeviceReport,
  Engine,
  NamedArrays,
  Precision,
  TrainingAhead,
} from '../../src/engine/engine.ts';
import type { ModelConfig } from '../../src/models/model.ts';
import { evaluationsOf } from '../../src/studies/stored-evaluation.ts';
import { vocabularyIn } from '../../src/training/checkpoint.ts';
import { newestCheckpoint, type RunStore } from '../../src/training/checkpoint-store.ts';
import type { AnalyseService } from '../analyse/protocol.ts';
import type { ReadGames } from '../data/games-port.ts';
import { guarded } from '../guarded.ts';
import { gamesOfRun, otherGames } from '../run-games.ts';
import { connect } from '../wire.ts';
import { foundRuns } from './found-runs.ts';
import type { RunRecord, TrainService } from './protocol.ts';
import { tidyDescription } from './run-description.ts';
import type { RunList } from './run-list.ts';
import type { RunLocks } from './run-locks.ts';
import { runName } from './run-name.ts';
import { readStart, startingWeights } from './starting-weights.ts';
import { Supervisor } from './supervisor.ts';
import { trialSpeed } from './trial.ts';

/** What the host gives: games, devices, storage, locks and time. */
export interface TrainHost {
  games: ReadGames;
  device(wanted: BackendName | null): Promise<DeviceReport>;
  createEngine(
    device: DeviceReport,
    model: ModelConfig,
    parameters: NamedArrays,
    how: { precision: Precision; training: TrainingAhead; onProgress: (done: number, total: number) => void },
  ): Promise<Engine>;
  /** Threads of the compiled engine on WebAssembly. */
  threads: number;
  checkpoints: RunStore;
  runs: RunList;
  locks: RunLocks;
  /** Milliseconds since 1970. */
  clock(): number;
  newId(): string;
  pause(): Promise<void>;
}

export function trainHandlers(host: TrainHost): TrainService {
  const supervisor = new Supervisor(host);
  /** Set from the first word of a start to its end, so that two starts at once cannot both go on. */
  let starting = false;
  /** The trial under way; a run waits the second that it takes. */
  let trial: Promise<Result<number>> | null = null;

  const trainingGames = async (config: RunConfig) =>
    unwrap(await gamesOfRun(host.games, config, { train: config.data.limit }));

  async function recordOf(id: string): Promise<RunRecord> {
    const record = await host.runs.get(id);
    if (!record) throw inputError('no-run', 'This run is no longer in the list.');
    return record;
  }

  const busy = (): boolean => starting || supervisor.busy;

  async function alone<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (busy()) return fail('busy', 'A run is going on; stop it before starting another.');
    starting = true;
    await trial;
    const done = await guarded(work);
    starting = false;
    return done;
  }

  return {
    device: (wanted) => host.device(wanted),

    async speed(config, length, wanted) {
      if (busy()) return fail('busy', 'A run is going on, so that the device cannot be tried.');
      await trial;
      trial = guarded(async () => ok(await trialSpeed(host, config, length, wanted)));
      return trial;
    },

    async connectAnalyser(port) {
      supervisor.analyser = connect<AnalyseService>(port);
      port.start();
    },

    readStart: (name, files) => guarded(async () => ok(await readStart(name, files, host.clock))),

    start: (input, wanted, onEvent, files) =>
      alone(async () => {
        const config = unwrap(parseRunConfig(input));
        const { notation, parameters: initial } = await startingWeights(host, config, files);
        // What the games of its first weights want said, this run must say too.
        const before = await host.runs.get(startOf(config)?.id ?? '');
        const { summary, manifest, train } = await trainingGames(config);
        const { limit } = config.data;
        const notice = noticeOf(summary.notice, before?.config.data.notice);
        const data = { games: summary.key, manifest, limit, ...notice };
        const launch = { config: { ...config, data }, notation, train, wanted, onEvent, initial };
        return supervisor.launch(launch, { record: null, checkpoint: null, notice: null });
      }),

    resume: (id, wanted, onEvent) =>
      alone(async () => {
        const record = await recordOf(id);
        const config = unwrap(parseRunConfig(record.config));
        const found = unwrap(await newestCheckpoint(host.checkpoints, id));
        const { checkpoint = null, notice = null } = found ?? {};
        if (checkpoint === null && record.step > 0)
          return fail(
            'files-gone',
            `The checkpoints of “${record.name}” are gone from this browser's storage, so that nothing of it can go on. Delete it from the list, or start it anew.`,
          );
        if (checkpoint === null && startOf(config) !== null)
          return fail(
            'no-checkpoint',
            'This run was cut off before its first checkpoint, so that nothing of it can go on; start it anew.',
          );
        const notation = unwrap(notationOf(config, checkpoint && unwrap(vocabularyIn(checkpoint))));
        const games = await trainingGames(config);
        const others = otherGames(config, games, 'it cannot go on as it began');
        if (others !== null) return others;
        const launch = { config, notation, train: games.train, wanted, onEvent, initial: null };
        return supervisor.launch(launch, { record, checkpoint, notice });
      }),

    async pause() {
      supervisor.active?.pause();
    },
    async step() {
      supervisor.active?.stepOnce();
    },
    async continue() {
      supervisor.active?.continue();
    },
    async stop(id) {
      if (supervisor.active?.record.id === id) await supervisor.active.stop();
    },

    runs: () => foundRuns(host),

    describe: (id, written) =>
      guarded(async () => {
        const { config } = await recordOf(id);
        const description = tidyDescription(written);
        description.name ||= runName(config);
        await host.runs.describe(id, description);
        // Where the list loses its row, what trains writes it anew.
        if (supervisor.active?.record.id === id) Object.assign(supervisor.active.record, description);
        return ok(description);
      }),

    numbers: (id) =>
      guarded(async () => {
        const found = unwrap(await newestCheckpoint(host.checkpoints, id));
        if (!found) return fail('no-checkpoint', 'This run has no checkpoint, so that nothing of its curve is stored.');
        const { step, tokensSeen, curve } = found.checkpoint;
        return ok({ step, tokensSeen, losses: curve.losses(), evaluations: evaluationsOf(curve) });
      }),

    async remove(id) {
      if (busy() && supervisor.active?.record.id === id)
        return fail('busy', 'This run is going on; stop it before deleting it.');
      if ((await host.locks.held()).has(id))
        return fail('run-in-use', 'This run is being trained in another tab; stop it there first.');
      for (const name of await host.checkpoints.list(id)) await host.checkpoints.remove(id, name);
      await host.runs.remove(id);
      return ok(null);
    },
  };
}
