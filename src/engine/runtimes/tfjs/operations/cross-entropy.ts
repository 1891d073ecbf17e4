import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';

/** The least share of the probability that a set is taken to have, as in the kernels. */
const LEAST = 1e-30;

/**
 * Mean cross-entropy in nats over the rows that have a target, and with it the semantic loss of Xu et al. (2018), -log of
 * the probability of a set.
 * @param logits [N, V]
 * @param targets [N, V], distributions: one-hot, or uniform over a set; a row of zeros is no target.
 * @param count number of targets.
 * @param sets [N, V], 1 where a token is in the row's set; anything where `weight` is 0
 * @param weight of the semantic loss
 */
export function crossEntropy(
  logits: tf.Tensor2D,
  targets: tf.Tensor2D,
  count: number,
  sets: tf.Tensor2D = targets,
  weight = 0,
): tf.Scalar {
  if (weight === 0)
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
  return differentiable([logits], () => {
    const probabilities = tf.softmax(logits);
    const likelihood = tf.sum(targetLogProbabilities(logits, probabilities, targets));
    const ofSets = tf.maximum(tf.sum(tf.mul(probabilities, sets), 1, true), LEAST) as tf.Tensor2D; // [N, 1]
    const within = tf.sum(tf.mul(tf.log(ofSets), tf.sum(targets, 1, true)));
    return {
      value: tf.mul(tf.add(likelihood, tf.mul(within, weight)), -1 / count) as tf.Scalar,
      saved: [probabilities, targets, sets, ofSets],
      gradient: (dy: tf.Scalar, probabilities, targets, sets, ofSets) => {
        const chances = tf.mul(probabilities, tf.sum(targets, 1, true));
        const beyond = tf.sub(chances, tf.div(tf.mul(chances, sets), ofSets));
        const excess = tf.add(tf.sub(chances, targets), tf.mul(beyond, weight));
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
