import * as tf from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';

/**
 * Two of tfjs-backend-wasm's kernels, replaced by faster ways to the same C++ code.
 *
 * Stock BatchMatMul gives a product to XNNPACK (35 to 40 GFLOP/s on one thread) only when neither side is transposed
 * and there is one matrix a side; everything else goes to a scalar loop at 3 GFLOP/s, and that is every weight
 * gradient and all of attention. Here transposes are made explicit and a batch becomes XNNPACK products over views of
 * the same memory. Stock Slice copies its whole input before it takes a part of it. Writing custom gradients and
 * per-head loops in the model itself was rejected: the model would then be shaped by one backend's gap.
 */
export function installWasmKernels(): void {
  replaceKernel('BatchMatMul', (stock) => ({ ...stock, setupFunc: setup(stock), kernelFunc: batchMatMul }));
  replaceKernel('Slice', (stock) => ({ ...stock, kernelFunc: slice(stock) }));
}

const ours = new WeakSet<tf.KernelConfig>();

function replaceKernel(name: string, make: (stock: tf.KernelConfig) => tf.KernelConfig): void {
  const stock = tf.getKernel(name, 'wasm');
  if (!stock) throw new Error(`tfjs-backend-wasm has no kernel ${name}: it must be imported first`);
  if (ours.has(stock)) return;
  const replacement = make(stock);
  ours.add(replacement);
  tf.unregisterKernel(name, 'wasm');
  tf.registerKernel(replacement);
}

interface KernelCall {
  inputs: Record<string, tf.TensorInfo>;
  backend: BackendWasm;
  attrs: Record<string, unknown>;
}

type Multiply = (
  a: number,
  aShape: Uint8Array,
  aRank: number,
  b: number,
  bShape: Uint8Array,
  bRank: number,
  transposeA: number,
  transposeB: number,
  out: number,
) => void;

/** The part of an Emscripten module that the package's own types leave to @types/emscripten. */
interface EmscriptenModule {
  cwrap(name: string, returns: null, types: readonly string[]): unknown;
}

let multiply: Multiply;

const setup = (stock: tf.KernelConfig) => (backend: object) => {
  stock.setupFunc?.(backend);
  const { wasm } = backend as BackendWasm & { wasm: EmscriptenModule };
  const types = ['number', 'array', 'number', 'number', 'array', 'number', 'number', 'number', 'number'] as const;
  multiply = wasm.cwrap('BatchMatMul', null, types) as Multiply;
};

const shapeBytes = (...shape: number[]) => new Uint8Array(new Int32Array(shape).buffer);
const sizeOf = tf.util.sizeFromShape;

function runKernel(
  name: string,
  backend: BackendWasm,
  inputs: tf.NamedTensorInfoMap,
  attrs: tf.NamedAttrMap,
): tf.TensorInfo {
  const kernel = tf.getKernel(name, 'wasm');
  return kernel.kernelFunc({ inputs, backend, attrs }) as tf.TensorInfo;
}

function transposeLastTwo(x: tf.TensorInfo, backend: BackendWasm): tf.TensorInfo {
  const rank = x.shape.length;
  const perm = x.shape.map((_, i) => (i < rank - 2 ? i : i === rank - 2 ? rank - 1 : rank - 2));
  return runKernel('Transpose', backend, { x }, { perm });
}

// Ids of the views, out of the reach of the backend's own counter. They are registered and given up for each product:
// XNNPACK's operator cache holds the packed B under B's id alone, so a tensor and its reshaped self would share an entry
// (a bug of the stock kernel too, hidden there because few products reach the cache).
const viewA = 0x7ffffff0;
const viewB = 0x7ffffff1;
const viewOut = 0x7ffffff2;

/** a [..., M, K] times b [..., K, N], either of them transposed in its last two axes, leading axes broadcast. */
function batchMatMul(call: unknown): tf.TensorInfo {
  const { inputs, backend, attrs } = call as KernelCall;
  const a = attrs.transposeA ? transposeLastTwo(inputs.a, backend) : inputs.a;
  const b = attrs.transposeB ? transposeLastTwo(inputs.b, backend) : inputs.b;
  const [m, k] = a.shape.slice(-2);
  const [k2, n] = b.shape.slice(-2);
  tf.util.assert(
    k === k2,
    () => `matMul: inner sizes ${k} and ${k2} of [${a.shape.join()}] and [${b.shape.join()}] differ`,
  );
  const outer = tf.broadcast_util.assertAndGetBroadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const out = backend.makeOutput([...outer, m, n], 'float32');
  const [all, ofA, ofB] = [outer, a.shape.slice(0, -2), b.shape.slice(0, -2)].map(sizeOf);
  tf.util.assert(
    (ofA === all || ofA === 1) && (ofB === all || ofB === 1),
    () =>
      `matMul: leading axes of [${a.shape.join()}] and [${b.shape.join()}], broadcast in part, are not written on wasm`,
  );
  const { tfjs } = backend.wasm;
  const [startA, startB, startOut] = [a, b, out].map((x) => backend.dataIdMap.get(x.dataId).memoryOffset);
  // One B for all of A is one tall product.
  const products = ofB === 1 ? 1 : all;
  const rows = ofB === 1 ? all * m : m;
  const [shapeA, shapeB] = [shapeBytes(1, rows, k), shapeBytes(1, k, n)];
  for (let i = 0; i < products && rows * k * n > 0; i++) {
    tfjs.registerTensor(viewA, rows * k, startA + 4 * rows * k * (ofA === 1 ? 0 : i));
    tfjs.registerTensor(viewB, k * n, startB + 4 * k * n * i);
    tfjs.registerTensor(viewOut, rows * n, startOut + 4 * rows * n * i);
    multiply(viewA, shapeA, 3, viewB, shapeB, 3, 0, 0, viewOut);
    tfjs.disposeData(viewA);
    tfjs.disposeData(viewB);
    tfjs.disposeData(viewOut);
  }
  if (a !== inputs.a) backend.disposeData(a.dataId);
  if (b !== inputs.b) backend.disposeData(b.dataId);
  return out;
}

/** A part that is contiguous in memory is copied at once; any other goes to the stock kernel. */
const slice =
  (stock: tf.KernelConfig) =>
  (
    call: tf.KernelConfig extends { kernelFunc: (params: infer P) => unknown } ? P : never,
  ): tf.TensorInfo | tf.TensorInfo[] => {
    const { inputs, backend, attrs } = call as unknown as KernelCall;
    const { x } = inputs;
    const [begin, size] = tf.slice_util.parseSliceParams(
      x as tf.Tensor,
      attrs.begin as number[],
      attrs.size as number[],
    );
    if (x.dtype === 'string' || !tf.slice_util.isSliceContinous(x.shape, begin, size)) return stock.kernelFunc(call);
    const out = backend.makeOutput(size, x.dtype);
    const start = tf.slice_util.computeFlatOffset(begin, tf.util.computeStrides(x.shape));
    backend.typedArrayFromHeap(out).set(backend.typedArrayFromHeap(x).subarray(start, start + sizeOf(size)));
    return out;
  };
