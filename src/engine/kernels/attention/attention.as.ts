import { gemm, packedLength, packPanel, packPanelTransposed, PANEL } from '../../wasm-kit/gemm.as';
import { Attention, AttentionGradient } from '../../wasm-kit/built/tables.as';
import { claim, paddedOf, runtime, scratch, segment } from '../../wasm-kit/runtime.as';
import { dot, exp4, laneSum, log, madd, splat, zero } from '../../wasm-kit/vector.as';
import { dropoutKey, dropoutMask } from '../dropout/dropout.as';
import { largestOf, scale } from '../cross-entropy/cross-entropy.as';

/**
 * Attention by blocks of queries (Dao et al. 2022, "FlashAttention", on a cache rather than shared memory): a thread
 * takes one head of one segment, and no more than BLOCK rows of scores exist at a time.
 */
const BLOCK = 16;

/** Columns of a block of scores: keys rounded up to whole panels. */
@inline function scoreColumns(keys: i32): i32 {
  return (keys + PANEL - 1) & ~(PANEL - 1);
}

/** Packs rows of one head as columns: B [width, keys], from the history's rows and then the segment's. */
function packHead(to: usize, rows: usize, stride: usize, at: usize, width: i32): void {
  const start = load<i32>(at), length = load<i32>(at, 4), historyStart = load<i32>(at, 8), history = load<i32>(at, 12);
  const keys = history + length;
  for (let panel = 0; panel < keys; panel += PANEL) {
    const base = to + (<usize>(panel * width) << 2);
    if (panel >= history && panel + PANEL <= keys) {
      packPanelTransposed(base, rows + <usize>(start + panel - history) * stride, stride, width, PANEL, 0);
      continue;
    }
    for (let c = 0; c < PANEL; c++) {
      const key = panel + c;
      let place = base + (<usize>c << 2);
      if (key >= keys) {
        for (let i = 0; i < width; i++) store<f32>(place + (<usize>i << 5), 0);
        continue;
      }
      const row = key < history ? historyStart + key : start + key - history;
      let from = rows + <usize>row * stride;
      for (let i = 0; i < width; i++) {
        store<f32>(place, load<f32>(from));
        from += 4;
        place += 32;
      }
    }
  }
}

/** Packs rows of one head as rows: B [keys, width], history first. */
function packHeadRows(to: usize, rows: usize, stride: usize, at: usize, width: i32): void {
  const start = <usize>load<i32>(at), length = load<i32>(at, 4);
  const historyStart = <usize>load<i32>(at, 8), history = load<i32>(at, 12);
  const keys = history + length;
  for (let j = 0; j < width; j += PANEL) {
    const panel = to + (<usize>(j * keys) << 2);
    packPanel(panel, rows + historyStart * stride, stride, history, width, j);
    packPanel(panel + (<usize>history << 5), rows + start * stride, stride, length, width, j);
  }
}

/**
 * exp(x factor - shift) on [low, high) of a row of `columns` scores, exact zeros elsewhere; answers the sum. The rest of
 * the first and the last four is computed as exp of the least number, which adds nothing to the sum.
 */
function weigh(row: usize, columns: i32, low: i32, high: i32, factor: f32, shift: f32): f32 {
  const firstWhole = low & ~3, lastWhole = min((high + 3) & ~3, columns);
  for (let i = firstWhole; i < low; i++) store<f32>(row + (<usize>i << 2), -Infinity);
  for (let i = high; i < lastWhole; i++) store<f32>(row + (<usize>i << 2), -Infinity);
  const factors = splat(factor), shifts = splat(-shift);
  let sums = splat(0);
  for (let at = row + (<usize>firstWhole << 2), end = row + (<usize>lastWhole << 2); at < end; at += 16) {
    const weights = exp4(madd(v128.load(at), factors, shifts));
    v128.store(at, weights);
    sums = f32x4.add(sums, weights);
  }
  zero(row, low);
  zero(row + (<usize>high << 2), columns - high);
  return laneSum(sums);
}

/** Rows multiplied at a time. Keys after the last one that these rows see are left out. */
const STEP = 8;

/** Scores of a block of queries, the first of which sees `before` keys before its own. The rest of a row is left as it is. */
function scoresOf(
  block: i32, before: i32, width: i32, rows: usize, stride: usize, panels: usize, scores: usize, rowBytes: usize,
  temp: usize,
): void {
  for (let i = 0; i < block; i += STEP) {
    const some = min(STEP, block - i);
    gemm(
      some, scoreColumns(before + i + some), width, rows + <usize>i * stride, stride, 4, panels, width,
      scores + <usize>i * rowBytes, rowBytes, false, temp,
    );
  }
}

