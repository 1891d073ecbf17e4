import { sink } from '../../../workers/wire.ts';
import type { StoredSplat } from '../../../workers/measure/protocol.ts';
import type { GamesSummary } from '../../../workers/data/protocol.ts';
import type { SplatAssessment } from '../../studies/splat/splat-assessment.ts';
import { drawsOwn } from '../../report/report.ts';
import { gameTitle, modelWords, splatConfigurations } from '../../studies/splat/report/configurations.ts';
import { splatHtml, splatNotice } from '../../studies/splat/report/html.ts';
import type { SplatGames, SplatReportInput } from '../../studies/splat/report/report-input.ts';
import { splatFigures, splatTablesByGame } from '../../studies/splat/report/report.ts';
import type { Figure, Table } from '../../report/table.ts';
import { count, date } from '../kit/format.ts';
import { CompareSheet } from './sheet.svelte.ts';
import { splatGamesOf } from './splat-games.ts';

/** SPLAT's tables and figures (Demeter and Downey 2021), of all games in words together. */
export class SplatSheet extends CompareSheet<StoredSplat> {
  readonly files = 'blindfold-splat';

  /** Sets of games that were counted (Table 2), by key; null while one is counted, and where it could not be. */
  #counted = $state.raw<Readonly<Record<string, SplatGames | null>>>({});
  /** Keys of the sets that the chosen models have read and that this device has. */
  #keys = $derived(
    this.chosen
      .flatMap((one) => setOf(this.lab.games, one)?.key ?? [])
      .filter((key, at, all) => all.indexOf(key) === at),
  );

  assessments = $derived<SplatAssessment[]>(this.chosen.map((one) => titled(one, setOf(this.lab.games, one))));
  input = $derived<SplatReportInput>({
    assessments: this.assessments,
    data: this.#keys.flatMap((key) => this.#counted[key] ?? []),
  });

  protected read(): Promise<StoredSplat[]> {
    return this.lab.measure.splats();
  }

  protected erase(id: string): Promise<void> {
    return this.lab.measure.removeSplat(id);
  }

  protected everyTable(): Table[] {
    return splatTablesByGame(this.input);
  }

  /** The paper's own figure is a picture without numbers, so that there is nothing to draw of it alone. */
  protected everyFigure(): Figure[] {
    return splatFigures(this.input).filter(drawsOwn);
  }

  override get notice(): string {
    return splatNotice(this.input).notice ?? '';
  }

  modelWords({ assessment }: StoredSplat): string {
    const [one] = splatConfigurations([assessment]);
    const { steps, seed } = one.subject;
    return `${gameTitle(one.domain)}, ${modelWords(one)}, ${count(steps)} steps, seed ${seed}`;
  }

  askedWords({ asked, createdAt }: StoredSplat): string {
    return `${count(asked.questions)} questions of each kind, from ${asked.games}, ${date(createdAt)}`;
  }

  html(made: string): string {
    return splatHtml(this.input, { device: null, command: null, date: made });
  }

  json(): string {
    return JSON.stringify(this.input);
  }

  /** Counts the games that the chosen models have read, one set after another; where they are gone it stays undone. */
  async countGames(): Promise<void> {
    for (const key of this.#keys) {
      if (key in this.#counted) continue;
      this.#counted = { ...this.#counted, [key]: null };
      try {
        const opened = await this.lab.guard(
          this.lab.data.open(
            key,
            sink(() => {}),
          ),
        );
        const games = opened.ok ? await splatGamesOf(opened.value) : null;
        this.#counted = { ...this.#counted, [key]: games };
      } catch (error) {
        this.fail(error);
      }
    }
  }
}

/** The set of games that a model learned from, where this device has it. */
function setOf(games: readonly GamesSummary[] | null, { assessment }: StoredSplat): GamesSummary | null {
  const { domain, subject } = assessment;
  return games?.find((set) => set.key === subject.games && set.domain === domain) ?? null;
}

/** The same, its games named as people know them rather than by their key. */
function titled({ assessment }: StoredSplat, set: GamesSummary | null): SplatAssessment {
  return set === null ? assessment : { ...assessment, subject: { ...assessment.subject, games: set.title } };
}
