import { ok } from '../../base/result.ts';
import { wordRules } from '../../base/tokenizer-rules.ts';
import type { Notation } from '../domain.ts';
import { EVENT_WORDS, splatLabels } from '../splat-labels.ts';
import { SPLAT, wordsOfGame } from '../splat-tokens.ts';
import { tokensOf, VERBS } from './events.ts';
import { baseballSlots } from './slots.ts';
import { replayTokens } from './traces.ts';
import { validTokens } from './valid-tokens.ts';
import { BEGIN_TOKEN, END_TOKEN, vocabulary } from './vocabulary.ts';

/** Tokens of the longest verb. */
const LONGEST = 1 + Math.max(...VERBS.map(({ takes }) => takes.length));

/** SPLAT's own writing of baseball (paper, section 3.2): a token for each verb and each argument. */
export const splatNotation: Notation = {
  ...SPLAT,
  labels: splatLabels(EVENT_WORDS),
  vocabulary,
  slots: baseballSlots,
  tokenizerRules: (slots) => (slots ? null : wordRules(vocabulary.tokens)),
  encode: (trace, { closed }) => {
    const ids = [BEGIN_TOKEN];
    for (let i = 0; i < trace.length; i++) for (const token of tokensOf(trace[i])) ids.push(vocabulary.id(token)!);
    if (closed) ids.push(END_TOKEN);
    return ids;
  },
  /** Reads tokens back and checks every verb against the rules. */
  decode(tokens) {
    const words = wordsOfGame(vocabulary, tokens);
    if (!words.ok) return words;
    const replayed = replayTokens(words.value, { firstToken: 2 });
    return replayed.ok ? ok(replayed.value.trace) : replayed;
  },
  valid: validTokens,
  maxTokens: (events) => 2 + LONGEST * events,
};
