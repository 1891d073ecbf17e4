import { fail, InputError } from '../../base/result.ts';

/** The games that a trained model ships for. */
const SHIPPED: readonly string[] = ['chess'];

export function hasShipped(domain: string): boolean {
  return SHIPPED.includes(domain);
}

/** The folder of a game's shipped model, relative to the page. */
export function shippedFolder(domain: string): string {
  return `checkpoints/${domain}/`;
}

/** What is needed to open it; the rest of the folder is for other programs. */
const FILES = ['model.safetensors', 'config.json', 'blindfold.json', 'training-record.json'];

/** The files by name. @throws InputError with the first file that could not be loaded, and why */
export async function fetchShippedFiles(domain: string): Promise<Map<string, Uint8Array>> {
  return new Map(await Promise.all(FILES.map(async (name) => [name, await fetched(domain, name)] as const)));
}

async function fetched(domain: string, name: string): Promise<Uint8Array> {
  const unreachable = (why: string) =>
    new InputError(fail('shipped-unreachable', `${name} could not be loaded (${why}).`, { file: name }).error);
  let response: Response;
  try {
    response = await fetch(shippedFolder(domain) + name);
  } catch (error) {
    throw unreachable(error instanceof Error ? error.message : String(error));
  }
  if (!response.ok) throw unreachable(`the server says ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
