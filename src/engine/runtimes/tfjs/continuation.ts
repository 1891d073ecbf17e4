import * as tf from '@tensorflow/tfjs-core';
import { slotsOf } from '../../../base/slot-grammar.ts';
import type { ModelConfig } from '../../../models/model.ts';
import type { Continuation } from '../../engine.ts';
import { grammarOf, inputsOf } from './networks/inputs.ts';
import type { Memory, Network, Parameters } from './networks/network.ts';

/**
 * A sequence written token by token, what the model keeps of it kept. It goes on with the engine's newest parameters:
 * `use` gives them and makes the engine's backend the one in use.
 */
export class TfjsContinuation implements Continuation {
  private memory: Memory | null = null;
  private next: tf.Tensor2D | null = null;
  private written = 0;
  /** Of the slot grammar, after what is written. */
  private state = 0;
  private gone = false;

  constructor(
    private readonly model: ModelConfig,
    private readonly network: Network,
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
    if (this.memory) tf.dispose(this.memory.flat());
    this.next = this.memory = null;
  }

  private write(tokens: readonly number[]): void {
    if (this.gone) throw new Error('this continuation was disposed');
    const { model, written } = this;
    if (written + tokens.length > model.context)
      throw new RangeError(
        `continue: ${written + tokens.length} tokens do not fit the model's context of ${model.context}`,
      );
    const parameters = this.use();
    const { slots, state } = this.read(tokens);
    let memory: Memory = [];
    const next = tf.tidy(() => {
      const inputs = inputsOf(model, Int32Array.from(tokens), slots, 1);
      const run = this.network.extend(parameters, inputs, this.memory, written);
      memory = run.memory.map((layer) => layer.map((tensor) => tf.keep(tensor)));
      return run.next;
    });
    this.release();
    this.next = next;
    this.memory = memory;
    this.state = state;
    this.written += tokens.length;
  }

  /** The slots of tokens that follow, and the grammar's state after them. */
  private read(tokens: readonly number[]): { slots: Int32Array | null; state: number } {
    const grammar = grammarOf(this.model);
    return grammar ? slotsOf(grammar, tokens, this.state) : { slots: null, state: 0 };
  }
}
