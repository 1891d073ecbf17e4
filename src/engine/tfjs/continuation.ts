import * as tf from '@tensorflow/tfjs-core';
import type { GptConfig } from '../../models/gpt.ts';
import type { Continuation } from '../engine.ts';
import type { KeysValues } from './attention.ts';
import { causalMask, disposeCache, forward, head, type Parameters } from './forward.ts';
import { oneHotRows } from './one-hot.ts';

/**
 * A sequence written token by token, its keys and values kept. It goes on with the engine's newest parameters:
 * `use` gives them and makes the engine's backend the one in use.
 */
export class TfjsContinuation implements Continuation {
  private cache: KeysValues[] | null = null;
  private next: tf.Tensor2D | null = null;
  private written = 0;
  private gone = false;

  constructor(
    private readonly config: GptConfig,
    private readonly use: () => Parameters,
    prefix: readonly number[],
  ) {
    if (prefix.length === 0) throw new RangeError('continue: a prefix needs its begin token');
    this.write(prefix);
  }

  get length(): number {
    return this.written;
  }

  async logits(): Promise<Float32Array> {
    if (!this.next) throw new Error('this continuation was disposed');
    this.use();
    return (await this.next.data()) as Float32Array;
  }

  advance(token: number): void {
    this.write([token]);
  }

  dispose(): void {
    this.gone = true;
    this.release();
  }

  private release(): void {
    this.next?.dispose();
    if (this.cache) disposeCache(this.cache);
    this.next = this.cache = null;
  }

  private write(tokens: readonly number[]): void {
    if (this.gone) throw new Error('this continuation was disposed');
    const { config, written } = this;
    const columns = tokens.length;
    if (written + columns > config.context)
      throw new RangeError(`continue: ${written + columns} tokens do not fit the model's context of ${config.context}`);
    const parameters = this.use();
    let cache: KeysValues[] = [];
    const next = tf.tidy(() => {
      const chunk = {
        oneHot: oneHotRows(Int32Array.from(tokens), config.vocabulary),
        rows: 1,
        positions: written === 0 ? null : tf.tensor1d([written], 'int32'),
        mask: written === 0 ? causalMask(columns) : tf.scalar(0),
        cache: this.cache,
      };
      const run = forward(config, parameters, chunk, true);
      cache = run.cache;
      return head(parameters, tf.slice(run.hidden, [columns - 1, 0], [1, config.width]));
    });
    this.release();
    this.next = next;
    this.cache = cache;
    this.written += columns;
  }
}
