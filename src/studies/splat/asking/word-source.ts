import type { TextSpelling } from '../../../domains/domain.ts';
import type { Engine } from '../../../engine/engine.ts';
import { topTokens } from '../../asking/metrics.ts';

/** Words that a model writes by greedy decoding, one after another. */
export interface WordSource {
  next(): Promise<string>;
  dispose(): void;
}

/** The words of a model whose tokens are words. */
export function tokenWords(engine: Engine, tokens: readonly string[], prompt: readonly number[]): WordSource {
  const writing = engine.continue(prompt);
  let unread: number | null = null;
  return {
    async next() {
      if (unread !== null) writing.advance(unread);
      [unread] = topTokens(await writing.logits(), 1);
      return tokens[unread];
    },
    dispose: () => writing.dispose(),
  };
}

/**
 * The words of a model of text: a word ends where the likeliest token begins with a space, or a token after the longest
 * word that there is.
 */
export function textWords(engine: Engine, { tokenizer, longest }: TextSpelling, prompt: readonly number[]): WordSource {
  const writing = engine.continue(prompt);
  /** Written and of no word yet. */
  let begun: number[] = [];
  return {
    async next() {
      for (;;) {
        const [token] = topTokens(await writing.logits(), 1);
        const word = tokenizer.decode(begun).trim();
        const whole = word !== '' && (/^\s/.test(tokenizer.decode([token])) || begun.length > longest);
        if (whole) {
          begun = [];
          return word;
        }
        writing.advance(token);
        begun.push(token);
        if (begun.length > longest && tokenizer.decode(begun).trim() === '') return '';
      }
    },
    dispose: () => writing.dispose(),
  };
}
