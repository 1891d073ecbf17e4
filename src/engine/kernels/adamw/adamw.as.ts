import { Adamw, GradientNorm } from '../../wasm-kit/built/tables.as';
import { barrier, claim, runtime } from '../../wasm-kit/runtime.as';
import { madd, splat } from '../../wasm-kit/vector.as';

/** Elements that one thread takes at a time; also what partial sums are of, so that the whole never depends on threads. */
const CHUNK = 8192;

export function gradientNorm(call: GradientNorm, thread: i32): void {
  const gradients = call.gradients, length = call.length, norm = call.norm;
  const chunks = (length + CHUNK - 1) / CHUNK;
  for (let chunk = claim(call, 0); chunk < chunks; chunk = claim(call, 0)) {
    const first = chunk * CHUNK, last = min(first + CHUNK, length);
    let low = f64x2.splat(0), high = f64x2.splat(0);
    let i = first;
    for (; i + 4 <= last; i += 4) {
      const g = v128.load(gradients + (<usize>i << 2));
      const a = f64x2.promote_low_f32x4(g);
      const b = f64x2.promote_low_f32x4(v128.shuffle<f32>(g, g, 2, 3, 2, 3));
      low = f64x2.add(low, f64x2.mul(a, a));
      high = f64x2.add(high, f64x2.mul(b, b));
    }
    const sums = f64x2.add(low, high);
    let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
    for (; i < last; i++) {
      const g = <f64>load<f32>(gradients + (<usize>i << 2));
      sum += g * g;
    }
    store<f64>(runtime.partials + (<usize>chunk << 3), sum);
  }
  barrier();
  if (thread != 0) return;
  let sum: f64 = 0;
  for (let chunk = 0; chunk < chunks; chunk++) sum += load<f64>(runtime.partials + (<usize>chunk << 3));
  const size = <f32>sqrt<f64>(sum);
  store<f32>(norm, size);
  // As torch.nn.utils.clip_grad_norm_ has it.
  store<f32>(norm + 4, runtime.clipNorm > 0 ? min<f32>(1, runtime.clipNorm / (size + <f32>1e-6)) : 1);
}

export function adamw(call: Adamw): void {
  const ranges = call.ranges, all = call.rangeCount;
  const factor = load<f32>(call.norm + 4);
  const keepM = splat(runtime.beta1), takeM = splat((1 - runtime.beta1) * factor);
  const keepV = splat(runtime.beta2), takeV = splat((1 - runtime.beta2) * factor * factor);
  const root = sqrt<f32>(runtime.correction2);
  const decay = splat(1 - runtime.learningRate * runtime.weightDecay);
  const rate = splat(runtime.learningRate * root / runtime.correction1), small = splat(runtime.epsilon * root);
  let before = 0;
  let next = claim(call, 0);
  for (let range = 0; range < all; range++) {
    const start = load<i32>(ranges + (<usize>range << 3)), end = load<i32>(ranges + (<usize>range << 3) + 4);
    const chunks = (end - start + CHUNK - 1) / CHUNK;
    while (next < before + chunks) {
      const first = start + (next - before) * CHUNK, last = min(first + CHUNK, end);
      let i = first;
      for (; i + 4 <= last; i += 4) {
        const at = <usize>i << 2;
        const w = call.weights + at, m = call.first + at, v = call.second + at;
        const g = v128.load(call.gradients + at);
        const nextM = madd(v128.load(m), keepM, f32x4.mul(g, takeM));
        const nextV = madd(v128.load(v), keepV, f32x4.mul(f32x4.mul(g, g), takeV));
        v128.store(m, nextM);
        v128.store(v, nextV);
        const change = f32x4.div(f32x4.mul(nextM, rate), f32x4.add(f32x4.sqrt(nextV), small));
        v128.store(w, f32x4.sub(f32x4.mul(v128.load(w), decay), change));
      }
      for (; i < last; i++) {
        const at = <usize>i << 2;
        const w = call.weights + at, m = call.first + at, v = call.second + at;
        const g = load<f32>(call.gradients + at);
        const nextM = load<f32>(m) * runtime.beta1 + g * f32x4.extract_lane(takeM, 0);
        const nextV = load<f32>(v) * runtime.beta2 + g * g * f32x4.extract_lane(takeV, 0);
        store<f32>(m, nextM);
        store<f32>(v, nextV);
        const change = nextM * f32x4.extract_lane(rate, 0) / (sqrt<f32>(nextV) + f32x4.extract_lane(small, 0));
        store<f32>(w, load<f32>(w) * f32x4.extract_lane(decay, 0) - change);
      }
      next = claim(call, 0);
    }
    before += chunks;
  }
}
