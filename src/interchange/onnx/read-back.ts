import { fail, ok, type Result } from '../../base/result.ts';
import { sizeOf } from '../../models/parameters.ts';
import { compared, type ExpectedLogits, type ReadBack } from '../read-back.ts';

/** What is used of onnxruntime-web, or of any onnxruntime with its interface; the host loads it. */
export interface OnnxRuntime {
  InferenceSession: { create(model: Uint8Array, options: { executionProviders: string[] }): Promise<OnnxSession> };
  Tensor: new (type: 'int64' | 'float32', data: BigInt64Array | Float32Array, dims: readonly number[]) => OnnxTensor;
}

export interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

interface OnnxSession {
  readonly inputMetadata: readonly { name: string; type?: string; shape?: readonly (number | string)[] }[];
  run(inputs: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>;
  release(): Promise<void>;
}

/**
 * Runs a file of onnxModel on prompts, each whole and each token by token through its caches, and compares every answer.
 * Fails with `onnx-unreadable` where the runtime does not load or run it.
 * @param runtime the module onnxruntime-web, its number of threads set
 */
export async function readBackOnnx(
  runtime: OnnxRuntime,
  file: Uint8Array,
  expected: readonly ExpectedLogits[],
  onProgress: (done: number) => void = () => {},
): Promise<Result<ReadBack>> {
  let session: OnnxSession | null = null;
  try {
    session = await runtime.InferenceSession.create(file, { executionProviders: ['wasm'] });
    const reader = session;
    const answersTo = async (ids: readonly number[]) => {
      const whole = await run(runtime, reader, ids, emptyCaches(runtime, reader), 0);
      let step = { caches: emptyCaches(runtime, reader), last: new Float32Array() as Float32Array };
      for (const [at, id] of ids.entries()) step = await run(runtime, reader, [id], step.caches, at);
      return [whole.last, step.last];
    };
    return ok(await compared(expected, answersTo, onProgress));
  } catch (error) {
    return fail('onnx-unreadable', `onnxruntime does not run the file that was written: ${(error as Error).message}`);
  } finally {
    await session?.release();
  }
}

type Caches = Record<string, OnnxTensor>;

/** Caches as they are before the first token: zeros, and no keys and values. */
function emptyCaches({ Tensor }: OnnxRuntime, { inputMetadata }: OnnxSession): Caches {
  const caches: Caches = {};
  for (const { name, type, shape } of inputMetadata) {
    if (!shape || !/^(past|[hc]_0$)/.test(name)) continue;
    const sides = shape.map((side) => (typeof side === 'number' ? side : Number(side === 'batch_size')));
    const size = sizeOf(sides);
    caches[name] =
      type === 'int64'
        ? new Tensor('int64', new BigInt64Array(size), sides)
        : new Tensor('float32', new Float32Array(size), sides);
  }
  return caches;
}

/** Tokens after so many that the caches have: the logits after the last, and the caches with them. */
async function run(
  { Tensor }: OnnxRuntime,
  session: OnnxSession,
  ids: readonly number[],
  caches: Caches,
  before: number,
): Promise<{ last: Float32Array; caches: Caches }> {
  const row = (length: number, value: (i: number) => number) =>
    new Tensor(
      'int64',
      BigInt64Array.from({ length }, (_, i) => BigInt(value(i))),
      [1, length],
    );
  const inputs: Record<string, OnnxTensor> = {
    input_ids: row(ids.length, (i) => ids[i]),
    attention_mask: row(before + ids.length, () => 1),
    position_ids: row(ids.length, (i) => before + i),
    ...caches,
  };
  const known = new Set(session.inputMetadata.map(({ name }) => name));
  for (const name of Object.keys(inputs)) if (!known.has(name)) delete inputs[name];
  const { logits, ...after } = await session.run(inputs);
  const data = logits.data as Float32Array;
  const next = Object.entries(after).map(([name, tensor]) => [cacheOf(name), tensor] as const);
  return { last: data.slice(-logits.dims[2]), caches: Object.fromEntries(next) };
}

/** The input that goes on from an output. */
function cacheOf(output: string): string {
  return output
    .replace(/^present\./, 'past_key_values.')
    .replace(/^present_/, 'past_')
    .replace(/_n$/, '_0');
}
