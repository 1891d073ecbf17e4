import { failureOf, type Failure } from '../../base/result.ts';
import type { MeasureState } from './measure.svelte.ts';

/** Assessments of one model that this device keeps, to open again or to delete. */
export interface Kept {
  /** Newest first, each told in one line. */
  readonly list: readonly { id: string; words: string }[];
  /** The one that is looked at. */
  readonly shown: { id: string } | null;
  open(id: string): void;
  remove(id: string): Promise<void>;
}

/** What is needed of an assessment to keep it. */
interface Stored {
  id: string;
  run: string | null;
  assessment: { subject: { name: string } };
  notKept?: Failure;
}

/** The assessments of a kind that this device keeps, the one on show, and the number of it that was chosen. */
export abstract class KeptAssessments<S extends Stored, Chosen> implements Kept {
  /** All that this device keeps, newest first; null before they were read. */
  kept = $state.raw<S[] | null>(null);
  shown = $state.raw<S | null>(null);
  selection = $state.raw<Chosen | null>(null);

  constructor(
    protected readonly measure: MeasureState,
    private readonly job: Parameters<MeasureState['fail']>[0],
  ) {}

  /** In the worker: all that is kept, and the end of one. */
  protected abstract read(): Promise<S[]>;
  protected abstract erase(id: string): Promise<void>;
  protected abstract wordsOf(stored: S): string;

  /** Those of the model that is chosen. */
  get own(): S[] {
    const { run, subject } = this.measure;
    return (this.kept ?? []).filter((stored) =>
      run === null ? stored.run === null && stored.assessment.subject.name === subject?.name : stored.run === run,
    );
  }

  get list(): { id: string; words: string }[] {
    return this.own.map((stored) => ({ id: stored.id, words: this.wordsOf(stored) }));
  }

  forget(): void {
    this.shown = null;
    this.selection = null;
  }

  show(stored: S): void {
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
    try {
      this.kept = await this.measure.lab.guard(this.read(), 'measure');
    } catch (error) {
      this.kept ??= [];
      this.measure.fail(this.job, {
        code: 'not-listed',
        message: `The kept assessments could not be read (${failureOf(error).message}). New ones work all the same.`,
      });
    }
  }

  async remove(id: string): Promise<void> {
    const { lab } = this.measure;
    try {
      await lab.guard(this.erase(id), 'measure');
      this.kept = (this.kept ?? []).filter((stored) => stored.id !== id);
      if (this.shown?.id !== id) return;
      this.shown = null;
      this.selection = null;
    } catch (error) {
      lab.tell(failureOf(error));
    }
  }

  /** Takes in what has just been measured, kept or not, and shows it. */
  protected take(stored: S): void {
    if (stored.notKept) this.measure.fail(this.job, stored.notKept);
    this.kept = [stored, ...(this.kept ?? [])];
    this.show(stored);
  }
}
