import { transferring } from '../../../../workers/wire.ts';
import type { StoredAssessment } from '../../../../workers/measure/protocol.ts';
import { INSTANCE_SEED } from '../../../config/instance-seed.ts';
import type { PrefixRange } from '../../../studies/scores.ts';
import type { Cell, Member } from '../../../report/table.ts';
import { count, date } from '../../kit/format.ts';
import { KeptAssessments } from '../stored-list.svelte.ts';
import { buffersOf } from '../measured-games.ts';
import type { MeasureState } from '../measure.svelte.ts';

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
export class ScoresState extends KeptAssessments<StoredAssessment, Selection> {
  form = $state<ProbeForm>({
    instances: '100',
    ranges: 'both',
    randomPlay: false,
    perplexityGames: 100,
    games: 'embedded',
  });
  /** Place of the set of instances that is looked at. */
  set = $state(0);

  constructor(measure: MeasureState) {
    super(measure, 'assess');
  }

  protected read(): Promise<StoredAssessment[]> {
    return this.measure.lab.measure.assessments();
  }

  protected erase(id: string): Promise<void> {
    return this.measure.lab.measure.removeAssessment(id);
  }

  protected wordsOf({ createdAt, asked, assessment }: StoredAssessment): string {
    const random = asked.randomPlay ? ', random play too' : '';
    return `${date(createdAt)}, step ${count(assessment.subject.steps)}, ${count(asked.instances)} positions of each kind${random}, ${asked.games}`;
  }

  override show(stored: StoredAssessment): void {
    super.show(stored);
    this.set = Math.min(this.set, Math.max(0, stored.assessment.sets.length - 1));
  }

  async probe(): Promise<void> {
    const { measure } = this;
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
        seed: INSTANCE_SEED,
      };
      const moved = transferring(request, [train, dev, test, probe].flatMap(buffersOf));
      return service.assess(moved, summary.title, onProgress);
    });
    if (stored === null) return;
    this.set = 0;
    this.take(stored);
  }
}
