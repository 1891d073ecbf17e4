const linearTerm = Math.sqrt(2 / Math.PI);
const cubicTerm = linearTerm * 0.044715;

/** GELU by its tanh approximation (Hendrycks and Gimpel 2016), for the references. */
export function gelu(x: number): number {
  return 0.5 * x * (1 + Math.tanh(linearTerm * x + cubicTerm * x ** 3));
}

/** Its derivative. */
export function geluSlope(x: number): number {
  const bent = Math.tanh(linearTerm * x + cubicTerm * x ** 3);
  return 0.5 * (1 + bent) + 0.5 * x * (1 - bent ** 2) * (linearTerm + 3 * cubicTerm * x ** 2);
}
