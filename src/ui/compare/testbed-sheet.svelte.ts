import { sink } from '../../../workers/wire.ts';
import type { StoredAssessment } from '../../../workers/measure/protocol.ts';
import { Corpus } from '../../data/corpus.ts';
import type { Assessment } from '../../studies/testbed/assessment.ts';
import { prefixRanges } from '../../studies/scores.ts';
import { htmlReport } from '../../studies/testbed/report/html.ts';
import { gamesFacts, type GamesFacts, type ReportInput } from '../../studies/testbed/report/report-input.ts';
import { figuresOf, galleriesOf, tablesOf } from '../../studies/testbed/report/report.ts';
import type { Figure, Table } from '../../report/table.ts';
import { count, date, roundCount } from '../kit/format.ts';
import { CompareSheet } from './sheet.svelte.ts';

/** The chess testbed's tables and figures (Toshniwal et al. 2022). */
export class TestbedSheet extends CompareSheet<StoredAssessment> {
  readonly files = 'blindfold';

  assessments = $derived<Assessment[]>(this.chosen.map(({ assessment }) => assessment));
  /** Title of the games that all chosen runs were measured on; null where they differ. */
  gamesTitle = $derived.by(() => {
    const [first, ...others] = this.chosen.map(({ asked }) => asked.games);
    return first !== undefined && others.every((title) => title === first) ? first : null;
  });
  #facts = $state.raw<GamesFacts | null>(null);
  input = $derived<ReportInput>({
    assessments: this.assessments,
    games: this.#facts?.name === this.gamesTitle ? this.#facts : null,
  });
  galleries = $derived(galleriesOf(this.input));

  protected read(): Promise<StoredAssessment[]> {
    return this.lab.measure.assessments();
  }

  protected erase(id: string): Promise<void> {
    return this.lab.measure.removeAssessment(id);
  }

  protected everyTable(): Table[] {
    return tablesOf(this.input);
  }

  protected everyFigure(): Figure[] {
    return figuresOf(this.input);
  }

  modelWords({ assessment: { subject } }: StoredAssessment): string {
    const { notation, objective, parameters, steps, trainGames, seed } = subject;
    const pieces =
      notation === 'uci' ? 'UCI' : notation === 'ap' ? 'piece names always' : `piece names ${notation.slice(4)}%`;
    return [
      pieces,
      ...(objective === 'valid' ? ['all valid moves'] : []),
      `${roundCount(parameters)} parameters`,
      `${count(steps)} steps`,
      ...(trainGames === null ? [] : [`${count(trainGames)} games`]),
      `seed ${seed}`,
    ].join(', ');
  }

  askedWords({ asked, createdAt }: StoredAssessment): string {
    const ranges = asked.ranges.map((range) => prefixRanges[range].join('–')).join(' and ');
    return `${count(asked.instances)} positions of ${ranges} plies, from ${asked.games}, ${date(createdAt)}`;
  }

  html(made: string): string {
    return htmlReport(this.input, { device: null, command: null, date: made });
  }

  json(): string {
    return JSON.stringify(this.input);
  }

  /** Counts the chosen runs' games (Table 9, Figure 3), which takes a moment; where they are gone it stays undone. */
  async countGames(): Promise<void> {
    const title = this.gamesTitle;
    const set = this.lab.games?.find((games) => games.title === title);
    if (!set || this.#facts?.name === title) return;
    try {
      const opened = await this.lab.guard(
        this.lab.data.open(
          set.key,
          sink(() => {}),
        ),
      );
      if (!opened.ok) return;
      const { train, dev, test, probe } = opened.value;
      const [a, b, c, d] = [train, dev, test, probe].map(({ moves, offsets }) => new Corpus(moves, offsets));
      this.#facts = gamesFacts(set.title, { train: a, dev: b, ...(c.length > 0 ? { test: c } : {}), probe: d });
    } catch (error) {
      this.fail(error);
    }
  }
}
