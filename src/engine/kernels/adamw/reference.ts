import type { CallContext } from '../../plan/kernel-device.ts';
import type { AdamWUpdate, GradientNorm } from '../../plan/plan.ts';
import { valuesOf, type ReferenceContents } from '../reference.ts';

export function gradientNormReference(
  call: GradientNorm,
  contents: ReferenceContents,
  { optimizer }: CallContext,
): void {
  const gradients = valuesOf(contents, call.gradients);
  const result = valuesOf(contents, call.norm);
  let squares = 0;
  for (const gradient of gradients) squares += gradient ** 2;
  const norm = Math.sqrt(squares);
  result[0] = norm;
  result[1] = optimizer.clipNorm > 0 ? Math.min(1, optimizer.clipNorm / (norm + 1e-6)) : 1;
}

export function adamwReference(call: AdamWUpdate, contents: ReferenceContents, { optimizer, step }: CallContext): void {
  const { learningRate, beta1, beta2, epsilon, weightDecay } = optimizer;
  const weights = valuesOf(contents, call.weights);
  const gradients = valuesOf(contents, call.gradients);
  const first = valuesOf(contents, call.first);
  const second = valuesOf(contents, call.second);
  const factor = valuesOf(contents, call.norm)[1];
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
}
