/** The worker's script lies in assets/ of the built page, and at workers/NAME/ of the dev server. */
const base = import.meta.env.DEV ? new URL('/', self.location.href) : new URL('../', self.location.href);

/** The address of a file that ships with the lab, by its path in public. */
export const shippedUrl = (path: string): string => new URL(path, base).href;

/** The text of such a file. Rejects where there is none. */
export async function readShipped(path: string): Promise<string> {
  const response = await fetch(shippedUrl(path));
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${path}`);
  return response.text();
}
