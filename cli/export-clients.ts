import { seededRandom } from '../src/base/random.ts';
import { libraryOf } from '../src/config/model-schema.ts';
import { grammarOf } from '../src/domains/domains.ts';
import { samplePrompts } from '../src/domains/sample-prompts.ts';
import type { OnnxRuntime } from '../src/interchange/onnx/read-back.ts';
import { readingsOf } from '../src/interchange/plain/readings.ts';
import { expectedLogits, type ExpectedLogits } from '../src/interchange/read-back.ts';
import type { Tfjs } from '../src/interchange/tfjs/read-back.ts';
import { engineWith, languageOf, type ReadModel } from './open-model.ts';

const PROMPTS = 64;
/** Tokens of the longest, so that reading all of them token by token takes seconds. */
const LONGEST = 96;

/** The client that browsers have for ONNX; its WASM runs in Node as it does there. */
export async function onnxRuntime(): Promise<OnnxRuntime> {
  const runtime = await import('onnxruntime-web');
  runtime.env.wasm.numThreads = 1;
  return runtime as unknown as OnnxRuntime;
}

/** TensorFlow.js on its WASM backend. */
export async function tfjs(): Promise<Tfjs> {
  const { loadBackend } = await import('../src/engine/runtimes/tfjs/backend.ts');
  await loadBackend('wasm');
  const [{ io, tensor2d }, { loadGraphModel }] = await Promise.all([
    import('@tensorflow/tfjs-core'),
    import('@tensorflow/tfjs-converter'),
  ]);
  return { io, tensor2d, loadGraphModel };
}

/**
 * What the model answers to prompts of random games, as an exported folder reads them; to prompts of random tokens where
 * nothing says what they mean.
 */
export async function expectedAnswers(path: string, engine: string | undefined, imported: ReadModel) {
  const { model, parameters, config } = imported;
  const longest = Math.min(LONGEST, model.context);
  const asked = await engineWith(engine, model, parameters);
  const answers = (prompts: number[][], slots = false): Promise<ExpectedLogits[]> =>
    expectedLogits(asked, prompts, slots ? readingsOf(grammarOf(config!)!) : null);
  try {
    if (config === null) return await answers(randomTokens(model.vocabulary, longest));
    const { domain, notation } = languageOf(path, imported);
    const plain = config.model.slots && libraryOf(config.model) === 'Hugging Face';
    return await answers(samplePrompts(domain, notation, PROMPTS, longest), plain);
  } finally {
    asked.dispose();
  }
}

function randomTokens(vocabulary: number, longest: number): number[][] {
  const random = seededRandom('random tokens');
  return Array.from({ length: PROMPTS }, (_, i) =>
    Array.from({ length: 1 + (i % longest) }, () => random.below(vocabulary)),
  );
}
