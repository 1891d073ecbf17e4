export const pages = ['train', 'probe', 'suites', 'compare', 'runs', 'data'] as const;
export type Page = (typeof pages)[number];

/** Which page the address names: "#/runs", or "#/runs?" and settings (session/address.ts). */
export class Route {
  page = $state<Page>(pageOf(location.hash));

  constructor() {
    addEventListener('hashchange', () => {
      this.page = pageOf(location.hash);
      scrollTo(0, 0);
    });
  }
}

function pageOf(hash: string): Page {
  const name = hash.replace(/^#\/?|\?.*$/g, '');
  return pages.find((page) => page === name) ?? 'train';
}
