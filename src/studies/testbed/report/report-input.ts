import * as v from 'valibot';
import { promotionOf } from '../../../domains/chess/rules/move.ts';
import { whole } from '../../stored-numbers.ts';
import type { Assessment } from '../assessment.ts';

/** What a report is made of. Cells' members index `assessments`. */
export interface ReportInput {
  assessments: readonly Assessment[];
  /** The user's own games, where they are at hand. */
  games: GamesFacts | null;
}

/** What the tables tell of the games themselves (paper, appendix D). */
export const GamesFactsSchema = v.object({
  name: v.string(),
  /** The file that the questions come from, where they were not made from these games. */
  questions: v.optional(v.string()),
  /** Games and plies of each split. */
  splits: v.array(v.object({ name: v.string(), games: whole, plies: whole })),
  /** Games of the training split by their length in UCI tokens, `width` tokens a column, the first from 0. */
  lengths: v.nullable(v.object({ width: v.pipe(whole, v.minValue(1)), counts: v.array(whole) })),
});
export type GamesFacts = v.InferOutput<typeof GamesFactsSchema>;

/** Tokens a column of Figure 3 is wide. */
const WIDTH = 20;

/** The facts of chess games in packed moves (src/domains/chess/formats/uci.ts), by split; lengths are of the split "train". */
export function gamesFacts(name: string, splits: Readonly<Record<string, Iterable<Uint16Array>>>): GamesFacts {
  const counts: number[] = [];
  const each = Object.entries(splits).map(([split, games]) => {
    const facts = { name: split, games: 0, plies: 0 };
    for (const game of games) {
      facts.games++;
      facts.plies += game.length;
      if (split === 'train') {
        const column = Math.floor(uciTokens(game) / WIDTH);
        while (counts.length <= column) counts.push(0);
        counts[column]++;
      }
    }
    return facts;
  });
  return { name, splits: each, lengths: counts.length === 0 ? null : { width: WIDTH, counts } };
}

/** Two squares a move, and the letter of a promotion; the signs of beginning and end are not counted. */
function uciTokens(game: Uint16Array): number {
  let tokens = 2 * game.length;
  for (const move of game) if (promotionOf(move) !== 0) tokens++;
  return tokens;
}
