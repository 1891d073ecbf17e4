import { ok, type Result, type Where } from '../base/result.ts';

/** What a source says about a game beside its moves; fields it does not say are absent or undefined. */
export interface GameMeta {
  /** "1-0", "0-1", "1/2-1/2" or "*". */
  result?: string;
  /** How it ended, in the source's words: "checkmate", "resignation", "Time forfeit". */
  termination?: string;
  whiteElo?: number;
  blackElo?: number;
}

/** Code of the failure of a file that holds another game than the one wanted. */
export const OTHER_GAME = 'other-game';

/** One game as it was read: its trace, checked against the rules, and where it stood. */
export interface GameRecord {
  /** The domain's event codes; for chess one packed move a ply, for baseball one verb. */
  events: Uint16Array;
  meta: GameMeta;
  where: Where;
  /** What its source wants said wherever the game is used (Retrosheet's one condition). */
  notice?: string;
}

/** A game at a place of a file ("line 12", "row 3"), or its failure with that place in front of the message. */
export function recordOf(
  trace: Result<Uint16Array>,
  meta: GameMeta,
  file: string,
  line: number,
  unit: 'line' | 'row' = 'line',
): Result<GameRecord> {
  if (trace.ok) return ok({ events: trace.value, meta, where: { file, line } });
  const { code, message, where } = trace.error;
  // That a file holds another game is true of all of it, whichever line told.
  if (code === OTHER_GAME) return trace;
  return {
    ok: false,
    error: { code, message: `${file}, ${unit} ${line}: ${message}`, where: { ...where, file, line } },
  };
}

/** The known fields among a JSON object's or a table row's, whichever of the usual names they have. */
export function metaOf(fields: Record<string, unknown>): GameMeta {
  const text = (...names: string[]) =>
    flat(names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value !== ''));
  const rating = (...names: string[]) => {
    for (const name of names) {
      const value = Number(fields[name] ?? NaN);
      if (Number.isInteger(value) && value > 0) return value;
    }
    return undefined;
  };
  return {
    result: text('result', 'Result'),
    termination: text('termination', 'Termination'),
    whiteElo: rating('white_elo', 'whiteElo', 'WhiteElo'),
    blackElo: rating('black_elo', 'blackElo', 'BlackElo'),
  };
}

/** A copy that does not keep the text it was cut from alive: engines make a long slice a view of the whole. */
function flat(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (JSON.parse(JSON.stringify(text)) as string);
}
