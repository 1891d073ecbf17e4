import type { loadGraphModel } from '@tensorflow/tfjs-converter';
import type { io, tensor2d } from '@tensorflow/tfjs-core';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Files } from '../folder.ts';
import { compared, type ExpectedLogits, type ReadBack } from '../read-back.ts';
import { hasLoops } from './tfjs-folder.ts';

/** What is used of TF.js, one of its backends in use; the host loads it. */
export interface Tfjs {
  io: Pick<typeof io, 'http'>;
  tensor2d: typeof tensor2d;
  loadGraphModel: typeof loadGraphModel;
}

/** What answers with the files of tfjsModel. */
export interface GraphModelReader {
  /** The logits [rows, tokens, vocabulary] of rows of the same length, end to end. */
  logits(rows: readonly (readonly number[])[]): Promise<Float32Array>;
  dispose(): void;
}

/** Loads the files as from a server, by loadGraphModel. */
export async function graphModel({ io, tensor2d, loadGraphModel }: Tfjs, files: Files): Promise<GraphModelReader> {
  const fetchFunc = async (path: string) =>
    new Response((files.get(path.split('/').at(-1)!) as Uint8Array<ArrayBuffer> | undefined) ?? null);
  const model = await loadGraphModel(io.http('folder/model.json', { fetchFunc: fetchFunc as typeof fetch }));
  const loops = hasLoops(files);
  return {
    async logits(rows) {
      const ids = tensor2d(rows.flat(), [rows.length, rows[0].length], 'int32');
      const found = loops ? await model.executeAsync(ids) : model.execute(ids);
      const [logits] = [found].flat();
      const data = (await logits.data()) as Float32Array;
      logits.dispose();
      ids.dispose();
      return data;
    },
    dispose: () => model.dispose(),
  };
}

/** Runs the files of tfjsModel on prompts and compares every answer. Fails with `tfjs-unreadable` where TF.js cannot. */
export async function readBackTfjs(
  tfjs: Tfjs,
  files: Files,
  expected: readonly ExpectedLogits[],
  onProgress: (done: number) => void = () => {},
): Promise<Result<ReadBack>> {
  let model: GraphModelReader | null = null;
  try {
    const reader = (model = await graphModel(tfjs, files));
    const answersTo = async (ids: readonly number[]) => {
      const logits = await reader.logits([ids]);
      return [logits.slice(-logits.length / ids.length)];
    };
    return ok(await compared(expected, answersTo, onProgress));
  } catch (error) {
    return fail('tfjs-unreadable', `TF.js does not run the files that were written: ${(error as Error).message}`);
  } finally {
    model?.dispose();
  }
}
