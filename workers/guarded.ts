import { failureOf, type Result } from '../src/base/result.ts';

/** Turns an exception into a value that crosses the edge whole. */
export async function guarded<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}