/** Weighted sums of the rows of B [keys, width] for a block of queries; `before` as in `scoresOf`. */
function sumsOf(
  block: i32, before: i32, width: i32, weights: usize, rowBytes: usize, panels: usize, keys: i32, out: usize,
  stride: usize, temp: usize,
): void {
  for (let i = 0; i < block; i += STEP) {
    const some = min(STEP, block - i);
    gemm(
      some, width, before + i + some, weights + <usize>i * rowBytes, rowBytes, 4, panels, keys,
      out + <usize>i * stride, stride, false, temp,
    );
  }
}

/** Index of the first key of a row of the dropout mask: [heads, B, T, T]. */
@inline function maskRow(head: i32, padded: i32): u32 {
  return (<u32>(head * runtime.batchRows * runtime.batchColumns) + <u32>padded) * <u32>runtime.batchColumns;
}

/** Attention (plan.ts); a window of 0 is none. */
export function attention(call: Attention, thread: i32): void {
  const qkv = call.qkv, width = call.width, heads = call.heads, window = call.window;
  const out = call.out, logSum = call.logSum, rate = call.rate;
  const mask = dropoutKey(call.site);
  const d = width * heads;
  const stride = <usize>(3 * d) << 2, outStride = <usize>d << 2;
  const factor: f32 = 1 / sqrt<f32>(<f32>width);
  const items = runtime.segmentCount * heads;
  for (let item = claim(call, 0); item < items; item = claim(call, 0)) {
    const at = segment(item / heads), head = item % heads;
    const start = load<i32>(at), length = load<i32>(at, 4), history = load<i32>(at, 12);
    const keys = history + length, columns = scoreColumns(keys);
    const temp = scratch(thread);
    const keyPanels = temp + 128;
    const valuePanels = keyPanels + (<usize>packedLength(width, keys) << 2);
    const scores = valuePanels + (<usize>packedLength(keys, width) << 2);
    const rowBytes = <usize>columns << 2;
    const shares = scores + <usize>BLOCK * rowBytes;
    const query = qkv + (<usize>(head * width) << 2);
    packHead(keyPanels, query + outStride, stride, at, width);
    packHeadRows(valuePanels, query + 2 * outStride, stride, at, width);
    for (let q = 0; q < length; q += BLOCK) {
      const block = min(BLOCK, length - q);
      const seen = history + q + block;
      const first = window ? max(0, history + q - window + 1) & ~(PANEL - 1) : 0;
      const rows = query + <usize>(start + q) * stride;
      scoresOf(
        block, history + q - first, width, rows, stride, keyPanels + (<usize>(first * width) << 2), scores, rowBytes,
        temp,
      );
      for (let i = 0; i < block; i++) {
        const high = history + q + i + 1 - first;
        const low = window ? max(0, high - window) : 0;
        const row = scores + <usize>i * rowBytes;
        const largest = largestOf(row + (<usize>low << 2), high - low) * factor;
        const sum = weigh(row, scoreColumns(seen - first), low, high, factor, largest);
        store<f32>(logSum + (<usize>((start + q + i) * heads + head) << 2), log(sum) + largest);
        store<f32>(shares + (<usize>i << 2), 1 / sum);
        if (rate > 0) {
          const index = maskRow(head, paddedOf(start + q + i - runtime.firstRow)) + <u32>(first);
          for (let s = low; s < high; s++) {
            const place = row + (<usize>s << 2);
            store<f32>(place, load<f32>(place) * dropoutMask(mask, index + <u32>s, rate));
          }
        }
      }
      const outs = out + <usize>(start + q) * outStride + (<usize>(head * width) << 2);
      sumsOf(
        block, history + q - first, width, scores, rowBytes, valuePanels + (<usize>first << 5), keys,
        outs, outStride, temp,
      );
      // Divided here rather than before the product: a row of values is shorter than its row of scores.
      for (let i = 0; i < block; i++) scale(outs + <usize>i * outStride, width, load<f32>(shares + (<usize>i << 2)));
    }
  }
}

