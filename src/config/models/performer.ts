import * as v from 'valibot';
import { choice, whole } from '../fields.ts';
import { kindOfModel } from './kind.ts';
import { context, dropout, heads, headsProblem, layers, slots, start, width } from './shared-fields.ts';

/** 'softmax': positive features that approach softmax attention as they grow in number; 'relu': the paper's section 4.2. */
const kernel = v.optional(
  choice('Features', {
    softmax: 'Exponential: stand in for usual attention',
    relu: 'ReLU: an attention of their own',
  }),
  'softmax',
);

/** Of a head; null for its width times its logarithm. */
const features = v.optional(
  v.nullable(
    whole('Features of a head', 1, 4096, {
      none: 'its width times its logarithm',
      description: 'Each is one random direction; more of them come nearer to usual attention.',
    }),
  ),
  null,
);

const redraw = v.optional(
  whole('Draw anew every', 0, 1e8, {
    suffix: 'steps',
    description: 'So that the model does not lean on one draw of directions; 0 keeps the first.',
  }),
  1000,
);

/** Heads, counted from the last, that see a window exactly; the others see all by features. */
const localHeads = v.optional(whole('Local heads', 0, 64), 0);
const localWindow = v.optional(
  whole('Their chunk', 1, 1024, {
    suffix: 'tokens',
    description: 'This many heads use no features: a token sees its own chunk and the one before, exactly.',
  }),
  50,
);

export const performer = kindOfModel(
  v.strictObject({
    kind: v.literal('performer'),
    ...{ layers, width, heads, context, dropout, kernel, features, redraw, localHeads, localWindow, slots, start },
  }),
  {
    title: 'Performer',
    description:
      'A transformer that reads the row through random features, at a cost that does not grow with the square of its length; the paper compared it. Only the slower reference engine runs it.',
    family: 'approximate transformer',
    library: null,
    problemOf: (model) =>
      headsProblem(model) ??
      (model.localHeads > model.heads
        ? `model.localHeads: ${model.localHeads} of ${model.heads} heads cannot be local; give ${model.heads} or fewer.`
        : null),
  },
);
