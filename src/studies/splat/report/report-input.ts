import * as v from 'valibot';
import { DataStatisticsSchema } from '../questions/data-statistics.ts';
import type { SplatAssessment } from '../splat-assessment.ts';

/** What a report on SPLAT is made of. Cells' members index `assessments`. */
export interface SplatReportInput {
  assessments: readonly SplatAssessment[];
  /** The user's own games to learn from, where they are at hand. */
  data: readonly SplatGames[];
}

export const SplatGamesSchema = v.object({
  /** As assessments name them (AssessedModel.games). */
  name: v.string(),
  domain: v.string(),
  /** Of the training split, with the questions of one pass. */
  statistics: DataStatisticsSchema,
  /** What must be said wherever these games are used. */
  notice: v.optional(v.string()),
});
export type SplatGames = v.InferOutput<typeof SplatGamesSchema>;
