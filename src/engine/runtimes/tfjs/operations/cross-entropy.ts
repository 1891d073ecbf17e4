import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';

/**
 * Mean cross-entropy in nats over the rows that have a target.
 * @param logits [N, V]
 * @param targets [N, V], distributions: one-hot, or uniform over a set; a row of zeros is no target.
 * @param count number of targets.
 */
export function crossEntropy(logits: tf.Tensor2D, targets: tf.Tensor2D, count: number): tf.Scalar {
  return differentiable([logits], () => {
    const probabilities = tf.softmax(logits);
    return {
      value: tf.mul(tf.sum(targetLogProbabilities(logits, probabilities, targets)), -1 / count) as tf.Scalar,
      saved: [probabilities, targets],
      gradient: (dy: tf.Scalar, probabilities: tf.Tensor2D, targets: tf.Tensor2D) => {
        const wanted = tf.sum(targets, 1, true); // [N, 1]: 1 where the row has a target
        const excess = tf.sub(tf.mul(probabilities, wanted), targets);
        return [tf.mul(excess, tf.mul(dy, 1 / count))];
      },
    };
  });
}

/** Log-probability of each row's target, [N]; 0 where the row has none. */
export function logLikelihoods(logits: tf.Tensor2D, targets: tf.Tensor2D): tf.Tensor1D {
  return tf.tidy(() => targetLogProbabilities(logits, tf.softmax(logits), targets));
}

/**
 * log p(target) = z(target) - max z + log(max p), since the largest probability is 1 / sum exp(z - max z). It is at
 * least 1 / V, so nothing underflows, and no second pass of exponentials over [N, V] is needed.
 */
function targetLogProbabilities(logits: tf.Tensor2D, probabilities: tf.Tensor2D, targets: tf.Tensor2D): tf.Tensor1D {
  const wanted = tf.sum(targets, 1); // [N]
  const target = tf.sum(tf.mul(logits, targets), 1);
  const normaliser = tf.sub(tf.log(tf.max(probabilities, 1)), tf.max(logits, 1));
  return tf.add(target, tf.mul(normaliser, wanted));
}
