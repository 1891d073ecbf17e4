/**
 * GELU by its tanh approximation, x / 2 (1 + tanh u), u = sqrt(2 / pi) (x + 0.044715 x^3), as x sigmoid(2u); and its
 * derivative. The exponent is kept in range: WGSL leaves open what an overflow gives.
 */
export const geluFunctions = `
fn geluGate(x: vec4f) -> vec4f {
  let u = x * (1.5957691216057308 + 0.07135481282553684 * x * x);
  return 1.0 / (1.0 + exp(clamp(-u, vec4f(-80.0), vec4f(80.0))));
}
fn gelu(x: vec4f) -> vec4f {
  return x * geluGate(x);
}
fn geluSlope(x: vec4f) -> vec4f {
  let gate = geluGate(x);
  return gate * (1.0 + (1.0 - gate) * x * (1.5957691216057308 + 0.21406443847661052 * x * x));
}`;
