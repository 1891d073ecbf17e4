import type { DataStatistics } from '../questions/data-statistics.ts';
import type { SplatAssessment } from '../splat-assessment.ts';

/** What a report on SPLAT is made of. Cells' members index `assessments`. */
export interface SplatReportInput {
  assessments: readonly SplatAssessment[];
  /** The user's own games to learn from, where they are at hand. */
  data: readonly SplatGames[];
}

export interface SplatGames {
  /** As assessments name them (AssessedModel.games). */
  name: string;
  domain: string;
  /** Of the training split, with the questions of one pass. */
  statistics: DataStatistics;
  /** What must be said wherever these games are used. */
  notice?: string;
}
