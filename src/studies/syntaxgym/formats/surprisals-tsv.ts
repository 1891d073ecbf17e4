import { fail, ok, type Result } from '../../../base/result.ts';

export const HEADER = 'sentence_id\ttoken_id\ttoken\tsurprisal';

/** A sentence's tokens with their surprisals, as a table of lm-zoo has them. */
export interface TokenRow {
  tokens: string[];
  /** Bits. */
  surprisals: number[];
}

/** Printed by get_surprisals: ids from 1, six decimals. */
export function formatSurprisals(
  sentences: Iterable<{ tokens: readonly string[]; surprisals: readonly number[] }>,
): string {
  const lines = [HEADER];
  let sentence = 0;
  for (const { tokens, surprisals } of sentences) {
    sentence++;
    for (const [i, token] of tokens.entries())
      lines.push(`${sentence}\t${i + 1}\t${token}\t${surprisals[i].toFixed(6)}`);
  }
  return lines.join('\n') + '\n';
}

/**
 * The table that get_surprisals prints, by sentence. Columns may be separated by tabs or, as in some of the published
 * files, by spaces. Fails with `bad-surprisals`, naming the line.
 */
export function parseSurprisals(text: string, name: string): Result<TokenRow[]> {
  const rows: TokenRow[] = [];
  const lines = text.split(/\r?\n/);
  const columns = lines[0]
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\s+/);
  if (columns.slice(0, 4).join('\t') !== HEADER) {
    const wanted = HEADER.replaceAll('\t', ', ');
    return fail(
      'bad-surprisals',
      `${name}, line 1: the columns are "${columns.join(', ').slice(0, 80)}"; they must be ${wanted}.`,
      { file: name, line: 1 },
    );
  }
  for (const [i, line] of lines.entries()) {
    if (i === 0 || line.trim() === '') continue;
    const fields = line.includes('\t') ? line.split('\t').map((field) => field.trim()) : line.trim().split(/\s+/);
    const [sentence, , token, bits] = fields;
    const surprisal = bits === '' ? NaN : Number(bits);
    const number = Number(sentence);
    const wrong = (message: string) =>
      fail('bad-surprisals', `${name}, line ${i + 1}: ${message}.`, { file: name, line: i + 1 });
    if (fields.length !== 4) return wrong(`it has ${fields.length} columns and must have 4`);
    if (!Number.isFinite(surprisal)) return wrong(`"${bits.slice(0, 24)}" is no surprisal; write bits`);
    if (number === rows.length + 1) rows.push({ tokens: [], surprisals: [] });
    else if (number !== rows.length || number === 0)
      return wrong(
        `sentence ${sentence.slice(0, 12)} follows sentence ${rows.length}; number sentences from 1 in their order`,
      );
    rows[number - 1].tokens.push(token);
    rows[number - 1].surprisals.push(surprisal);
  }
  return ok(rows);
}
