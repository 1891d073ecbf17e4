import * as v from 'valibot';
import { whole } from '../fields.ts';
import { kindOfModel } from './kind.ts';
import { context, dropout, layers, slots, width } from './shared-fields.ts';

/**
 * Truncated back-propagation through time (Williams and Peng 1990, "An Efficient Gradient-Based Algorithm for On-Line
 * Training of Recurrent Network Trajectories"): before every so many tokens, counted from a row's beginning, the state is
 * handed on as it is and no gradient flows back through it. Null lets gradients flow all the way.
 */
const truncation = v.optional(
  v.nullable(
    whole('Learning looks back', 1, 1024, {
      suffix: 'tokens',
      none: 'to the beginning',
      description:
        'The state is carried through the whole game either way. With a number, a mistake teaches only the steps since the last multiple of it, not those before (truncated back-propagation through time).',
    }),
  ),
  null,
);

export const lstm = kindOfModel(
  v.strictObject({ kind: v.literal('lstm'), layers, width, context, dropout, slots, truncation }),
  {
    title: 'LSTM',
    description: 'Reads one token after another and keeps one state, as language models did before attention.',
    family: 'recurrent',
    library: 'PyTorch',
  },
);
