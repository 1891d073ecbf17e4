import { fail, ok, wordsOf, type Result } from '../../base/result.ts';

/** A model as files: larger ones do not fit a page's memory twice. */
export const ANYWAY_GIGABYTES = 1.5;
const LARGEST = ANYWAY_GIGABYTES * 1e9;
/** What a model's folder may hold that is of use here. */
const USEFUL = /(\.(safetensors|json|zip)|^(merges|vocab)\.txt)$/i;
/** The weights of folders that have no others. */
const PYTORCH = /^pytorch_model.*\.bin$/i;

export interface ModelFiles {
  name: string;
  files: Map<string, Uint8Array>;
}

/** Files or folders that were dropped or chosen, as a model to open; the name is the folder's or the file's. */
export async function readModelFiles(given: readonly File[], folder: string | null): Promise<Result<ModelFiles>> {
  const isSafe = given.some(({ name }) => /\.safetensors$/i.test(name));
  const useful = given.filter(({ name }) => USEFUL.test(name) || (!isSafe && PYTORCH.test(name)));
  const heard = given.length === 1 ? given[0].name : `these ${given.length} files`;
  if (useful.length === 0)
    return fail(
      'no-model',
      given.length === 0
        ? 'Nothing was dropped that can be read; drop a folder, its files, or the .zip that the Runs page saves.'
        : `There is no model in ${heard}; a model is a folder with config.json and .safetensors or pytorch_model.bin, or the .zip that the Runs page saves.`,
    );
  const size = useful.reduce((sum, file) => sum + file.size, 0);
  if (size > LARGEST)
    return fail(
      'model-too-large',
      `The files have ${(size / 1e9).toFixed(1)} GB; models of up to ${LARGEST / 1e9} GB can be measured in a page.`,
    );
  const files = new Map<string, Uint8Array>();
  for (const file of useful) {
    try {
      files.set(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      return fail('not-read', `${file.name} could not be read (${wordsOf(error)}). Choose it again.`, {
        file: file.name,
      });
    }
  }
  const weights = useful.find(({ name }) => /\.(safetensors|bin|zip)$/i.test(name)) ?? useful[0];
  return ok({ name: folder ?? weights.name.replace(/\.(safetensors|bin|zip)$/i, ''), files });
}

/** The files of a drop, those directly inside dropped folders among them. */
export async function droppedFiles(transfer: DataTransfer): Promise<{ files: File[]; folder: string | null }> {
  // Entries must be taken before the event is over; after an await the list is empty.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const folders = entries.filter((entry) => entry.isDirectory) as FileSystemDirectoryEntry[];
  const loose = [...transfer.files];
  if (folders.length === 0) return { files: loose, folder: null };
  const inside = await Promise.all(folders.map(filesOf));
  const files = loose.filter(({ name }) => folders.every((folder) => folder.name !== name));
  return { files: [...files, ...inside.flat()], folder: folders.length === 1 ? folders[0].name : null };
}

async function filesOf(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  // A reader gives a folder in parts, and an empty part at its end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0 || files.length > 200) return files;
    for (const entry of part)
      if (entry.isFile)
        files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
  }
}
