import { runStudy, type MeasureService, type StoredRecord } from '../../../../workers/measure/protocol.ts';
import type { RunRecord } from '../../../../workers/train/protocol.ts';
import { fail, failureOf, ok, type Result } from '../../../base/result.ts';
import type { AssessPlan } from '../../../config/sweep.ts';
import type { Progress } from '../../../studies/asking/measuring.ts';
import { testbed } from '../../../studies/testbed/study.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import type { SweepMeasure } from './sweep-queue.ts';
import { MeasuringWorker } from '../../session/measuring-worker.ts';
import { CrashedError } from '../../session/workers.ts';

/** Assesses the runs of a sweep in a measuring worker of its own. */
export class SweepAssessor implements SweepMeasure {
  readonly #lab: Lab;
  readonly #worker: MeasuringWorker;
  #cancelled = false;

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#worker = new MeasuringWorker(lab.workers);
  }

  async assess(run: RunRecord, plan: AssessPlan, onProgress: (progress: Progress) => void): Promise<Result<null>> {
    this.#cancelled = false;
    try {
      return await this.#worker.ask((service) => this.#assess(service, run, plan, onProgress));
    } catch (error) {
      if (error instanceof CrashedError)
        return fail('worker-crashed', `Measuring stopped unexpectedly (${error.message}). The run itself is safe.`);
      return { ok: false, error: failureOf(error) };
    }
  }

  cancel(): void {
    this.#cancelled = true;
    this.#worker.cancel();
  }

  rest(): void {
    this.#worker.rest();
  }

  async #assess(
    service: MeasureService,
    run: RunRecord,
    plan: AssessPlan,
    onProgress: (progress: Progress) => void,
  ): Promise<Result<null>> {
    const stored = await service.list(testbed.name);
    if (stored.some((one) => one.createdAt >= run.updatedAt && isOf(one, run, plan))) return ok(null);
    const model = await service.open({ kind: 'run', id: run.id, trainGames: this.#lab.games.trainGames(run.config) });
    if (!model.ok) return model;
    if (this.#cancelled) return fail('cancelled', 'The measurement was stopped.');
    const { games } = run.config.data;
    const done = await runStudy(service, testbed, plan, games, onProgress, { sameGames: true });
    return done.ok ? ok(null) : done;
  }
}

/** Whether an assessment answers a plan's very questions about a run. */
function isOf({ run, asked }: StoredRecord, record: RunRecord, plan: AssessPlan): boolean {
  const settings = asked as Partial<Record<string, unknown>>;
  return run === record.id && Object.entries(plan).every(([name, value]) => String(settings[name]) === String(value));
}
