import { tellingDomain } from '../../../workers/measure/domain-of-files.ts';
import { runStudy, type MeasureService, type StoredRecord } from '../../../workers/measure/protocol.ts';
import { failureOf, ok, type Failure, type Result } from '../../base/result.ts';
import { DOMAIN_NAMES } from '../../domains/domains.ts';
import type { Progress } from '../../studies/asking/measuring.ts';
import { readingsOf, unreadSuites } from '../../studies/syntaxgym/stored-readings.ts';
import { syntaxgym, type SyntaxGymAssessment } from '../../studies/syntaxgym/study.ts';
import type { Suite } from '../../studies/syntaxgym/suite.ts';
import { MeasureJob } from '../probe/job.svelte.ts';
import { offeredModels, type DroppedModel, type ModelChoice, type OfferedModel } from '../probe/model-choice.ts';
import { measuredModel } from '../probe/opening.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { MeasuringWorker } from '../session/measuring-worker.ts';

/** A model that can be asked, or that has been. */
export interface SuiteModelEntry extends Omit<OfferedModel, 'choice'> {
  /** Null for a model that is no longer here. */
  choice: ModelChoice | null;
}

/** Which models are asked about suites, how far that is, and what this device has stored of their answers. */
export class SuiteAsking {
  /** Newest first. */
  records = $state.raw<StoredRecord[]>([]);
  dropped = $state.raw<DroppedModel | null>(null);
  job = $state.raw<MeasureJob | null>(null);
  failures = $state.raw<Readonly<Record<string, Failure>>>({});
  /** What somebody has ticked or unticked. */
  #ticked = $state.raw<Readonly<Record<string, boolean>>>({});
  readonly #lab: Lab;
  readonly #worker: MeasuringWorker;

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#worker = new MeasuringWorker(lab.workers);
  }

  /** Models that can be asked now. */
  models = $derived.by((): SuiteModelEntry[] => offeredModels(this.#lab, this.dropped));

  /** Those, and models that are gone but whose answers about some of the suites are stored. */
  entriesFor(suites: readonly Suite[]): SuiteModelEntry[] {
    const gone: SuiteModelEntry[] = [];
    for (const record of this.records) {
      const key = keyOf(record);
      const isListed = [...this.models, ...gone].some((entry) => entry.key === key);
      if (isListed || this.#readings(key, suites) === null) continue;
      gone.push({ key, label: `${record.assessment.subject.name} (stored answers)`, choice: null });
    }
    return [...this.models, ...gone];
  }

  /** Without a choice: the first model, and those whose answers are stored. */
  isTicked(key: string, suites: readonly Suite[]): boolean {
    return this.#ticked[key] ?? (key === this.models[0]?.key || this.#readings(key, suites) !== null);
  }

  tick(key: string, yes: boolean): void {
    this.#ticked = { ...this.#ticked, [key]: yes };
  }

  /** Takes a model's files, to ask that too. */
  async bring(name: string, files: DroppedModel['files']): Promise<void> {
    const { workers } = this.#lab;
    const domain = await workers.guard(workers.measure.domainOf(tellingDomain(files)), 'measure');
    this.dropped = { name, files, domain: domain ?? DOMAIN_NAMES[0] };
    this.tick(name, true);
  }

  /** What the ticked models are known to have answered. */
  assessmentsOf(suites: readonly Suite[]): SyntaxGymAssessment[] {
    return this.entriesFor(suites).flatMap(({ key }) =>
      this.isTicked(key, suites) ? (this.#readings(key, suites) ?? []) : [],
    );
  }

  #readings(key: string, suites: readonly Suite[]): SyntaxGymAssessment | null {
    return readingsOf(suites, this.#storedOf(key));
  }

  #storedOf(key: string): SyntaxGymAssessment[] {
    const stored = this.records.filter((record) => keyOf(record) === key);
    return stored.map(({ assessment }) => assessment as unknown as SyntaxGymAssessment);
  }

  async refresh(): Promise<void> {
    try {
      this.records = await this.#lab.workers.guard(this.#lab.workers.measure.list(syntaxgym.name), 'measure');
    } catch (error) {
      this.fail('stored', failureOf(error));
    }
  }

  /** Stores what models answered elsewhere. */
  async take(assessments: readonly SyntaxGymAssessment[]): Promise<void> {
    for (const assessment of assessments) {
      const key = assessment.subject.name;
      const suites = assessment.suites.map(({ suite }) => suite);
      const have = readingsOf(suites, this.#storedOf(key));
      if (have?.suites.length === suites.length) continue;
      const stored = await this.#lab.workers.guard(
        this.#lab.workers.measure.store(
          syntaxgym.name,
          assessment as unknown as Parameters<MeasureService['store']>[1],
        ),
        'measure',
      );
      if (!stored.ok) this.fail('stored', stored.error);
      else this.tick(key, true);
    }
    await this.refresh();
  }

  /** Asks each model about the suites that it has not read, one model after another; tells whether all have answered. */
  async ask(entries: readonly SuiteModelEntry[], suites: readonly Suite[]): Promise<boolean> {
    if (this.job !== null) return false;
    this.failures = {};
    const job = (this.job = new MeasureJob('suites'));
    try {
      for (const [i, entry] of entries.entries()) {
        const onProgress = ({ label, share }: Progress): void => {
          if (!job.cancelling) job.take({ label: `${entry.label}: ${label}`, share: (i + share) / entries.length });
        };
        const asked = await this.#worker.ask((service) => this.#askOne(service, entry, suites, onProgress));
        if (!asked.ok && asked.error.code === 'cancelled') break;
        if (!asked.ok) this.fail(entry.key, { ...asked.error, message: `${entry.label}: ${asked.error.message}` });
        await this.refresh();
        if (job.cancelling) break;
      }
    } catch (error) {
      this.fail('suites', failureOf(error));
    } finally {
      this.job = null;
      this.#worker.rest();
    }
    return !job.cancelling && Object.keys(this.failures).length === 0;
  }

  async #askOne(
    service: MeasureService,
    { key, choice }: SuiteModelEntry,
    suites: readonly Suite[],
    onProgress: (progress: Progress) => void,
  ): Promise<Result<null>> {
    const { domain } = this.#lab;
    const model = await measuredModel({ lab: this.#lab, chosen: choice!, domain, dropped: this.dropped });
    const opened = await service.open(model);
    if (!opened.ok) return opened;
    const unread = unreadSuites(suites, opened.value, this.#storedOf(key));
    if (unread.length === 0 || this.job?.cancelling) return ok(null);
    const settings = { text: JSON.stringify(unread), name: 'the suites' };
    const outcome = await runStudy(service, syntaxgym, settings, null, onProgress);
    if (!outcome.ok) return outcome;
    return outcome.value.notStored === null ? ok(null) : { ok: false, error: outcome.value.notStored };
  }

  cancel(): void {
    if (this.job === null) return;
    this.job.cancel();
    this.#worker.cancel();
  }

  /** Shows why something did not work. */
  fail(key: string, failure: Failure): void {
    this.failures = { ...this.failures, [key]: failure };
  }
}

const keyOf = ({ run, assessment }: StoredRecord): string => (run === null ? assessment.subject.name : `run:${run}`);
