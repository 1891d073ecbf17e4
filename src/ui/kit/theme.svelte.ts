import { keep } from '../session/kept.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

/** Where the choice is stored on this device; public/theme.js reads it before the first paint. */
const STORED = 'blindfold.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

/** The page's colours: the system's, or those chosen instead. `data-theme` of the root says which to the styles. */
class Theme {
  #choice = $state<ThemeChoice>((document.documentElement.dataset.theme as 'light' | 'dark' | undefined) ?? 'system');
  #system = $state<'light' | 'dark'>(system.matches ? 'dark' : 'light');
  /** The colours on show. */
  readonly shown = $derived(this.#choice === 'system' ? this.#system : this.#choice);

  constructor() {
    system.addEventListener('change', () => (this.#system = system.matches ? 'dark' : 'light'));
    this.#colourBrowser();
  }

  get choice(): ThemeChoice {
    return this.#choice;
  }

  set choice(choice: ThemeChoice) {
    this.#choice = choice;
    const { dataset } = document.documentElement;
    if (choice === 'system') delete dataset.theme;
    else dataset.theme = choice;
    this.#colourBrowser();
    keep(STORED, choice === 'system' ? null : choice);
  }

  /** What a browser colours around the page goes by the one of these elements that applies. */
  #colourBrowser(): void {
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
      const scheme = (meta.dataset.scheme ??= meta.media.includes('dark') ? 'dark' : 'light');
      if (this.#choice === 'system') meta.media = `(prefers-color-scheme: ${scheme})`;
      else meta.media = this.#choice === scheme ? 'all' : 'not all';
    }
  }
}

export const theme = new Theme();
