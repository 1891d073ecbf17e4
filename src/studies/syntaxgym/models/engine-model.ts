import { batchOf } from '../../../base/batch.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import type { Engine } from '../../../engine/engine.ts';
import { pauseOf } from '../../asking/cancellation.ts';
import { mute } from '../../asking/metrics.ts';
import type { Predictions, ScoredTokens, SuiteModel } from '../suite-model.ts';
import type { ReadSentence, SentenceReader } from './sentence-reader.ts';

/** Small enough that a prompt waiting behind one batch still feels immediate. */
const ROWS = 8;

/** A model that an engine runs, over whatever its tokens are read from. */
export function engineModel(engine: Engine, reader: SentenceReader, name: string): SuiteModel {
  const { context } = engine.model;
  const read = (sentence: string): Result<ReadSentence> => {
    const tokens = reader.read(sentence);
    if (!tokens.ok || tokens.value.ids.length <= context) return tokens;
    return fail(
      'too-long',
      `the sentence has ${tokens.value.ids.length} tokens and the model reads ${context}; write a shorter one.`,
    );
  };
  const mutedFor = ({ ids }: ReadSentence): readonly number[] => reader.muted(ids);

  return {
    name,
    spec: reader.spec(name),
    tokenize: read,

    async surprisals(sentences, measuring) {
      const pause = pauseOf(measuring);
      const tokenized = sentences.map(read);
      const found = tokenized as Result<ScoredTokens>[];
      const rows = tokenized.flatMap((tokens, at) => (tokens.ok ? [{ at, tokens: tokens.value }] : []));
      // Rows of a batch are muted alike and of similar length.
      rows.sort(
        (a, b) => mutedFor(a.tokens).length - mutedFor(b.tokens).length || a.tokens.ids.length - b.tokens.ids.length,
      );
      for (let from = 0; from < rows.length;) {
        const muted = mutedFor(rows[from].tokens);
        let to = from + 1;
        while (to < rows.length && to - from < ROWS && mutedFor(rows[to].tokens).length === muted.length) to++;
        const some = rows.slice(from, to);
        const batch = batchOf(some.map(({ tokens }) => tokens.ids));
        const logProbabilities = await engine.logProbabilities(batch, muted);
        for (const [row, { at, tokens }] of some.entries()) {
          const bits = (i: number): number => Math.max(0, -logProbabilities[batch.offsets[row] + i - 1] / Math.LN2);
          found[at] = ok({ ...tokens, surprisals: tokens.ids.map((_, i) => (i === 0 ? 0 : bits(i))) });
        }
        from = to;
        await pause();
      }
      return found;
    },

    async predictions(sentence): Promise<Result<Predictions>> {
      const tokens = read(sentence);
      if (!tokens.ok) return tokens;
      const { ids } = tokens.value;
      const { vocabulary: size } = engine.model;
      const rows: Float32Array[] = [new Float32Array(size).fill(-Math.log(size))];
      const continuation = engine.continue([ids[0]]);
      try {
        for (let i = 1; i < ids.length; i++) {
          rows.push(logSoftmax(mute(await continuation.logits(), mutedFor(tokens.value))));
          if (i + 1 < ids.length) continuation.advance(ids[i]);
        }
      } finally {
        continuation.dispose();
      }
      return ok({ tokens: tokens.value.tokens, ids, logProbabilities: rows });
    },
  };
}

function logSoftmax(logits: Float32Array): Float32Array {
  let largest = -Infinity;
  for (const logit of logits) largest = Math.max(largest, logit);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - largest);
  const norm = largest + Math.log(sum);
  return Float32Array.from(logits, (logit) => Math.min(0, logit - norm));
}
