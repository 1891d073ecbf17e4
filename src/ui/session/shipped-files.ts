import { fail, InputError } from '../../base/result.ts';
import { isShipped, SHIPPED_IDS, type ShippedId } from '../../config/shipped-ids.ts';
import { keep, kept } from './kept.ts';

/** As tables name them. */
export const SHIPPED_NAMES: Readonly<Record<ShippedId, string>> = {
  shipped: 'the shipped model',
  'shipped-taught': 'the taught shipped model',
  'shipped-small': 'the small shipped model',
  'shipped-small-taught': 'the small taught shipped model',
};

/** The games that trained models ship for, and the folders of those, relative to the page. */
const FOLDERS: Readonly<Record<string, Readonly<Partial<Record<ShippedId, string>>>>> = {
  chess: {
    shipped: 'checkpoints/chess/',
    'shipped-taught': 'checkpoints/chess-taught/',
    'shipped-small': 'checkpoints/chess-small/',
    'shipped-small-taught': 'checkpoints/chess-small-taught/',
  },
  baseball: { shipped: 'checkpoints/baseball/' },
  noughts: { shipped: 'checkpoints/noughts/' },
};
const PREFERRED = 'blindfold.shipped';
/** Of a game with several models, the one that opens on a slow line, and without a network where no other was used. */
export const ON_SLOW_LINES: ShippedId = 'shipped-small-taught';

export function hasShipped(domain: string): boolean {
  return Object.hasOwn(FOLDERS, domain);
}

/** The models that ship for a game, in the order of SHIPPED_IDS. */
export function shippedIds(domain: string): readonly ShippedId[] {
  return SHIPPED_IDS.filter((id) => FOLDERS[domain]?.[id] !== undefined);
}

/** @param id one that ships for the game; of any other, the folder of the first that does */
export function shippedFolder(domain: string, id: ShippedId): string {
  return FOLDERS[domain][id] ?? FOLDERS[domain].shipped!;
}

/** What a browser tells of its connection; Safari and Firefox tell nothing. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/**
 * The model that answers when a game is opened. Where the game has several, that is the one chosen before on this device,
 * else the one for slow lines on such a line, else the main one.
 */
export function preferredShipped(domain: string): ShippedId {
  if (shippedIds(domain).length < 2) return 'shipped';
  const chosen = kept(PREFERRED) ?? '';
  if (isShipped(chosen)) return chosen;
  const { connection } = navigator as Navigator & { connection?: Connection };
  const slow = connection?.saveData || ['slow-2g', '2g', '3g'].includes(connection?.effectiveType ?? '');
  return slow ? ON_SLOW_LINES : 'shipped';
}

export function preferShipped(id: ShippedId): void {
  keep(PREFERRED, id);
}

/** What is needed to open it; the rest of the folder is for other programs. */
const RECORD = 'training-record.json';
const FILES = ['model.safetensors', 'config.json', 'blindfold.json', RECORD];

/** Code of an error where no server answered at all. */
export const NO_ANSWER = 'shipped-no-answer';

/** The files by name. @throws InputError with the first file that could not be loaded, and why */
export async function fetchShippedFiles(domain: string, id: ShippedId): Promise<Map<string, Uint8Array>> {
  const folder = shippedFolder(domain, id);
  return new Map(await Promise.all(FILES.map(async (name) => [name, await fetched(folder, name)] as const)));
}

/** Every model that ships, of all games, by game. */
export function allShipped(): { domain: string; id: ShippedId }[] {
  return Object.keys(FOLDERS).flatMap((domain) => shippedIds(domain).map((id) => ({ domain, id })));
}

/** Pages show what was measured on this device without the records where a line is slower than that for 30 KB. */
const RECORD_MS = 5000;

/** The record of a shipped model. @throws InputError where it could not be loaded */
export function fetchShippedRecord(domain: string, id: ShippedId): Promise<Uint8Array> {
  return fetched(shippedFolder(domain, id), RECORD, AbortSignal.timeout(RECORD_MS));
}

async function fetched(folder: string, name: string, signal?: AbortSignal): Promise<Uint8Array> {
  const unreachable = (why: string, code = 'shipped-unreachable') =>
    new InputError(fail(code, `${name} could not be loaded (${why}).`, { file: name }).error);
  let response: Response;
  try {
    response = await fetch(folder + name, { signal });
  } catch (error) {
    throw unreachable(error instanceof Error ? error.message : String(error), NO_ANSWER);
  }
  if (!response.ok) throw unreachable(`the server says ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
