import { fail, ok, type Result } from '../../../base/result.ts';

/** Most characters of a query: hosts refuse requests whose first line has more than some 8 KB. */
const LONGEST_QUERY = 6000;
/** Most characters that an experiment's settings can have, all of its custom questions included, and more. */
const LONGEST_LINK = 64_000;

/**
 * The end of the address of a page ("#/runs", or "") with an experiment's settings: as its query, or, where hosts would
 * refuse it, in the fragment, which the browser does not send.
 */
export function addressEnd(page: string, query: string): string {
  if (query === '') return page;
  return query.length <= LONGEST_QUERY ? `?${query}${page}` : `${page || '#/train'}?${query}`;
}

/** The settings that an address has. Fails with `link-too-long`. */
export function settingsIn({ search, hash }: Pick<Location, 'search' | 'hash'>): Result<URLSearchParams> {
  const at = hash.indexOf('?');
  const query = at < 0 ? search.slice(1) : hash.slice(at + 1);
  if (query.length <= LONGEST_LINK) return ok(new URLSearchParams(query));
  const [long, most] = [query.length, LONGEST_LINK].map((count) => count.toLocaleString('en-GB'));
  return fail(
    'link-too-long',
    `The link's settings have ${long} characters, and the lab reads ${most} at most; they were left out. Check that it is the right link.`,
  );
}

/** Most characters of moves in a link: longer ones are not of a game that a model reads. */
const LONGEST_LINE = 4000;

/** A line of moves as links have it: "e2e4.e7e5", without what a browser would escape. */
export function linkText(line: string): string {
  return line.includes('.') ? line.trim() : line.trim().replace(/\s+/g, '.');
}

/** The line that a link's text means; one with spaces is a line already. Fails with `link-too-long`. */
export function lineOf(text: string): Result<string> {
  if (text.length > LONGEST_LINE)
    return fail('link-too-long', `It has ${text.length} characters, and ${LONGEST_LINE} are read at most.`);
  return ok(/\s/.test(text) ? text : text.replaceAll('.', ' '));
}

/** What is looked at, "prompt=e2e4.e7e5.g1"; '' for nothing, and for what no link could hold. */
export function promptQuery(line: string): string {
  const text = linkText(line);
  return text === '' || text.length > LONGEST_LINE ? '' : new URLSearchParams({ prompt: text }).toString();
}

/** Where a line can be looked at that an address may name. */
export interface Linked {
  /** The line on show; '' for that which the page opens with, and for what cannot be read. */
  readonly link: string;
  /** Looks at a line, unless it cannot be read. */
  open(line: string): Result<unknown>;
}

/** Looks at what an address names, if it names anything; a failure is a sentence for people. */
export function openPrompt(params: URLSearchParams, place: Linked): Result<unknown> {
  const text = params.get('prompt');
  if (text === null) return ok(null);
  const line = lineOf(text);
  const opened = line.ok ? place.open(line.value) : line;
  return opened.ok
    ? opened
    : fail('link-prompt', `The link's prompt was left out. ${opened.error.message} Check that the link is whole.`);
}