/** AttentionGradient (plan.ts), of segments without history. */
export function attentionGradient(call: AttentionGradient, thread: i32): void {
  const qkv = call.qkv, width = call.width, heads = call.heads, window = call.window;
  const out = call.out, logSum = call.logSum, dOut = call.dOut, dQkv = call.dQkv;
  const rate = call.rate, mask = dropoutKey(call.site);
  const d = width * heads;
  const stride = <usize>(3 * d) << 2, outStride = <usize>d << 2, widthBytes = <usize>width << 2;
  const factor: f32 = 1 / sqrt<f32>(<f32>width);
  const items = runtime.segmentCount * heads;
  for (let item = claim(call, 0); item < items; item = claim(call, 0)) {
    const at = segment(item / heads), head = item % heads;
    const start = load<i32>(at), keys = load<i32>(at, 4), columns = scoreColumns(keys);
    const rowBytes = <usize>columns << 2;
    const temp = scratch(thread);
    const keyPanels = temp + 128;
    const valuePanels = keyPanels + (<usize>packedLength(width, keys) << 2);
    const keyRows = valuePanels + (<usize>packedLength(width, keys) << 2);
    const queryRows = keyRows + (<usize>packedLength(keys, width) << 2);
    const dOutRows = queryRows + (<usize>packedLength(BLOCK, width) << 2);
    const scores = dOutRows + (<usize>packedLength(BLOCK, width) << 2);
    const dScores = scores + <usize>BLOCK * rowBytes;
    const dKeys = dScores + <usize>BLOCK * rowBytes;
    const dValues = dKeys + <usize>keys * widthBytes;
    const headAt = <usize>head * widthBytes;
    const query = qkv + headAt, dQuery = dQkv + headAt;
    packHead(keyPanels, query + outStride, stride, at, width);
    packHead(valuePanels, query + 2 * outStride, stride, at, width);
    packHeadRows(keyRows, query + outStride, stride, at, width);
    zero(dKeys, 2 * keys * width);
    for (let q = 0; q < keys; q += BLOCK) {
      const block = min(BLOCK, keys - q);
      const seen = q + block;
      const first = window ? max(0, q - window + 1) & ~(PANEL - 1) : 0;
      const span = seen - first, spanColumns = scoreColumns(span);
      const queries = query + <usize>(start + q) * stride;
      const dOuts = dOut + <usize>(start + q) * outStride + headAt;
      const panelAt = <usize>(first * width) << 2;
      scoresOf(block, q - first, width, queries, stride, keyPanels + panelAt, scores, rowBytes, temp);
      scoresOf(block, q - first, width, dOuts, outStride, valuePanels + panelAt, dScores, rowBytes, temp);
      for (let i = 0; i < block; i++) {
        const token = start + q + i;
        const high = q + i + 1 - first;
        const low = window ? max(0, high - window) : 0;
        const row = scores + <usize>i * rowBytes, dRow = dScores + <usize>i * rowBytes;
        weigh(row, spanColumns, low, high, factor, load<f32>(logSum + (<usize>(token * heads + head) << 2)));
        const weighted = dot(
          dOut + <usize>token * outStride + headAt, out + <usize>token * outStride + headAt, width,
        );
        if (rate > 0) {
          const index = maskRow(head, paddedOf(token - runtime.firstRow)) + <u32>first;
          maskGradients(row, dRow, spanColumns, low, high, weighted, factor, mask, index, rate);
        } else gradients(row, dRow, spanColumns, high, weighted, factor);
      }
      sumsOf(
        block, q - first, width, dScores, rowBytes, keyRows + (<usize>first << 5), keys,
        dQuery + <usize>(start + q) * stride, stride, temp,
      );
      for (let j = 0; j < width; j += PANEL) {
        packPanel(queryRows + (<usize>(j * block) << 2), queries, stride, block, width, j);
        packPanel(dOutRows + (<usize>(j * block) << 2), dOuts, outStride, block, width, j);
      }
      const onto = <usize>first * widthBytes;
      gemm(span, width, block, dScores, 4, rowBytes, queryRows, block, dKeys + onto, widthBytes, true, temp);
      gemm(span, width, block, scores, 4, rowBytes, dOutRows, block, dValues + onto, widthBytes, true, temp);
    }
    for (let key = 0; key < keys; key++) {
      const to = dQuery + <usize>(start + key) * stride;
      memory.copy(to + outStride, dKeys + <usize>key * widthBytes, widthBytes);
      memory.copy(to + 2 * outStride, dValues + <usize>key * widthBytes, widthBytes);
    }
  }
}

/** dS = P (dP - D) factor. It is 0 where P is; past `high`, dP may not have been computed. */
function gradients(row: usize, dRow: usize, columns: i32, high: i32, weighted: f32, factor: f32): void {
  const d = splat(weighted), factors = splat(factor);
  let i = 0;
  for (; i < high; i += 4) {
    const at = <usize>i << 2;
    const p = f32x4.mul(v128.load(row + at), factors);
    v128.store(dRow + at, f32x4.mul(p, f32x4.sub(v128.load(dRow + at), d)));
  }
  zero(dRow + (<usize>i << 2), columns - i);
}

/** The same under dropout; `row` becomes the masked probabilities, which the values' gradient needs. */
function maskGradients(
  row: usize, dRow: usize, columns: i32, low: i32, high: i32, weighted: f32, factor: f32, mask: u32, index: u32,
  rate: f32,
): void {
  zero(dRow, low);
  for (let i = low; i < high; i++) {
    const at = <usize>i << 2;
    const kept = dropoutMask(mask, index + <u32>i, rate);
    const p = load<f32>(row + at);
    store<f32>(dRow + at, p * factor * (load<f32>(dRow + at) * kept - weighted));
    store<f32>(row + at, p * kept);
  }
  zero(dRow + (<usize>high << 2), columns - high);
}
