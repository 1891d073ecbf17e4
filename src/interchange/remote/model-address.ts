import { fail, ok, type Result } from '../../base/result.ts';

/** Where the files of a model are. */
export interface ModelAddress {
  /** OWNER/NAME of a repository, else the last name of the address. */
  name: string;
  /** Address of the folder, which ends with a slash. */
  folder: string;
  /** The one file that the address names, where that is no usual file of a folder: an archive, or a checkpoint. */
  file: string | null;
}

const HUGGING_FACE = ['huggingface.co', 'www.huggingface.co', 'hf.co'];
/** Parts of a repository's address that a branch follows. */
const VIEWS = ['tree', 'blob', 'resolve', 'raw'];
/** Pages there that are no repositories of models. */
const OTHER_PAGES = ['datasets', 'spaces', 'models', 'docs', 'papers', 'collections', 'api'];

/**
 * The folder that an address of a model names: a repository of Hugging Face as a browser shows it, or any folder on a web
 * host, or one of a folder's files.
 */
export function modelAddress(text: string): Result<ModelAddress> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    return fail('bad-address', `"${text.slice(0, 200)}" is no web address; give one that begins with https://.`);
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const isHub = HUGGING_FACE.includes(url.hostname);
  if (isHub && (parts.length === 0 || OTHER_PAGES.includes(parts[0])))
    return fail('bad-address', `${url.href} names no model; give https://huggingface.co/OWNER/NAME.`);
  if (!isHub) return ok(withoutFile(url.origin, parts, url.hostname));
  const view = VIEWS.includes(parts[1]) ? 1 : 2;
  const repository = parts.slice(0, view);
  const [branch = 'main', ...inside] = VIEWS.includes(parts[view]) ? parts.slice(view + 1) : [];
  const found = withoutFile('https://huggingface.co', [...repository, 'resolve', branch, ...inside], '');
  return ok({ ...found, name: repository.map(decoded).join('/') });
}

/** An address by its parts, of which the last may be a file. */
function withoutFile(origin: string, parts: readonly string[], host: string): ModelAddress {
  const last = decoded(parts.at(-1) ?? '');
  const isFile = /\.(safetensors|bin|json|txt|zip|onnx)$/i.test(last);
  const isUsual = !/\.(safetensors|zip)$/i.test(last) || /^model(-\d+-of-\d+)?\.safetensors$/.test(last);
  const folder = isFile ? parts.slice(0, -1) : parts;
  const path = folder.map((part) => `${part}/`).join('');
  const name = decoded(folder.at(-1) ?? '') || host;
  return { name: isUsual ? name : last, folder: `${origin}/${path}`, file: isUsual ? null : last };
}

/** A part of an address as it is read; as it is written where it is no encoded text ("100%"). */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
