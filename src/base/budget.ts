import { inputError, type InputError } from './result.ts';

/** What reading one file may cost. A person may raise all of it but the nesting for a file that they trust. */
export interface Limits {
  /** Bytes that packed data may become, the levels of an archive within an archive added up. */
  unpacked: number;
  /** The same as a multiple of the bytes that were packed; looked at from 16 MB on, since small files may well repeat. */
  ratio: number;
  /** Bytes of a file that has to be in memory whole: an archive, a table, a model. */
  whole: number;
  /** Bytes of a document that is parsed whole (JSON, XML, event files), which takes a multiple of them. */
  document: number;
  /** Objects, lists and values of a document. */
  values: number;
  /** Files in an archive. */
  entries: number;
  /** Archives within archives, and objects within objects. */
  nesting: number;
  depth: number;
  /** Bytes of what was unpacked that a decoder has to remember (zstd's window). */
  window: number;
  /** Seconds of decoding that give nothing: so many, and one for each megabyte read or unpacked. */
  seconds: number;
}

const MB = 1e6;
const RATIO_FROM = 16 * MB;
/** Milliseconds of decoding between two pauses. */
const PAUSE_EVERY = 50;

export const LIMITS: Readonly<Limits> = {
  unpacked: 1000e9,
  ratio: 200,
  whole: 256 * MB,
  document: 32 * MB,
  values: 2e6,
  entries: 50_000,
  nesting: 4,
  depth: 200,
  window: 2 ** 27,
  seconds: 8,
};

/** Most gigabytes that a file may be raised to: a buffer that is larger is refused by browsers. */
export const MOST_GIGABYTES = 16;

/** The limits of a file that a person wants read all the same, up to so many gigabytes of memory or unpacked bytes. */
export function raisedLimits(gigabytes: number): Limits {
  const bytes = gigabytes * 1e9;
  const factor = Math.max(1, bytes / LIMITS.whole);
  return {
    ...LIMITS,
    unpacked: Math.max(bytes, RATIO_FROM),
    ratio: Infinity,
    whole: bytes,
    document: bytes,
    values: LIMITS.values * factor,
    entries: LIMITS.entries * factor,
    window: Math.min(bytes, 2 ** 31),
    seconds: LIMITS.seconds * factor,
  };
}

/** The code of the failure of a file that costs more than its limits, and that raised limits may let in. */
export const OVER_LIMIT = 'over-limit';

/** How the host lets a file's decoding take time. */
export interface Pace {
  /** Milliseconds; one that stands still sets no bound on time. */
  clock?: () => number;
  /** Lets waiting messages be answered; throws where reading has been cancelled. */
  pause?: () => Promise<void>;
}

/** What one file has cost so far. Every decoder spends from it, and throws InputError (`over-limit`) when it is spent. */
export class Budget {
  #packed = 0;
  #unpacked = 0;
  #entries = 0;
  #working = 0;
  #sincePause = 0;
  readonly #clock: () => number;
  readonly #pause: (() => Promise<void>) | undefined;

  constructor(
    readonly file: string,
    readonly limits: Readonly<Limits> = LIMITS,
    { clock = () => 0, pause }: Pace = {},
  ) {
    this.#clock = clock;
    this.#pause = pause;
  }

  /** Bytes of the file itself, as they are read. */
  read(bytes: number): void {
    this.#packed += bytes;
  }

  /** Bytes that came out of a decoder. */
  unpack(bytes: number, file = this.file): void {
    this.#unpacked += bytes;
    const { ratio, unpacked } = this.limits;
    if (this.#unpacked > unpacked) throw this.over(file, `it unpacks to more than ${size(unpacked)}`);
    if (this.#unpacked > RATIO_FROM && this.#unpacked > ratio * this.#packed)
      throw this.over(file, `${size(this.#packed)} of it unpack to more than ${size(this.#unpacked)}`);
  }

  /** One more file of an archive. */
  entry(file = this.file): void {
    if (++this.#entries > this.limits.entries)
      throw this.over(file, `the archive names more than ${this.limits.entries} files`);
  }

  /** An archive at this depth: 1 for the file itself. */
  nest(depth: number, file = this.file): void {
    if (depth <= this.limits.nesting) return;
    const message = `${file}: it is packed more than ${this.limits.nesting} times over; unpack it and give what is inside.`;
    throw inputError('nested', message, { file });
  }

  /** Bytes wanted at once: of a file in memory, of a document, of a decoder's window. */
  hold(what: 'whole' | 'document' | 'window', bytes: number, file = this.file): void {
    if (bytes <= this.limits[what]) return;
    const most = size(this.limits[what]);
    throw this.over(
      file,
      what === 'window'
        ? `unpacking it takes ${size(bytes)} of memory, more than ${most}`
        : `it has more than the ${most} that can be read at once`,
    );
  }

  /** Values that a document or a table has. */
  values(count: number, file = this.file): void {
    if (count > this.limits.values) throw this.over(file, `it holds more than ${this.limits.values} values at once`);
  }

  /** Work whose time counts: a decoder's, not that of whoever reads what it gave. */
  work<T>(decode: () => T, file = this.file): T {
    const start = this.#clock();
    const value = decode();
    const took = this.#clock() - start;
    this.#working += took;
    this.#sincePause += took;
    const allowed = this.limits.seconds + (this.#packed + this.#unpacked) / MB;
    if (this.#working > 1000 * allowed)
      throw this.over(file, `after ${Math.round(this.#working / 1000)} seconds hardly anything came out of it`);
    return value;
  }

  /** Lets the thread answer others when it has worked for a while. */
  async breathe(): Promise<void> {
    if (this.#sincePause < PAUSE_EVERY) return;
    this.#sincePause = 0;
    await this.#pause?.();
  }

  /** The failure of a file that costs too much. */
  over(file: string, what: string): InputError {
    const message = `${file}: ${what}, so it was not read on; check that it is the right file.`;
    return inputError(OVER_LIMIT, message, { file });
  }
}

/** Bytes for people: "67 MB". */
function size(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, 'GB'] : bytes >= MB ? [MB, 'MB'] : [1e3, 'KB'];
  const count = bytes / unit;
  return `${count >= 10 ? Math.round(count) : Number(count.toFixed(1))} ${name}`;
}
