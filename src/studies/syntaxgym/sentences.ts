import type { Condition, Suite } from './suite.ts';

/** The text of a region as sentences are made of it. */
const textOf = (content: string): string => content.replace(/[\r\n\t]/g, ' ').trimStart();

/** The sentence of a condition: its regions with a space between those that are not blank (syntaxgym-core, suite.py). */
export function sentenceOf({ regions }: Condition): string {
  return regions
    .map(({ content }) => textOf(content))
    .filter((text) => text.trim() !== '')
    .join(' ');
}

/** All sentences of a suite, item by item in the order of their conditions. */
export function sentencesOf({ items }: Suite): string[] {
  return items.flatMap(({ conditions }) => conditions.map(sentenceOf));
}

/**
 * The character at which each region begins in its sentence. The space between two regions belongs to the second, so
 * that the edge stands on it. syntaxgym-core counts that space too where nothing stands before the region; here it does
 * not.
 */
export function regionEdges({ regions }: Condition): number[] {
  const edges: number[] = [];
  let end = 0;
  for (const { content } of regions) {
    edges.push(end);
    const text = textOf(content);
    if (text.trim() !== '') end += text.length + (end > 0 ? 1 : 0);
  }
  return edges;
}
