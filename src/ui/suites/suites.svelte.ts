import { failureOf, unwrap, type Failure, type Result } from '../../base/result.ts';
import { tagsOf } from '../../studies/syntaxgym/published.ts';
import { freeName, newSuite, setMeta } from '../../studies/syntaxgym/edit-suite.ts';
import { readShippedSuite, shippedList, type ShippedSuite } from '../../studies/syntaxgym/shipped.ts';
import { titleOf, type Suite } from '../../studies/syntaxgym/suite.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { SuiteAsking } from './asking.svelte.ts';
import { LARGEST, suitesOfText, type OpenedSuites } from './open-suites.ts';
import { indexedSuites, type StoredSuite, type SuiteStore } from './suite-store.ts';

/** A suite in the list. */
export interface ListedSuite {
  id: string;
  name: string;
  title: string;
  tags: readonly string[];
  /** How many there are. */
  items: number;
  /** Null while a shipped one has not been read. */
  suite: Suite | null;
  /** Shipped suites are read and copied; others can be edited. */
  shipped: boolean;
}

const readShipped = async (path: string): Promise<string> => {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${path}`);
  return response.text();
};

/** The suites of the page's game: those that ship with the lab, and those that a person wrote or opened. */
export class SuitesState {
  stored = $state.raw<StoredSuite[]>([]);
  search = $state('');
  tag = $state('');
  opened = $state<string | null>(null);
  failure = $state.raw<Failure | null>(null);
  #index = $state.raw<ShippedSuite[]>([]);
  #read = $state.raw<Readonly<Record<string, Suite>>>({});
  readonly asking: SuiteAsking;
  readonly #lab: Lab;
  readonly #store: SuiteStore;
  #ready: Promise<void> | null = null;

  constructor(lab: Lab, store: SuiteStore = indexedSuites()) {
    this.#lab = lab;
    this.#store = store;
    this.asking = new SuiteAsking(lab);
  }

  /** Those of the game and those in natural language, one's own first. */
  all = $derived.by((): ListedSuite[] => {
    const isHere = (domain: string | null | undefined): boolean => domain == null || domain === this.#lab.domain;
    const own = this.stored.filter(({ suite }) => isHere(suite.meta.domain));
    const shipped = this.#index.filter(({ domain }) => isHere(domain));
    return [
      ...own.map(({ id, suite }) => listed(id, suite, false)),
      ...shipped.map(({ name, title, tags, items, file }): ListedSuite => {
        const suite = this.#read[file] ?? null;
        return suite ? listed(file, suite, true) : { id: file, name, title, tags, items, suite, shipped: true };
      }),
    ];
  });
  tags = $derived(distinct(this.all.flatMap(({ tags }) => tags)).sort());
  /** Those that the search and the tag leave. */
  found = $derived.by(() => {
    const sought = this.search.trim().toLowerCase();
    return this.all.filter(
      ({ name, title, tags }) =>
        (this.tag === '' || tags.includes(this.tag)) &&
        [name, title, ...tags].some((text) => text.toLowerCase().includes(sought)),
    );
  });
  current = $derived(this.all.find(({ id }) => id === this.opened) ?? null);
  /** What is asked and reported on: the suite that is open, else all that were found. */
  chosen = $derived(this.current ? [this.current] : this.found);
  /** Those of the chosen suites that have been read. */
  suites = $derived(this.chosen.flatMap(({ suite }) => suite ?? []));

  /** Reads the lists once, and what is stored of answers each time. */
  async arrive(): Promise<void> {
    await this.#readLists();
    await this.asking.refresh();
    // Suites are large: those that nobody has been asked about wait until they are needed.
    const answered = distinct(
      this.asking.records.flatMap(({ assessment }) =>
        (assessment as unknown as { suites: { suite: Suite }[] }).suites.map(({ suite }) => suite.meta.name),
      ),
    );
    await this.readShipped(this.all.filter(({ name }) => answered.includes(name)));
  }

  /** Reads the lists, once. A suite that is taken in waits for it: it needs a free name, and a place in the list. */
  #readLists(): Promise<void> {
    this.#ready ??= this.#readListsAnew();
    return this.#ready;
  }

  async #readListsAnew(): Promise<void> {
    const list = await shippedList(readShipped);
    if (list.ok) this.#index = list.value;
    try {
      this.stored = await this.#store.all();
    } catch (error) {
      this.#fail(`Your suites could not be read (${failureOf(error).message}).`);
    }
  }

  /** Reads the shipped ones among these, and gives all of them. */
  async readShipped(list: readonly ListedSuite[]): Promise<Suite[]> {
    const read = { ...this.#read };
    try {
      for (const { id, suite } of list)
        if (suite === null && !(id in read)) read[id] = unwrap(await readShippedSuite(readShipped, id));
    } catch (error) {
      this.failure = failureOf(error);
    }
    this.#read = { ...this.#read, ...read };
    const ids = list.map(({ id }) => id);
    return this.all.flatMap(({ id, suite }) => (ids.includes(id) && suite ? [suite] : []));
  }

  async open(id: string): Promise<void> {
    const one = this.all.find((suite) => suite.id === id);
    if (one) await this.readShipped([one]);
    this.opened = id;
  }

  async create(): Promise<void> {
    this.opened = await this.#add(newSuite('new_suite', this.#lab.domain));
  }

  async copy(suite: Suite): Promise<void> {
    this.opened = await this.#add(suite);
  }

  /** Takes in what is at an address, read by the one worker that reaches other hosts; the server must allow that. */
  async fetch(address: string): Promise<void> {
    const { workers } = this.#lab;
    const opened = await workers.attempt(async () => {
      const fetched = await workers.guard(workers.imports.fetchText(address, LARGEST), 'import');
      return fetched.ok ? suitesOfText(fetched.value.text, fetched.value.name) : fetched;
    });
    if (opened !== null) await this.take(opened);
  }

  /** Takes in what a file held; a suite that is here already is not stored twice. */
  async take(opened: Result<OpenedSuites>): Promise<void> {
    this.failure = opened.ok ? null : opened.error;
    if (!opened.ok) return;
    await this.#readLists();
    const { suites, assessments } = opened.value;
    const foreign = suites.find(({ meta }) => meta.domain !== undefined && meta.domain !== this.#lab.domain);
    const ids: string[] = [];
    for (const suite of suites) {
      const twins = this.all.filter(({ name }) => name === suite.meta.name);
      await this.readShipped(twins);
      const text = JSON.stringify(suite);
      const same = this.all.find((one) => one.suite !== null && JSON.stringify(one.suite) === text);
      ids.push(same?.id ?? (await this.#add(suite)));
    }
    if (assessments.length > 0) await this.asking.take(assessments);
    if (foreign)
      this.#fail(`${foreign.meta.name} is a suite of ${foreign.meta.domain}; it is stored, and listed in that game.`);
    else if (distinct(ids).length === 1) [this.opened] = ids;
  }

  async #add(suite: Suite): Promise<string> {
    await this.#readLists();
    const names = [...this.stored.map((one) => one.suite.meta.name), ...this.#index.map(({ name }) => name)];
    const id = crypto.randomUUID();
    const name = freeName(suite.meta.name, names);
    // Tables name suites by their titles, which a copy must not share.
    await this.save(id, setMeta(suite, name === suite.meta.name ? {} : { name, title: undefined }));
    return id;
  }

  /** Stores a suite as it is by now. Where that fails it stays in the page, and a message says so. */
  async save(id: string, suite: Suite): Promise<void> {
    const one = { id, editedAt: Date.now(), suite: $state.snapshot(suite) as Suite };
    this.stored = this.stored.some((other) => other.id === id)
      ? this.stored.map((other) => (other.id === id ? one : other))
      : [one, ...this.stored];
    try {
      await this.#store.put(one);
    } catch (error) {
      this.#fail(`The suite could not be stored (${failureOf(error).message}). Download it before you leave.`);
    }
  }

  async remove(id: string): Promise<void> {
    if (this.opened === id) this.opened = null;
    this.stored = this.stored.filter((one) => one.id !== id);
    try {
      await this.#store.remove(id);
    } catch (error) {
      this.#fail(`The suite could not be deleted (${failureOf(error).message}).`);
    }
  }

  #fail(message: string): void {
    this.failure = { code: 'suites', message };
  }
}

const distinct = <T>(list: readonly T[]): T[] => list.filter((one, at) => list.indexOf(one) === at);

function listed(id: string, suite: Suite, shipped: boolean): ListedSuite {
  return {
    id,
    name: suite.meta.name,
    title: titleOf(suite),
    tags: tagsOf(suite),
    items: suite.items.length,
    suite,
    shipped,
  };
}
