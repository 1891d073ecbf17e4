import type { Budget } from './budget.ts';
import { fail, ok, type Result } from './result.ts';

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * A JSON text as a value. Its values and its depth are counted before they are made: each takes some sixty bytes, and
 * as few as two of text. Fails with `bad-json`.
 * @throws InputError where it costs more than the budget has
 */
export function parseJson(text: string, file: string, budget: Budget): Result<unknown> {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
      // A comma, or the beginning of an object or a list.
    } else if (code === 44) values++;
    else if (code === 123 || code === 91) {
      values++;
      if (++depth > budget.limits.depth)
        return fail(
          'bad-json',
          `${file}: it is nested more than ${budget.limits.depth} deep; check that it is the right file.`,
          { file },
        );
    } else if (code === 125 || code === 93) depth--;
  }
  budget.values(values, file);
  try {
    return ok(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return fail('bad-json', `${file} is not JSON; check that it is the right file and whole.`, { file });
  }
}
