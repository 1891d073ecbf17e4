import { fail, ok, type Result } from '../../base/result.ts';
import type { Engine } from '../../engine/engine.ts';
import { sizeOf } from '../../models/parameters.ts';
import type { Readings } from '../plain/readings.ts';

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

/** A prompt as the file reads it, and the next-token logits that the model in use gives after it. */
export interface ExpectedLogits {
  ids: readonly number[];
  logits: Float32Array;
  /** Which of the file's logits each is; every one in its order where it is left out. */
  columns?: Int32Array;
}

export interface ReadBack {
  /** The largest of any logit, of whole prompts and of prompts read token by token. */
  maxLogitDifference: number;
  /** Share of the prompts after which the likeliest token is the same. */
  agreement: number;
}

/** What a file in 32 bits may differ by from the model that it was made of. */
export const MOST_DIFFERENCE = 1e-3;

/**
 * What an engine answers to prompts.
 * @param prompts in the engine's tokens, beginning in the state in which sequences begin
 * @param readings the file's vocabulary, where a model with slots became a plain one
 */
export async function expectedLogits(
  engine: Engine,
  prompts: readonly (readonly number[])[],
  readings: Readings | null = null,
): Promise<ExpectedLogits[]> {
  const answers = await engine.leafLogits(
    prompts,
    prompts.map(() => []),
  );
  return answers.map(({ root: logits }, i) => {
    if (!readings) return { ids: prompts[i], logits };
    const { at, list, vocabulary } = readings;
    let state = 0;
    const ids = prompts[i].map((token) => {
      const reading = at[state * vocabulary + token];
      state = list[reading].next;
      return reading;
    });
    return { ids, logits, columns: at.slice(state * vocabulary, (state + 1) * vocabulary) };
  });
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
    const found: ReadBack = { maxLogitDifference: 0, agreement: 0 };
    for (const [done, { ids, logits, columns }] of expected.entries()) {
      const whole = await run(runtime, session, ids, emptyCaches(runtime, session), 0);
      let step = { caches: emptyCaches(runtime, session), last: new Float32Array() as Float32Array };
      for (const [at, id] of ids.entries()) {
        step = await run(runtime, session, [id], step.caches, at);
      }
      for (const answer of [whole.last, step.last])
        found.maxLogitDifference = Math.max(found.maxLogitDifference, largestDifference(answer, logits, columns));
      const best = largest(logits);
      found.agreement += Number(largest(whole.last) === (columns?.[best] ?? best)) / expected.length;
      onProgress(done + 1);
    }
    return ok(found);
  } catch (error) {
    return fail('onnx-unreadable', `onnxruntime does not run the file that was written: ${(error as Error).message}`);
  } finally {
    await session?.release();
  }
}

/** The same, where the file may not differ: fails with `onnx-differs`. */
export function agreeingOnnx(found: ReadBack): Result<ReadBack> {
  const { maxLogitDifference: difference } = found;
  // A difference that is no number is none that may be.
  if (difference <= MOST_DIFFERENCE) return ok(found);
  return fail(
    'onnx-differs',
    `The file that was written answers otherwise than the model: a logit differs by ${difference}, more than ${MOST_DIFFERENCE}. Nothing was exported; this is a mistake of the export.`,
  );
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

/** NaN where any is. */
function largestDifference(found: Float32Array, expected: Float32Array, columns?: Int32Array): number {
  if (!columns && found.length !== expected.length) return Infinity;
  return expected.reduce((most, logit, i) => Math.max(most, Math.abs(found[columns ? columns[i] : i] - logit)), 0);
}

function largest(logits: Float32Array): number {
  return logits.reduce((best, logit, i) => (logit > logits[best] ? i : best), 0);
}
