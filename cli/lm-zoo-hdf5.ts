import { fail, ok, type Result } from '../src/base/result.ts';
import type { SuiteModel } from '../src/studies/syntaxgym/suite-model.ts';

/**
 * Writes what get_predictions.hdf5 of lm-zoo writes: /sentence/i/predictions [tokens, V], /sentence/i/tokens, and
 * /vocabulary in bytes. One sentence is in memory at a time. h5wasm, four megabytes, is loaded here and nowhere else.
 */
export async function writePredictions(
  model: SuiteModel,
  sentences: readonly string[],
  path: string,
  onSentence: (done: number) => void,
): Promise<Result<null>> {
  const { default: hdf5 } = await import('h5wasm/node');
  await hdf5.ready;
  const { items } = model.spec.vocabulary;
  const longest = Math.max(1, ...items.map((item) => Buffer.byteLength(item)));
  const file = new hdf5.File(path, 'w');
  try {
    const group = file.create_group('sentence');
    for (const [i, sentence] of sentences.entries()) {
      const found = await model.predictions!(sentence);
      if (!found.ok) return fail(found.error.code, `Line ${i + 1}: ${found.error.message}`);
      const { ids, logProbabilities } = found.value;
      const data = new Float32Array(ids.length * items.length);
      for (const [row, values] of logProbabilities.entries()) data.set(values, row * items.length);
      const one = group.create_group(`${i}`);
      one.create_dataset({ name: 'predictions', data, shape: [ids.length, items.length], dtype: '<f' });
      one.create_dataset({ name: 'tokens', data: Int32Array.from(ids), shape: [ids.length], dtype: '<i' });
      onSentence(i + 1);
    }
    file.create_dataset({ name: 'vocabulary', data: items, shape: [items.length], dtype: `S${longest}` });
    return ok(null);
  } finally {
    file.close();
  }
}
