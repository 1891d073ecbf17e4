import type { StoredRecord } from '../../../../workers/measure/protocol.ts';
import { failureOf } from '../../../base/result.ts';
import { fieldsOf, type Field } from '../../../config/fields.ts';
import type { StoredStudy } from '../../../studies/studies.ts';
import type { AssessedModel } from '../../../studies/subject-schema.ts';
import { count, date, day } from '../../kit/format.ts';
import { ReportState } from '../../report/report-state.svelte.ts';
import { builtInGames } from '../../session/experiment/game-setup.ts';
import type { MeasureState } from '../measure.svelte.ts';

/** Largest file that a study is handed. */
const LARGEST = 60e6;

/** One study of the chosen model: its settings, its assessments that this device keeps, and the report on one of them. */
export class StudyState {
  /** All that this device keeps, newest first. */
  stored = $state.raw<StoredRecord[]>([]);
  shown = $state.raw<StoredRecord | null>(null);
  readonly fields: Field[];
  settings = $state<Record<string, unknown>>({});
  games = $state('');
  readonly view: ReportState;

  constructor(
    readonly measure: MeasureState,
    readonly study: StoredStudy,
  ) {
    this.fields = fieldsOf(study.settings).filter(({ title }) => title !== null);
    this.settings = Object.fromEntries(this.fields.map(({ name, initial }) => [name, initial]));
    this.games = builtInGames(measure.domain);
    this.view = new ReportState(measure.lab, study, () => ({ assessments: this.#reported, games: [] }));
  }

  /** Those of the model that is chosen; of a run after an earlier step, those of that step. */
  get ofModel(): StoredRecord[] {
    const { run, step, subject } = this.measure;
    return this.stored.filter((stored) =>
      run === null
        ? stored.run === null && isOf(stored, subject)
        : stored.run === run && (step === null || stored.assessment.subject.steps === step),
    );
  }

  /** Each in one line: when, at which step, what was asked of which games. */
  get list(): { id: string; label: string }[] {
    return this.ofModel.map(({ id, createdAt, asked, assessment, recorded }) => ({
      id,
      label: [
        `${recorded ? `Measured when the model was made, ${day(createdAt)}` : date(createdAt)}, step ${count(assessment.subject.steps)}`,
        this.study.stored.label(assessment),
        ...(asked.games === '' ? [] : [asked.games]),
      ].join(', '),
    }));
  }

  /** The one on show, and those that its report sets beside it. */
  get #reported(): StoredRecord['assessment'][] {
    if (this.shown === null) return [];
    const { assessment } = this.shown;
    const others = this.stored.map((stored) => stored.assessment).filter((other) => other !== assessment);
    return [assessment, ...(this.study.stored.beside?.(assessment, others) ?? [])];
  }

  /** Whether the chosen games are of another set than the model learned from; false while that is not known. */
  get otherGames(): boolean {
    const { run, subject, lab } = this.measure;
    if (this.study.games === null || subject === null) return false;
    return (lab.runs.named(run)?.config.data.games ?? subject.games) !== this.games;
  }

  /** Of another model: its own games first, where this device has them. */
  forget(): void {
    this.shown = this.view.shown = null;
    const { domain, lab, run } = this.measure;
    const read = lab.runs.named(run)?.config.data.games ?? '';
    if (lab.games.named(read)?.domain === domain) this.games = read;
    else if (lab.games.named(this.games)?.domain !== domain) this.games = builtInGames(domain);
  }

  open(id: string): void {
    this.#show(this.ofModel.find((one) => one.id === id) ?? this.shown);
  }

  showNewest(): void {
    if (this.shown === null) this.#show(this.ofModel[0] ?? null);
  }

  async refresh(): Promise<void> {
    const { lab } = this.measure;
    try {
      const stored = await lab.workers.guard(lab.workers.measure.list(this.study.name), 'measure');
      this.stored = [...stored, ...(await lab.shippedScores.of(this.study.name))];
    } catch (error) {
      this.measure.fail(this.study.name, {
        code: 'not-listed',
        message: `The kept assessments could not be read (${failureOf(error).message}). New ones work all the same.`,
      });
    }
  }

  async remove(id: string): Promise<void> {
    const { lab } = this.measure;
    try {
      await lab.workers.guard(lab.workers.measure.remove(this.study.name, id), 'measure');
      this.stored = this.stored.filter((stored) => stored.id !== id);
      if (this.shown?.id === id) this.forget();
    } catch (error) {
      lab.notices.report(failureOf(error));
    }
  }

  /** Asks the model; what it answers, kept or not, is on show then. */
  async ask(): Promise<void> {
    const games = this.study.games === null ? null : this.games;
    const outcome = await this.measure.ask(this.study, $state.snapshot(this.settings), games);
    const stored = (outcome?.stored ?? null) as StoredRecord | null;
    if (stored === null) return;
    this.stored = [stored, ...this.stored];
    this.#show(stored);
  }

  /** Takes a file for a setting that is one. */
  async take(field: Field & { kind: 'file' }, file: File): Promise<void> {
    const { measure, study } = this;
    measure.fail(study.name, null);
    try {
      if (file.size > LARGEST) throw new Error(`it has ${Math.round(file.size / 1e6)} MB`);
      this.settings[field.name] = await file.text();
      this.settings[field.nameIn] = file.name;
    } catch (error) {
      const message = `${file.name} could not be read (${failureOf(error).message}). Choose it again, or another file.`;
      measure.fail(study.name, { code: 'not-read', message });
    }
  }

  #show(stored: StoredRecord | null): void {
    this.shown = stored;
    this.view.shown = null;
  }
}

/** Whether an assessment is of this model: shipped models of several games have one name. */
function isOf({ assessment }: StoredRecord, model: AssessedModel | null): boolean {
  return assessment.subject.name === model?.name && assessment.subject.games === model.games;
}
