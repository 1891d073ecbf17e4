import type { Failure } from '../../base/result.ts';
import { failureOf } from '../../base/result.ts';
import type { AnyStudy, Assessed, Stored } from '../../studies/study.ts';
import type { Outcome } from '../../../workers/measure/protocol.ts';
import { count, date } from '../kit/format.ts';
import type { MeasureState } from './measure.svelte.ts';

/** The assessments of one study and one model that this device keeps, the one on show, and the number of it that was chosen. */
export class StoredList<Assessment extends Assessed, Chosen> {
  /** All that this device keeps, newest first; null before they were read. */
  kept = $state.raw<Stored<Assessment>[] | null>(null);
  shown = $state.raw<Stored<Assessment> | null>(null);
  selection = $state.raw<Chosen | null>(null);

  constructor(
    readonly measure: MeasureState,
    readonly study: AnyStudy,
  ) {}

  /** Those of the model that is chosen. */
  get own(): Stored<Assessment>[] {
    const { run, subject } = this.measure;
    return (this.kept ?? []).filter((stored) =>
      run === null ? stored.run === null && stored.assessment.subject.name === subject?.name : stored.run === run,
    );
  }

  /** Each in one line: when, at which step, what was asked of which games. */
  get list(): { id: string; label: string }[] {
    return this.own.map(({ id, createdAt, asked, assessment }) => ({
      id,
      label: [
        `${date(createdAt)}, step ${count(assessment.subject.steps)}`,
        this.study.kept!.label(assessment),
        ...(asked.games === '' ? [] : [asked.games]),
      ].join(', '),
    }));
  }

  forget(): void {
    this.shown = null;
    this.selection = null;
  }

  show(stored: Stored<Assessment>): void {
    this.shown = stored;
    this.selection = null;
  }

  open(id: string): void {
    const stored = this.own.find((one) => one.id === id);
    if (stored) this.show(stored);
  }

  showNewest(): void {
    const [newest] = this.own;
    if (this.shown === null && newest) this.show(newest);
  }

  async refresh(): Promise<void> {
    const { lab } = this.measure;
    try {
      const kept = await lab.workers.guard(lab.workers.measure.list(this.study.name), 'measure');
      this.kept = kept as unknown as Stored<Assessment>[];
    } catch (error) {
      this.kept ??= [];
      this.#fail({
        code: 'not-listed',
        message: `The kept assessments could not be read (${failureOf(error).message}). New ones work all the same.`,
      });
    }
  }

  async remove(id: string): Promise<void> {
    const { lab } = this.measure;
    try {
      await lab.workers.guard(lab.workers.measure.remove(this.study.name, id), 'measure');
      this.kept = (this.kept ?? []).filter((stored) => stored.id !== id);
      if (this.shown?.id === id) this.forget();
    } catch (error) {
      lab.notices.report(failureOf(error));
    }
  }

  /** Takes in what has just been measured, kept or not, and shows it. */
  take({ stored }: Outcome<Assessment>): void {
    if (stored === null) return;
    const one = stored as Stored<Assessment>;
    this.kept = [one, ...(this.kept ?? [])];
    this.show(one);
  }

  #fail(failure: Failure): void {
    this.measure.fail(this.study.name, failure);
  }
}
