import type { PrefixRange, ReferenceScores } from '../../studies/scores.ts';
import type { Reference } from '../chart/chart-layout.ts';

/** Toshniwal et al. 2022, tables 5 and 6: Train-S, UCI+RAP, prefixes of 51 to 100 plies. */
const PAPER = { endLegal: 0.884, endExact: 0.333, startLegal: 0.913, startExact: 0.788 };

/**
 * The dotted lines of the live charts, each in the tone of the curve that it belongs to: accent for legal answers, ink
 * for exact ones. A random legal answer is always legal, so what it scores is a line for exact answers.
 */
export function probeReferences(
  references: ReferenceScores | null,
  range: PrefixRange,
): Record<'end' | 'start', Reference[]> {
  const legal = (label: string, value: number): Reference => ({ label, value, tone: 'accent' });
  const exact = (label: string, value: number): Reference => ({ label: `${label}, exact`, value, tone: 'ink' });
  // The paper's are of long prefixes alone.
  const paper = range === 'long';
  const bigram = references?.bigram[range];
  const random = references?.randomLegal[range];
  return {
    end: [
      ...(paper ? [legal('paper', PAPER.endLegal), exact('paper', PAPER.endExact)] : []),
      ...(bigram ? [legal('no board', bigram.endLegal), exact('no board', bigram.endExact)] : []),
      ...(random ? [exact('random legal', random.endExact)] : []),
    ],
    start: [
      ...(paper ? [legal('paper', PAPER.startLegal), exact('paper', PAPER.startExact)] : []),
      ...(random ? [exact('random legal', random.startExact)] : []),
    ],
  };
}
