import { connect, sink } from '../../../../workers/wire.ts';
import { runStudy, type MeasureService, type StoredRecord } from '../../../../workers/measure/protocol.ts';
import type { RunRecord } from '../../../../workers/train/protocol.ts';
import { fail, failureOf, ok, type Result } from '../../../base/result.ts';
import type { AssessPlan } from '../../../config/sweep.ts';
import type { Progress } from '../../../studies/asking/measuring.ts';
import { testbed } from '../../../studies/testbed/study.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import { manifestOf } from '../../session/run-games.ts';
import type { SweepMeasure } from './sweep-queue.ts';
import { CrashedError } from '../../session/workers.ts';

/**
 * Assesses the runs of a sweep in a measuring worker of its own. Sharing that of the Probe page was rejected: a worker
 * holds one model, and each would take the other's away in mid-measurement.
 */
export class SweepAssessor implements SweepMeasure {
  #lab: Lab;
  #worker: { service: MeasureService; died: Promise<never>; end: () => void } | null = null;
  #cancelled = false;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  async assess(run: RunRecord, plan: AssessPlan, onProgress: (progress: Progress) => void): Promise<Result<null>> {
    this.#cancelled = false;
    try {
      const worker = (this.#worker ??= this.#start());
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
    onProgress({ words: 'Opening the games', share: 0 });
    const { data } = run.config;
    const opened = await this.#lab.guard(
      this.#lab.data.open(
        data.games,
        sink(() => {}),
      ),
    );
    if (!opened.ok) return opened;
    const games = opened.value;
    if (manifestOf(games) !== data.manifest)
      return fail(
        'other-games',
        `${games.summary.title} is no longer the set that this run was trained on, so there is nothing to measure it with.`,
      );
    const { summary, train, dev, test, probe } = games;
    const trained = Math.min(data.limit ?? Infinity, train.offsets.length - 1);
    const model = await service.open({ kind: 'run', id: run.id, trainGames: trained });
    if (!model.ok) return model;
    if (this.#cancelled) return fail('cancelled', 'The measurement was stopped.');
    const set = { name: summary.title, domain: summary.domain, manifest: data.manifest, train, dev, test, probe };
    const done = await runStudy(service, testbed, plan, set, sink(onProgress));
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
    return { service: connect<MeasureService>(worker), died, end: () => worker.terminate() };
  }
}

/** Whether an assessment answers a plan's very questions about a run. */
function isOf({ run, asked }: StoredRecord, record: RunRecord, plan: AssessPlan): boolean {
  const settings = asked as Partial<Record<string, unknown>>;
  return run === record.id && Object.entries(plan).every(([name, value]) => String(settings[name]) === String(value));
}
