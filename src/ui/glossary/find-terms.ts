import { GLOSSARY, type GlossaryEntry } from './glossary.ts';

const byName = (namesOf: (entry: GlossaryEntry) => readonly string[]): Map<string, GlossaryEntry> =>
  new Map(GLOSSARY.flatMap((entry) => namesOf(entry).map((name) => [name.toLowerCase(), entry])));

/** Names that are found within a text. */
const ANYWHERE = byName(({ term, also = [] }) => [term, ...also]);
const ALONE = byName(({ alone = [] }) => alone);

/** The entry of a term under any of its names, in small or capital letters; undefined where there is none. */
export function entryOf(name: string): GlossaryEntry | undefined {
  return ANYWHERE.get(name.toLowerCase()) ?? ALONE.get(name.toLowerCase());
}

/** The longest name first, so that "random legal, exact" is found before "exact". */
const NAMES = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:${[...ANYWHERE.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[+]/g, '\\$&'))
    .join('|')})(?![\\p{L}\\p{N}-])`,
  'giu',
);

export interface TextPiece {
  text: string;
  isTerm: boolean;
}

/**
 * A text in pieces, each term marked where it first stands; the text's unit stands for nothing: "legal, %" is "legal".
 * @param seen entries that are marked elsewhere already; those of this text are added
 */
export function termsIn(text: string, seen = new Set<GlossaryEntry | undefined>()): TextPiece[] {
  const [bare] = text.split(/,? %$/, 1);
  const alone = ALONE.get(bare.toLowerCase());
  if (alone && !seen.has(alone)) {
    seen.add(alone);
    return [...piece(bare, true), ...piece(text.slice(bare.length), false)];
  }
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: name, index } of text.matchAll(NAMES)) {
    if (seen.has(entryOf(name))) continue;
    seen.add(entryOf(name));
    pieces.push(...piece(text.slice(from, index), false), ...piece(name, true));
    from = index + name.length;
  }
  return [...pieces, ...piece(text.slice(from), false)];
}

function piece(text: string, isTerm: boolean): TextPiece[] {
  return text === '' ? [] : [{ text, isTerm }];
}
