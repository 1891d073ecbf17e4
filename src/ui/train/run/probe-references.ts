import type { PaperScores } from '../../../studies/testbed/report/paper-row.ts';
import type { PrefixRange, ReferenceScores } from '../../../studies/scores.ts';
import type { FigureReference } from '../../../report/table.ts';

/**
 * The dotted lines of the live charts in percent, each with the curve that it is held against; `paper` is the row of the paper that the run is like, null where it has none. A random legal answer is always legal, so what it scores is a line for exact answers.
 */
export function probeReferences(
  references: ReferenceScores | null,
  range: PrefixRange,
  paper: PaperScores | null,
): Record<'end' | 'start', FigureReference[]> {
  const legal = (label: string, value: number): FigureReference => ({ label, value: 100 * value, series: 'legal' });
  const exact = (label: string, value: number): FigureReference => ({
    label: `${label}, exact`,
    value: 100 * value,
    series: 'exact',
  });
  const bigram = references?.bigram[range];
  const random = references?.randomLegal[range];
  return {
    end: [
      ...(paper ? [legal(`Train-${paper.size}`, paper.endLegal), exact(`Train-${paper.size}`, paper.endExact)] : []),
      ...(bigram ? [legal('no board', bigram.endLegal), exact('no board', bigram.endExact)] : []),
      ...(random ? [exact('random legal', random.endExact)] : []),
    ],
    start: [
      ...(paper
        ? [legal(`Train-${paper.size}`, paper.startLegal), exact(`Train-${paper.size}`, paper.startExact)]
        : []),
      ...(random ? [exact('random legal', random.startExact)] : []),
    ],
  };
}
