import type { RunConfig } from '../../config/run-config.ts';
import { count } from '../../report/labels.ts';
import type { LivePanel, LiveReference, LiveScore } from '../live.ts';
import type { Published } from '../published.ts';
import { prefixRanges, PREFIX_RANGES, type PrefixRange } from './prefix-ranges.ts';
import { testbedStory } from './story.ts';

/** What is known of a run once its games have been read. */
interface Measured {
  positions: Record<PrefixRange, number>;
  references: LiveReference[];
}

const tasks = [
  { name: 'end', title: 'End', asks: 'where does this piece go?' },
  { name: 'start', title: 'Start', asks: 'from where does a knight move?' },
] as const;

/** The measures of each task; whether a square is spelt right, only a destination can say. */
export const MEASURES = { end: ['legal', 'exact', 'spelt'], start: ['legal', 'exact'] } as const;

/** The testbed's charts, a view for each range of prefix lengths. */
export function livePanel(config: RunConfig, published: Published | null, measured: Measured | null): LivePanel {
  const empty = config.notation === 'uci' ? 'UCI has no piece names to ask with' : undefined;
  return {
    study: 'testbed',
    title: 'Does it follow the board?',
    choice: 'Length of the prefixes',
    views: PREFIX_RANGES.map((range) => {
      const [least, most] = prefixRanges[range];
      return {
        title: range === 'short' ? `After ${least} to ${most} plies` : `${least} to ${most} plies`,
        charts: tasks.map(({ name, title, asks }) => ({
          name: `${name}-${range}`,
          title: `${title}: ${asks}`,
          unit: 'share',
          scores: MEASURES[name].map((measure): LiveScore => {
            const of = { name: `${name}-${measure}-${range}`, title: `${title} ${measure}`, at: range, label: measure };
            return { ...of, headline: measure === 'legal' };
          }),
          ...(name === 'start' && empty ? { empty } : {}),
        })),
        note: noteOf(range, published, measured),
      };
    }),
    references: [...(published ? [published] : []), ...(measured?.references ?? [])],
    story: testbedStory(config),
  };
}

function noteOf(range: PrefixRange, published: Published | null, measured: Measured | null): string {
  const asked = measured ? `, in ${count(measured.positions[range])} positions` : '';
  // The paper's prefixes are long ones alone.
  const paper =
    range === 'long' && published ? `; and ${published.label} of ${published.source}, ${published.model}` : '';
  return `Share of answers that are legal (LgM), that are the move really played (ExM), and that are a square some piece could reach from where it stands (spelt), asked as End-Actual and Start-Actual${asked}. Dotted: no board, a table of the commonest destinations that a model must beat to be following the position; random legal, exact, how often a legal answer drawn at random is the move played, which is high for Start, where often only one such piece can move${paper}.`;
}
