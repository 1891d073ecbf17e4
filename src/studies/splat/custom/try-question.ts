import { seededRandom } from '../../../base/random.ts';
import type { CustomQuestion } from '../../../config/questions-schema.ts';
import { makeQuestion } from '../questions/make.ts';
import { splatGameOf } from '../questions/splat-game.ts';
import { customFormOf } from './custom-form.ts';
import type { Read } from './tree.ts';

/** How a question fares on some games. */
export interface Trial {
  /** Every answer it can have, in order, and how often it was the right one. */
  answers: { token: string; label: string; count: number }[];
  /** States asked about. */
  asked: number;
  /** Where the largest number stands for all above it as well, that number; else null. */
  cut: number | null;
  /** The one answer that it had wherever it was asked, in words; null where there were several, or it was never asked. */
  always: string | null;
}

/** States of each game. */
const ASKED_OF_A_GAME = 4;

/**
 * Asks a question of games at points drawn as for training, and counts the answers. Fails as the question's text does;
 * its name and indicator are not looked at, so that it can be tried while it is being written.
 */
export function tryQuestion(
  domain: string,
  custom: Pick<CustomQuestion, 'expression'>,
  traces: Iterable<Uint16Array>,
): Read<Trial> {
  const found = splatGameOf(domain);
  if (!found.ok) return { ok: false, error: { ...found.error, at: 0, end: custom.expression.length } };
  const game = found.value;
  const form = customFormOf({ name: 'tried', indicator: 'Q', expression: custom.expression }, game);
  if (!form.ok) return form;
  const { tokens, labels, cut } = form.value.answersRead;
  const counts = new Map(tokens.map((token) => [token, 0]));
  const alone = { ...game, forms: [form.value] };
  let asked = 0;
  let index = 0;
  for (const trace of traces) {
    for (let k = 0; k < ASKED_OF_A_GAME; k++) {
      const line = makeQuestion(alone, trace, { random: seededRandom('try', index, k), mode: 'released' });
      if (line === null) continue;
      counts.set(line.answer!, counts.get(line.answer!)! + 1);
      asked++;
    }
    index++;
  }
  const answers = tokens.map((token) => ({ token, label: labels.get(token)!, count: counts.get(token)! }));
  const came = answers.filter(({ count }) => count > 0);
  return { ok: true, value: { answers, asked, cut, always: came.length === 1 ? came[0].label : null } };
}
