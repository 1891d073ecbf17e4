import type { References } from '../reference.ts';

export const adamwReferences: References<'gradientNorm' | 'adamw'> = {
  gradientNorm({ gradients, norm: result }, _call, { optimizer }) {
    let squares = 0;
    for (const gradient of gradients) squares += gradient ** 2;
    const norm = Math.sqrt(squares);
    result[0] = norm;
    result[1] = optimizer.clipNorm > 0 ? Math.min(1, optimizer.clipNorm / (norm + 1e-6)) : 1;
  },

  adamw({ weights, gradients, first, second, norm: [, factor] }, call, { optimizer, step }) {
    const { learningRate, beta1, beta2, epsilon, weightDecay } = optimizer;
    for (const [start, end] of call.ranges)
      for (let i = start; i < end; i++) {
        const gradient = gradients[i] * factor;
        first[i] = beta1 * first[i] + (1 - beta1) * gradient;
        second[i] = beta2 * second[i] + (1 - beta2) * gradient ** 2;
        const mean = first[i] / (1 - beta1 ** step);
        const square = second[i] / (1 - beta2 ** step);
        weights[i] -= learningRate * weightDecay * weights[i];
        weights[i] -= (learningRate * mean) / (Math.sqrt(square) + epsilon);
      }
  },
};
