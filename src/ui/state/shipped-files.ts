import { fail, InputError } from '../../base/result.ts';

/** The shipped model's folder, relative to the page. */
export const SHIPPED_FOLDER = 'checkpoints/chess/';
/** What is needed to open it; the rest of the folder is for other programs. */
const FILES = ['model.safetensors', 'config.json', 'blindfold.json', 'training-record.json'];

/** The files by name. @throws InputError with the first file that could not be loaded, and why */
export async function fetchShippedFiles(): Promise<Map<string, Uint8Array>> {
  return new Map(await Promise.all(FILES.map(async (name) => [name, await fetched(name)] as const)));
}

async function fetched(name: string): Promise<Uint8Array> {
  const unreachable = (why: string) =>
    new InputError(fail('shipped-unreachable', `${name} could not be loaded (${why}).`, { file: name }).error);
  let response: Response;
  try {
    response = await fetch(SHIPPED_FOLDER + name);
  } catch (error) {
    throw unreachable(error instanceof Error ? error.message : String(error));
  }
  if (!response.ok) throw unreachable(`the server says ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
