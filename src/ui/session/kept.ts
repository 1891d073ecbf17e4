/** Where something is kept: in this browser, or in this tab alone. */
type Place = 'localStorage' | 'sessionStorage';

/** What is kept under a name; null where nothing is, or where the browser denies storage. */
export function kept(name: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(name);
  } catch {
    return null;
  }
}

/** What was kept as JSON; null also for what is none. */
export function keptJson(name: string): unknown {
  try {
    return JSON.parse(kept(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a text; null forgets it. Where storage is denied or full, as in private windows, it lasts as long as the page. */
export function keep(name: string, text: string | null, place: Place = 'localStorage'): void {
  try {
    if (text === null) globalThis[place].removeItem(name);
    else globalThis[place].setItem(name, text);
  } catch {
    return;
  }
}
