import * as v from 'valibot';
import type { RunDescription } from './protocol.ts';

/** The longest that a person may write about a run, in characters, and how many tags. */
export const DESCRIPTION_LIMITS = { name: 80, notes: 4000, tag: 32, tags: 12 } as const;

/** What was written, without spaces around it, empty tags or tags twice, and cut to the limits. */
export function tidyDescription({ name, notes, tags }: RunDescription): RunDescription {
  const { name: longest, notes: most, tag, tags: many } = DESCRIPTION_LIMITS;
  const cut = (text: string, length: number): string => [...text.trim()].slice(0, length).join('').trimEnd();
  const tidy = tags.map((text) => cut(text.replace(/\s+/g, ' '), tag)).filter((text) => text !== '');
  return {
    name: cut(name.replace(/\s+/g, ' '), longest),
    notes: cut(notes, most),
    tags: [...new Set(tidy)].slice(0, many),
  };
}

const fields = { name: v.string(), notes: v.string(), tags: v.array(v.string()) };

/** What a row of the list says of it, damaged or not; fields that cannot be read are left out. */
export function descriptionIn(row: unknown): Partial<RunDescription> {
  const found = (row ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([key, schema]) => v.is(schema, found[key]))
      .map(([key]) => [key, found[key]]),
  );
}
