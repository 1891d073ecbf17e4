import { fail, InputError } from '../../base/result.ts';
import { keep, kept } from './kept.ts';

/** The trained models that come with the lab, as choices and starts of runs name them. */
export const SHIPPED_IDS = ['shipped', 'shipped-small', 'shipped-taught'] as const;
export type ShippedId = (typeof SHIPPED_IDS)[number];

/** As tables name them. */
export const SHIPPED_NAMES: Readonly<Record<ShippedId, string>> = {
  shipped: 'the shipped model',
  'shipped-small': 'the small shipped model',
  'shipped-taught': 'the taught shipped model',
};

/** The games that trained models ship for, and the folders of those, relative to the page. */
const FOLDERS: Readonly<Record<string, Readonly<Partial<Record<ShippedId, string>>>>> = {
  chess: {
    shipped: 'checkpoints/chess/',
    'shipped-small': 'checkpoints/chess-small/',
    'shipped-taught': 'checkpoints/chess-taught/',
  },
  baseball: { shipped: 'checkpoints/baseball/' },
  noughts: { shipped: 'checkpoints/noughts/' },
};
const PREFERRED = 'blindfold.shipped';

export function hasShipped(domain: string): boolean {
  return Object.hasOwn(FOLDERS, domain);
}

/** The models that ship for a game. Models that were not told what is legal come first, larger before smaller. */
export function shippedIds(domain: string): readonly ShippedId[] {
  return SHIPPED_IDS.filter((id) => FOLDERS[domain]?.[id] !== undefined);
}

export function isShipped(id: string): id is ShippedId {
  return SHIPPED_IDS.some((shipped) => shipped === id);
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
 * The model that answers when a game is opened: the one chosen before on this device, or the small one on a slow line,
 * where the game has one.
 */
export function preferredShipped(domain: string): ShippedId {
  if (shippedIds(domain).length < 2) return 'shipped';
  const chosen = kept(PREFERRED) ?? '';
  if (isShipped(chosen)) return chosen;
  const { connection } = navigator as Navigator & { connection?: Connection };
  const slow = connection?.saveData || ['slow-2g', '2g', '3g'].includes(connection?.effectiveType ?? '');
  return slow ? 'shipped-small' : 'shipped';
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
