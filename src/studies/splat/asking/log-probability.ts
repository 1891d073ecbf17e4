/** Log-probability of a token by next-token logits [V], in nats and double precision. */
export function logProbability(logits: ArrayLike<number>, token: number): number {
  let largest = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i] > largest) largest = logits[i];
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - largest);
  return logits[token] - largest - Math.log(sum);
}
