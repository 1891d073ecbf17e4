import * as tf from '@tensorflow/tfjs-core';
import type { Plan } from '../../plan/plan.ts';
import { loadBackend, useBackend } from '../tfjs/backend.ts';

/** The arena of weights as TF.js sees it: one flat tensor without a copy, since a tensor cannot begin inside a buffer. */
export class SharedTensors {
  private whole: tf.Tensor1D | null = null;

  constructor(
    private readonly weights: GPUBuffer,
    private readonly plan: Plan,
  ) {}

  async all(): Promise<tf.Tensor1D> {
    await loadBackend('webgpu');
    if (!this.whole) {
      const tensor = tf.tensor({ buffer: this.weights, zeroCopy: true }, [this.plan.parameterLength], 'float32');
      this.whole = tf.keep(tensor) as tf.Tensor1D;
    }
    return this.whole;
  }

  async parameter(name: string): Promise<tf.Tensor> {
    const place = this.plan.parameters.find((one) => one.name === name);
    if (!place) throw new Error(`no parameter named ${name}`);
    const all = await this.all();
    return tf.tidy(() => tf.reshape(tf.slice(all, place.offset, place.length), place.shape));
  }

  dispose(): void {
    if (!this.whole) return;
    // A lost device has taken its backend along.
    if ('webgpu' in tf.engine().registry) {
      useBackend('webgpu');
      this.whole.dispose();
    }
    this.whole = null;
  }
}
