/** The parts of a set of games, in the order in which they are listed. */
export const SPLITS = ['train', 'dev', 'test', 'probe'] as const;
export type Split = (typeof SPLITS)[number];

/** Games end to end in two flat arrays, so that a corpus crosses threads without a copy. */
export class Corpus {
  /** `events` holds all traces one after another; game i is events[offsets[i], offsets[i + 1]). */
  constructor(
    readonly events: Uint16Array,
    readonly offsets: Uint32Array,
  ) {}

  /** A corpus that came from another thread, where it lost its class. */
  static of({ events, offsets }: Pick<Corpus, 'events' | 'offsets'>): Corpus {
    return new Corpus(events, offsets);
  }

  static from(traces: Iterable<ArrayLike<number>>): Corpus {
    const builder = new CorpusBuilder();
    for (const trace of traces) builder.add(trace);
    return builder.finish();
  }

  /** Number of games. */
  get length(): number {
    return this.offsets.length - 1;
  }

  /** Game i, as a view of the corpus. */
  trace(i: number): Uint16Array {
    return this.events.subarray(this.offsets[i], this.offsets[i + 1]);
  }

  /** The first games alone; all of them where `games` is null or more than there are. */
  first(games: number | null): Corpus {
    if (games === null || games >= this.length) return this;
    return new Corpus(this.events.subarray(0, this.offsets[games]), this.offsets.subarray(0, games + 1));
  }

  *[Symbol.iterator](): Generator<Uint16Array> {
    for (let i = 0; i < this.length; i++) yield this.trace(i);
  }
}

/** A corpus being filled; its arrays double when they are full. */
export class CorpusBuilder {
  private events = new Uint16Array(1 << 16);
  private offsets = new Uint32Array(1 << 10);
  private games = 0;

  get length(): number {
    return this.games;
  }

  /** Events so far. */
  private get end(): number {
    return this.offsets[this.games];
  }

  add(trace: ArrayLike<number>): void {
    const start = this.end;
    const end = start + trace.length;
    if (end > this.events.length) {
      const longer = new Uint16Array(Math.max(end, this.events.length * 2));
      longer.set(this.events);
      this.events = longer;
    }
    if (this.games + 2 > this.offsets.length) {
      const longer = new Uint32Array(this.offsets.length * 2);
      longer.set(this.offsets);
      this.offsets = longer;
    }
    this.events.set(trace, start);
    this.offsets[++this.games] = end;
  }

  finish(): Corpus {
    return new Corpus(this.events.slice(0, this.end), this.offsets.slice(0, this.games + 1));
  }
}

/** Width of the bins that lengths are counted in: ten events, or one where no game is longer than twelve. */
export function lengthStep(corpus: Corpus): number {
  let longest = 0;
  for (const { length } of corpus) longest = Math.max(longest, length);
  return longest > 12 ? 10 : 1;
}

/** Games by length: entry i counts those of i steps to less than i + 1 steps; a step is ten events. */
export function lengthHistogram(corpus: Corpus, step = 10): number[] {
  const bins: number[] = [];
  for (const { length } of corpus) {
    const bin = Math.floor(length / step);
    while (bins.length <= bin) bins.push(0);
    bins[bin]++;
  }
  return bins;
}
