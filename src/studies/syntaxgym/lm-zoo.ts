import { fail, ok, unwrap, type Result } from '../../base/result.ts';
import type { Measuring } from '../asking/measuring.ts';
import { formatSurprisals } from './formats/surprisals-tsv.ts';
import type { SuiteModel } from './suite-model.ts';

/** Exit status of a container's command that the model does not support. */
export const UNSUPPORTED = 99;

/** How the model comes to be asked: what its spec says of the image. */
export interface ImageFacts {
  maintainer: string;
  version: string;
  /** ISO 8601. */
  datetime: string;
}

/** What `spec` prints (lm-zoo, docs/schemas/language_model_spec.json). */
export function specOf(model: SuiteModel, image: ImageFacts): object {
  const predictions = model.predictions !== null;
  return {
    ...model.spec,
    name: model.name,
    ref_url: 'https://arxiv.org/abs/2102.13249',
    image: {
      ...image,
      supported_features: {
        ...{ tokenize: true, unkify: true, get_surprisals: true },
        ...{ get_predictions: predictions, mount_checkpoint: true },
      },
      gpu: { required: false, supported: false },
    },
  };
}

/** Sentences of a file as the containers read it: a line each, the last line break being the end of the last one. */
export function sentencesIn(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** What `tokenize` and `unkify` print: a line a sentence, tokens or 0 and 1 with spaces between them. */
export function tokenLines(
  model: SuiteModel,
  sentences: readonly string[],
  what: 'tokenize' | 'unkify',
): Result<string> {
  const lines: string[] = [];
  for (const [i, sentence] of sentences.entries()) {
    const read = atLine(i, model.tokenize(sentence));
    if (!read.ok) return read;
    lines.push((what === 'tokenize' ? read.value.tokens : read.value.unknown.map(Number)).join(' ') + '\n');
  }
  return ok(lines.join(''));
}

/** What `get_surprisals` prints. Fails with the first sentence that the model cannot read. */
export async function surprisalTable(
  model: SuiteModel,
  sentences: readonly string[],
  measuring: Measuring = {},
): Promise<Result<string>> {
  const scored = (await model.surprisals(sentences, measuring)).map((read, i) => atLine(i, read));
  const failed = scored.find((read) => !read.ok);
  return failed ?? ok(formatSurprisals(scored.map(unwrap)));
}

function atLine<T>(i: number, read: Result<T>): Result<T> {
  return read.ok ? read : fail(read.error.code, `Line ${i + 1}: ${read.error.message}`, { line: i + 1 });
}
