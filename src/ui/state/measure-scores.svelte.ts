import { transferring } from '../../../workers/wire.ts';
import type { StoredAssessment } from '../../../workers/measure/protocol.ts';
import { failureOf } from '../../base/result.ts';
import type { PrefixRange } from '../../probes/scores.ts';
import type { Cell, Member } from '../../reports/table.ts';
import { count, date } from '../kit/format.ts';
import type { Kept } from './measure-kept.ts';
import { buffersOf } from './measure-games.ts';
import type { MeasureState } from './measure.svelte.ts';

/** The authors' seed of instance choice. */
const SEED = 42;

/** What is asked for in the form. */
export interface ProbeForm {
  instances: '20' | '100' | '300' | '1000';
  ranges: 'long' | 'short' | 'both';
  randomPlay: boolean;
  perplexityGames: number;
  games: string;
}

/** The number that was chosen in a table, and the answers behind it. */
export interface Selection {
  cell: Cell;
  members: Member[];
  words: string;
}

/** Assessments: the one on show, those that are kept, and the form for the next. */
export class ScoresState implements Kept {
  form = $state<ProbeForm>({
    instances: '100',
    ranges: 'both',
    randomPlay: false,
    perplexityGames: 100,
    games: 'embedded',
  });
  /** All that this device keeps, newest first; null before they were read. */
  kept = $state.raw<StoredAssessment[] | null>(null);
  shown = $state.raw<StoredAssessment | null>(null);
  /** Place of the set of instances that is looked at. */
  set = $state(0);
  selection = $state.raw<Selection | null>(null);
  readonly #measure: MeasureState;

  constructor(measure: MeasureState) {
    this.#measure = measure;
  }

  /** Those of the model that is chosen. */
  get own(): StoredAssessment[] {
    const { run, subject } = this.#measure;
    return (this.kept ?? []).filter((stored) =>
      run === null ? stored.run === null && stored.assessment.subject.name === subject?.name : stored.run === run,
    );
  }

  get list(): { id: string; words: string }[] {
    return this.own.map(({ id, createdAt, asked, assessment }) => {
      const random = asked.randomPlay ? ', random play too' : '';
      return {
        id,
        words: `${date(createdAt)}, step ${count(assessment.subject.steps)}, ${count(asked.instances)} positions of each kind${random}, ${asked.games}`,
      };
    });
  }

  forget(): void {
    this.shown = null;
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

  show(stored: StoredAssessment): void {
    this.shown = stored;
    this.set = Math.min(this.set, Math.max(0, stored.assessment.sets.length - 1));
    this.selection = null;
  }

  /** Reads what is kept; the newest of the chosen model is shown where nothing is. */
  async refresh(): Promise<void> {
    const { lab } = this.#measure;
    try {
      this.kept = await lab.guard(lab.measure.assessments(), 'measure');
    } catch (error) {
      this.kept ??= [];
      this.#measure.fail('assess', {
        code: 'not-listed',
        message: `The kept assessments could not be read (${failureOf(error).message}). New ones work all the same.`,
      });
    }
  }

  async probe(): Promise<void> {
    const measure = this.#measure;
    const { instances, ranges, randomPlay, perplexityGames, games: key } = this.form;
    const asked: PrefixRange[] = ranges === 'both' ? ['long', 'short'] : [ranges];
    const stored = await measure.measure('assess', async (service, onProgress) => {
      const { summary, train, dev, test, probe } = await measure.games(key);
      const request = {
        games: { train, dev, test, probe },
        ranges: asked,
        instances: Number(instances),
        perplexityGames,
        randomPlay,
        seed: SEED,
      };
      const moved = transferring(request, [train, dev, test, probe].flatMap(buffersOf));
      return service.assess(moved, summary.title, onProgress);
    });
    if (stored === null) return;
    if (stored.notKept) measure.fail('assess', stored.notKept);
    this.kept = [stored, ...(this.kept ?? [])];
    this.set = 0;
    this.show(stored);
  }

  async remove(id: string): Promise<void> {
    const { lab } = this.#measure;
    try {
      await lab.guard(lab.measure.removeAssessment(id), 'measure');
      this.kept = (this.kept ?? []).filter((stored) => stored.id !== id);
      if (this.shown?.id === id) this.forget();
    } catch (error) {
      lab.tell(failureOf(error));
    }
  }
}
