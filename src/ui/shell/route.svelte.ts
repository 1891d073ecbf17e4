export const pages = ['train', 'play', 'probe', 'suites', 'compare', 'runs', 'data'] as const;
/** Lessons are opened from the help menu. */
export type Page = (typeof pages)[number] | 'lessons';

export const PAGE_TITLES: Record<Page, string> = {
  train: 'Train',
  play: 'Play',
  probe: 'Probe',
  suites: 'Suites',
  compare: 'Compare',
  runs: 'Runs',
  data: 'Data',
  lessons: 'Lessons',
};

/** Tab of the Train page. */
const PRESENTATION = 'presentation';

/** Browsers refuse to write the address many times a second. */
const WRITE_AFTER = 200;

/**
 * What the address names: "#/probe/what-if&prompt=e2e4.e7e5.g1" is a page, its tab, and what is looked at there. Settings
 * may follow behind "?" (session/address.ts).
 */
export class Route {
  page = $state<Page>('train');
  /** '' where the address names none. */
  tab = $state('');
  /** What one has come to look at, by a link or through the history; not what the page itself has written since. */
  params = $state.raw(new URLSearchParams());
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#read();
    // Not "hashchange", which is not sent where the settings of two steps of the history differ, too.
    addEventListener('popstate', () => {
      clearTimeout(this.#timer);
      const before = this.page;
      this.#read();
      if (this.page !== before) scrollTo(0, 0);
    });
  }

  /** Goes to a tab of the page; "back" returns. */
  show(tab: string): void {
    if (tab !== this.tab) location.hash = `#/${this.page}/${tab}`;
  }

  /** Whether the page shows its run alone, for a projector. */
  get presenting(): boolean {
    return this.page === 'train' && this.tab === PRESENTATION;
  }

  /** Shows the run alone, or the page again. */
  present(on: boolean): void {
    location.hash = on ? `#/train/${PRESENTATION}` : '#/train';
  }

  /** Names the tab on show in an address that names none, or one that is not there, without a step of its own. */
  settle(page: Page, tab: string): void {
    if (this.page !== page || this.tab === tab) return;
    const [path, settings] = parted(location.hash, '?');
    const [, params] = parted(path, '&');
    this.tab = tab;
    history.replaceState(null, '', `${location.pathname}${location.search}#/${page}/${tab}${params}${settings}`);
  }

  /** Writes what is looked at into the address of the page, without a step of its own in the history. */
  say(page: Page, params: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.page !== page) return;
      const [path, settings] = parted(location.hash, '?');
      const [place] = parted(path, '&');
      const hash = params === '' ? place : `${place || `#/${page}`}&${params}`;
      if (hash !== path) history.replaceState(null, '', `${location.pathname}${location.search}${hash}${settings}`);
    }, WRITE_AFTER);
  }

  #read(): void {
    const [path] = parted(location.hash, '?');
    const [place, params] = parted(path, '&');
    const [name, ...rest] = place.replace(/^#\/?/, '').split('/');
    this.page = ([...pages, 'lessons'] as const).find((page) => page === name) ?? 'train';
    this.tab = rest.join('/');
    this.params = new URLSearchParams(params.slice(1));
  }
}

/** A text up to a sign, and the rest with it. */
function parted(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
