import { CrossEntropy } from '../../wasm-kit/built/tables.as';
import { claim, runtime, targetOf } from '../../wasm-kit/runtime.as';
import { exp1, exp4, laneSum, log, splat, zero } from '../../wasm-kit/vector.as';

const ROWS = 32;
/** The least share of the probability that a set is taken to have. */
const LEAST: f32 = 1e-30;

/** One pass for the largest, one for exponentials and their sum, one for the gradient. */
export function crossEntropy(call: CrossEntropy): void {
  const vocabulary = call.vocabulary, rows = runtime.count;
  const share: f32 = <f32>1 / <f32>runtime.targetCount;
  const words = (vocabulary + 31) >> 5, sets = runtime.validSets;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(runtime.firstRow + row);
      const logits = call.logits + ((at * <usize>vocabulary) << 2), loss = call.loss + (at << 2);
      const target = targetOf(row);
      if (target < 0) {
        zero(logits, vocabulary);
        store<f32>(loss, 0);
        continue;
      }
      const set = sets == 0 ? 0 : sets + ((<usize>row * <usize>words) << 2);
      const weight: f32 = set == 0 ? 0 : runtime.validWeight;
      const alike = set != 0 && weight == 0;
      const members = alike ? <f32>sizeOf(set, words) : <f32>1;
      const right = alike ? sumOver(logits, set, words) / members : load<f32>(logits + (<usize>target << 2));
      const largest = largestOf(logits, vocabulary);
      const sum = exponentials(logits, vocabulary, largest);
      // A set that has no probability in 32 bits has some: its loss is finite.
      const ofSet = weight == 0 ? sum : max(sumOver(logits, set, words), LEAST * sum);
      store<f32>(loss, log(sum) + largest - right + (weight == 0 ? 0 : weight * log(sum / ofSet)));
      scale(logits, vocabulary, ((1 + weight) * share) / sum);
      if (weight != 0) multiply(logits, set, words, 1 - (weight * sum) / ((1 + weight) * ofSet));
      if (alike) takeFrom(logits, set, words, share / members);
      else {
        const place = logits + (<usize>target << 2);
        store<f32>(place, load<f32>(place) - share);
      }
    }
}

function sizeOf(set: usize, words: i32): i32 {
  let members = 0;
  for (let w = 0; w < words; w++) members += popcnt<i32>(load<i32>(set + (<usize>w << 2)));
  return members;
}

/** Sum of x[i] over the members i of a set, which is walked bit by bit. */
function sumOver(x: usize, set: usize, words: i32): f32 {
  let sum: f32 = 0;
  for (let w = 0; w < words; w++)
    for (let bits = load<u32>(set + (<usize>w << 2)); bits != 0; bits &= bits - 1)
      sum += load<f32>(x + (<usize>((w << 5) + ctz<u32>(bits)) << 2));
  return sum;
}

/** x[i] -= amount for the members i of a set. */
function takeFrom(x: usize, set: usize, words: i32, amount: f32): void {
  for (let w = 0; w < words; w++)
    for (let bits = load<u32>(set + (<usize>w << 2)); bits != 0; bits &= bits - 1) {
      const place = x + (<usize>((w << 5) + ctz<u32>(bits)) << 2);
      store<f32>(place, load<f32>(place) - amount);
    }
}

/** x[i] *= factor for the members i of a set. */
function multiply(x: usize, set: usize, words: i32, factor: f32): void {
  for (let w = 0; w < words; w++)
    for (let bits = load<u32>(set + (<usize>w << 2)); bits != 0; bits &= bits - 1) {
      const place = x + (<usize>((w << 5) + ctz<u32>(bits)) << 2);
      store<f32>(place, load<f32>(place) * factor);
    }
}

export function largestOf(x: usize, elements: i32): f32 {
  let most = load<f32>(x);
  let i = 0;
  if (elements >= 4) {
    let most4 = v128.load(x);
    for (i = 4; i + 4 <= elements; i += 4) most4 = f32x4.pmax(most4, v128.load(x + (<usize>i << 2)));
    most = max(
      max(f32x4.extract_lane(most4, 0), f32x4.extract_lane(most4, 1)),
      max(f32x4.extract_lane(most4, 2), f32x4.extract_lane(most4, 3)),
    );
  }
  for (; i < elements; i++) most = max(most, load<f32>(x + (<usize>i << 2)));
  return most;
}

/** x[i] = exp(x[i] - largest); answers their sum. */
export function exponentials(x: usize, elements: i32, largest: f32): f32 {
  let sums = splat(0);
  const most = splat(largest);
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    const at = x + (<usize>i << 2);
    const e = exp4(f32x4.sub(v128.load(at), most));
    v128.store(at, e);
    sums = f32x4.add(sums, e);
  }
  let sum = laneSum(sums);
  for (; i < elements; i++) {
    const at = x + (<usize>i << 2);
    const e = exp1(load<f32>(at) - largest);
    store<f32>(at, e);
    sum += e;
  }
  return sum;
}

export function scale(x: usize, elements: i32, factor: f32): void {
  const factors = splat(factor);
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    const at = x + (<usize>i << 2);
    v128.store(at, f32x4.mul(v128.load(at), factors));
  }
  for (; i < elements; i++) {
    const at = x + (<usize>i << 2);
    store<f32>(at, load<f32>(at) * factor);
  }
}
