import { fail, ok, type Result } from '../../base/result.ts';
import { wordRules } from '../../base/tokenizer-rules.ts';
import type { Notation } from '../domain.ts';
import { EVENT_WORDS, splatLabels } from '../splat-labels.ts';
import { tokensOf, VERBS } from './events.ts';
import { baseballSlots } from './slots.ts';
import { replayTokens } from './traces.ts';
import { validTokens } from './valid-tokens.ts';
import { BEGIN_TOKEN, END_TOKEN, PAD_TOKEN, vocabulary } from './vocabulary.ts';

/** Tokens of the longest verb. */
const LONGEST = 1 + Math.max(...VERBS.map(({ takes }) => takes.length));

/** SPLAT's own writing of baseball (paper, section 3.2): a token for each verb and each argument. */
export const splatNotation: Notation = {
  name: 'splat',
  labels: splatLabels(EVENT_WORDS),
  nameShare: 0,
  tokensPer: 'event',
  vocabulary,
  slots: baseballSlots,
  tokenizerRules: (slots) => (slots ? null : wordRules(vocabulary.tokens)),
  encode: (trace, { closed }) => {
    const ids = [BEGIN_TOKEN];
    for (let i = 0; i < trace.length; i++) for (const token of tokensOf(trace[i])) ids.push(vocabulary.id(token)!);
    if (closed) ids.push(END_TOKEN);
    return ids;
  },
  decode,
  valid: validTokens,
  mutedInEvaluation: [],
  maxTokens: (events) => 2 + LONGEST * events,
};

/** Reads tokens back and checks every verb against the rules. */
function decode(tokens: ArrayLike<number>): Result<Uint16Array> {
  if (tokens[0] !== BEGIN_TOKEN) return fail('no-begin', 'The tokens do not start with [start]; put it first.');
  let end = 1;
  while (end < tokens.length && tokens[end] !== END_TOKEN && tokens[end] !== PAD_TOKEN) end++;
  for (let at = tokens[end] === END_TOKEN ? end + 1 : end; at < tokens.length; at++)
    if (tokens[at] !== PAD_TOKEN)
      return fail('bad-tokens', `${tell(tokens[at])} follows the end of the game (token ${at + 1}).`);
  const words = Array.from({ length: end - 1 }, (_, i) => tell(tokens[i + 1]));
  const replayed = replayTokens(words, { firstToken: 2 });
  return replayed.ok ? ok(replayed.value.trace) : replayed;
}

function tell(token: number): string {
  return vocabulary.tokens[token] ?? `token ${token}`;
}
