import { Budget, LIMITS, type Limits } from '../../base/budget.ts';
import { failureOf, InputError, inputError, ok, unwrap, type Result } from '../../base/result.ts';
import type { Files } from '../folder.ts';
import { TOKENIZER_FILES } from '../tokenizers/text-tokenizer.ts';
import { TRAINING_RECORD } from '../records/training-record.ts';
import { readWeightsIndex, WEIGHT_FILES, WEIGHTS_INDEXES } from '../weights.ts';
import { Arrived } from './arrived.ts';
import { download, type Transfer } from './download.ts';
import { modelAddress, type ModelAddress } from './model-address.ts';

/** How far the files of a model have arrived. */
export interface FetchProgress {
  file: string;
  /** Bytes of all files so far, and of all that are known to come; null while nobody knows. */
  read: number;
  total: number | null;
}

const RECORDS = ['config.json', 'blindfold.json', TRAINING_RECORD] as const;
/** With tokenizer.json, the files that it replaces need not come. */
const [TOKENIZER, ...MORE_TOKENIZER] = TOKENIZER_FILES;

/**
 * The files of a model at an address: what describes it, its tokenizer, and its weights in one file or several. `store`
 * holds what has arrived by address, and goes on holding it where the transfer fails, so that another call takes it up.
 * Fails as `download` and `modelAddress` do, and with `no-model` where the address has no weights.
 */
export async function fetchModel(
  address: string,
  transfer: Transfer,
  onProgress: (progress: FetchProgress) => void,
  store: Map<string, Arrived> = new Map(),
  limits: Readonly<Limits> = LIMITS,
): Promise<Result<{ name: string; files: Files }>> {
  const at = modelAddress(address);
  if (!at.ok) return at;
  const fetching = new Fetching(at.value, transfer, onProgress, store, limits);
  try {
    await fetching.all();
    return ok({ name: at.value.name, files: fetching.files });
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}

class Fetching {
  readonly files: Files = new Map();
  /** An answer that was a web page: hosts of one page send it for whatever they do not have. */
  #page: InputError | null = null;
  #before = 0;
  #expected: number | null = null;

  constructor(
    private readonly at: ModelAddress,
    private readonly transfer: Transfer,
    private readonly onProgress: (progress: FetchProgress) => void,
    private readonly store: Map<string, Arrived>,
    private readonly limits: Readonly<Limits>,
  ) {}

  /** Fetches everything. @throws InputError */
  async all(): Promise<void> {
    const { file } = this.at;
    if (file?.endsWith('.zip')) return this.#need(file);
    for (const name of [...RECORDS, TOKENIZER]) await this.#take(name);
    for (const name of this.files.has(TOKENIZER) ? MORE_TOKENIZER.slice(0, 1) : MORE_TOKENIZER) await this.#take(name);
    for (const name of file === null ? WEIGHT_FILES : [file]) {
      if (!(await this.#take(name))) continue;
      return WEIGHTS_INDEXES.some((index) => index === name) ? this.#shards(name) : undefined;
    }
    throw this.#missing(file ?? 'model.safetensors');
  }

  async #shards(index: string): Promise<void> {
    const { size, files } = unwrap(readWeightsIndex(index, this.files.get(index)!));
    this.#expected = size;
    this.#budget(index).hold('whole', size ?? 0);
    for (const name of files) await this.#need(name);
  }

  async #need(file: string): Promise<void> {
    if (!(await this.#take(file))) throw this.#missing(file);
  }

  /** Takes a file where the address has it, and says whether it does. */
  async #take(file: string): Promise<boolean> {
    const url = new URL(file.split('/').map(encodeURIComponent).join('/'), this.at.folder).href;
    const arrived = this.store.get(url) ?? new Arrived();
    this.store.set(url, arrived);
    const found = await download(url, arrived, this.#budget(file), this.transfer, ({ length, total }) =>
      this.onProgress({
        file,
        read: this.#before + length,
        total: this.#expected ?? (total === null ? null : this.#before + total),
      }),
    );
    if (!found.ok) {
      const failure = new InputError(found.error);
      if (found.error.code === 'not-a-file') this.#page = failure;
      // Some stores answer 403 for what is not there, and only the first file tells whether they let anything be read.
      else if (found.error.code !== 'denied' || this.files.size === 0) throw failure;
      return false;
    }
    if (found.value === null) return false;
    this.#before += found.value.length;
    this.files.set(file, found.value);
    return true;
  }

  /** What is left of the memory that a model may take. */
  #budget(file: string): Budget {
    return new Budget(file, { ...this.limits, whole: this.limits.whole - this.#before });
  }

  /** The failure of a file that has to be there. */
  #missing(file: string): InputError {
    if (this.#page) return this.#page;
    const { folder } = this.at;
    return inputError(
      'no-model',
      this.files.has('config.json')
        ? `There is no ${file} at ${folder}; its weights are missing, or in a form that cannot be read here.`
        : `There is no model at ${folder}: neither config.json nor ${file} is there. Give the address of the folder that holds them.`,
      { file },
    );
  }
}
