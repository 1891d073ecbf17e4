import * as v from 'valibot';
import { choice, field, whole } from '../fields.ts';
import { kindOfModel } from './kind.ts';
import { context, dropout, heads, headsProblem, layers, slots, start, width } from './shared-fields.ts';

/** Kinds of the layers, begun again where there are more layers than kinds. */
const pattern = v.optional(
  field(
    v.pipe(
      v.string(),
      v.maxLength(500),
      v.regex(/^(local|lsh)(,(local|lsh))*$/, 'a pattern is a list of "local" and "lsh" with commas between them'),
    ),
    {
      title: 'Layers are',
      labels: {
        'local,local,lsh,local': 'Local, local, hashed, local, and so on',
        'local,lsh': 'Local and hashed in turn',
        local: 'All local',
        lsh: 'All hashed',
      },
      description:
        'A local layer sees a chunk of neighbours. A hashed one sorts tokens so that those with like vectors stand together, and sees a chunk of those.',
    },
  ),
  'local,local,lsh,local',
);

const chunk = v.optional(
  whole('Chunk', 1, 1024, {
    suffix: 'tokens',
    description: 'A token sees the earlier tokens of its own chunk and of the chunk before.',
  }),
  50,
);

/** 1, or an even number. */
const buckets = v.optional(
  whole('Buckets', 1, 1024, {
    description:
      'Into how many groups a hashed layer sorts the tokens, an even number; with 1 it sorts by position alone.',
  }),
  8,
);

const rounds = v.optional(
  whole('Rounds of hashing', 1, 16, {
    description: 'Each round sorts anew by other random directions; more rounds miss less and cost more.',
  }),
  1,
);

const positions = v.optional(
  choice('Positions', { axial: 'Axial: row and column of a grid', learned: 'One vector for each place' }),
  'axial',
);

/** Null: the divisor of the context nearest below its square root. */
const axialRows = v.optional(
  v.nullable(whole('Rows of the grid', 1, 1024, { none: 'near the root of the context' })),
  null,
);
const axialWidth = v.optional(
  v.nullable(
    whole('Width for the row', 1, 2047, {
      none: 'a third',
      description:
        'On a grid a place is told by its row and its column, each with a part of the width. Of no use otherwise.',
    }),
  ),
  null,
);

const schema = v.strictObject({
  kind: v.literal('reformer'),
  ...{ layers, width, heads, context, dropout, pattern, chunk, buckets, rounds },
  ...{ positions, axialRows, axialWidth, slots, start },
});

export const reformer = kindOfModel(schema, {
  title: 'Reformer',
  description:
    'A transformer that looks only at neighbours and, in hashed layers, at tokens whose vectors are alike; the paper compared it. Only the slower reference engine runs it.',
  family: 'approximate transformer',
  library: null,
  problemOf: (model) => headsProblem(model) ?? gridProblem(model),
});

function gridProblem(model: v.InferOutput<typeof schema>): string | null {
  const { width, context, buckets, positions, axialRows, axialWidth } = model;
  if (buckets > 1 && buckets % 2 !== 0)
    return `model.buckets: ${buckets} must be 1 or an even number, since each rotated axis and its opposite make two buckets.`;
  if (positions === 'learned') return null;
  if (axialRows !== null && axialRows > context)
    return `model.axialRows: a grid of ${axialRows} rows has more of them than the context has tokens (${context}).`;
  if (axialWidth !== null && axialWidth >= width)
    return `model.axialWidth: ${axialWidth} leaves nothing of a width of ${width} to tell the column; give less.`;
  return null;
}
