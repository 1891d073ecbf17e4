import type { PaperScores } from '../../../studies/testbed/report/paper-row.ts';
import type { PrefixRange, ReferenceScores } from '../../../studies/scores.ts';
import type { Reference } from '../../chart/chart-layout.ts';

/**
 * The dotted lines of the live charts, each in the tone of the curve that it belongs to: accent for legal answers, ink
 * for exact ones; `paper` is the row of the paper that the run is like, null where it has none. A random legal answer is always legal, so what it scores is a line for exact answers.
 */
export function probeReferences(
  references: ReferenceScores | null,
  range: PrefixRange,
  paper: PaperScores | null,
): Record<'end' | 'start', Reference[]> {
  const legal = (label: string, value: number): Reference => ({ label, value, tone: 'accent' });
  const exact = (label: string, value: number): Reference => ({ label: `${label}, exact`, value, tone: 'ink' });
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
