import { connect, sink } from '../../../../workers/wire.ts';
import { runStudy, type MeasureService, type StoredRecord } from '../../../../workers/measure/protocol.ts';
import type { GamesReader } from '../../../../workers/data/protocol.ts';
import type { RunRecord } from '../../../../workers/train/protocol.ts';
import { fail, failureOf, ok, type Result } from '../../../base/result.ts';
import type { AssessPlan } from '../../../config/sweep.ts';
import type { Progress } from '../../../studies/asking/measuring.ts';
import { testbed } from '../../../studies/testbed/study.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import type { SweepMeasure } from './sweep-queue.ts';
import { CrashedError } from '../../session/workers.ts';

/**
 * Assesses the runs of a sweep in a measuring worker of its own. Sharing that of the Probe page was rejected: a worker
 * holds one model, and each would take the other's away in mid-measurement.
 */
export class SweepAssessor implements SweepMeasure {
  #lab: Lab;
  #worker: { service: MeasureService & GamesReader; died: Promise<never>; end: () => void } | null = null;
  #cancelled = false;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  async assess(run: RunRecord, plan: AssessPlan, onProgress: (progress: Progress) => void): Promise<Result<null>> {
    this.#cancelled = false;
    try {
      const worker = (this.#worker ??= this.#start());
      this.#lab.workers.joinGames(worker.service);
      return await Promise.race([this.#assess(worker.service, run, plan, onProgress), worker.died]);
    } catch (error) {
      if (error instanceof CrashedError)
        return fail('worker-crashed', `Measuring stopped unexpectedly (${error.message}). The run itself is safe.`);
      return { ok: false, error: failureOf(error) };
    }
  }

  cancel(): void {
    this.#cancelled = true;
    void this.#worker?.service.cancel();
  }

  /** Lets the worker and its memory go; the next assessment starts another. */
  rest(): void {
    this.#worker?.end();
    this.#worker = null;
  }

  async #assess(
    service: MeasureService,
    run: RunRecord,
    plan: AssessPlan,
    onProgress: (progress: Progress) => void,
  ): Promise<Result<null>> {
    const kept = await service.list(testbed.name);
    if (kept.some((one) => one.createdAt >= run.updatedAt && isOf(one, run, plan))) return ok(null);
    const model = await service.open({ kind: 'run', id: run.id, trainGames: this.#lab.games.trainGames(run.config) });
    if (!model.ok) return model;
    if (this.#cancelled) return fail('cancelled', 'The measurement was stopped.');
    const { games } = run.config.data;
    const done = await runStudy(service, testbed, plan, games, sink(onProgress), { sameGames: true });
    return done.ok ? ok(null) : done;
  }

  #start() {
    const worker = new Worker(new URL('../../../../workers/measure/measure.worker.ts', import.meta.url), {
      type: 'module',
    });
    const died = new Promise<never>((_, reject) =>
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        this.rest();
        reject(new CrashedError(event.message || 'its script could not be loaded'));
      }),
    );
    // Where nothing waits for it, its death is no news.
    died.catch(() => undefined);
    return { service: connect<MeasureService & GamesReader>(worker), died, end: () => worker.terminate() };
  }
}

/** Whether an assessment answers a plan's very questions about a run. */
function isOf({ run, asked }: StoredRecord, record: RunRecord, plan: AssessPlan): boolean {
  const settings = asked as Partial<Record<string, unknown>>;
  return run === record.id && Object.entries(plan).every(([name, value]) => String(settings[name]) === String(value));
}
