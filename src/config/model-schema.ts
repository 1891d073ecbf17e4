import * as v from 'valibot';

export const count = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
export const between = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

const layers = count(1, 48);
const width = count(8, 2048);
const heads = count(1, 64);
const context = count(16, 1024);
const dropout = between(0, 0.9);
/** Tokens that a token sees, itself included; null sees all before it. */
const window = v.optional(v.nullable(count(1, 1024)), null);
/** Whether the grammar's slot of each token is told to the model. */
const slots = v.optional(v.boolean(), false);
/** How the weights start: as GPT-2's, or with layers that add nothing at first. */
const start = v.optional(v.picklist(['gpt2', 'zero-out']), 'gpt2');
/** Whether the head's matrix is the token embedding; untied, it has one of its own. */
const tied = v.optional(v.boolean(), true);
/** Tokens in a chunk of local attention: a token sees its own chunk and the one before. */
const chunk = count(1, 1024);

/** As the model descriptions in src/models say; what came later is optional, so that older configs still open. */
export const ModelSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('gpt2'),
    layers,
    width,
    heads,
    context,
    dropout,
    window,
    slots,
    start,
    tied,
  }),
  v.strictObject({
    kind: v.literal('qwen3'),
    layers,
    width,
    heads,
    mlp: count(8, 8192),
    context,
    window,
    rotaryBase: v.optional(between(10, 1e8), 10_000),
    slots,
    tied,
    /** Earlier rows that the input of each attention mixes in; 0 for none. */
    shift: v.optional(count(0, 8), 0),
  }),
  v.strictObject({
    kind: v.literal('lfm2'),
    /** A letter a layer: c for a short convolution, a for attention, which Lfm2ForCausalLM wants at least once. */
    pattern: v.pipe(
      v.string(),
      v.maxLength(48),
      v.regex(
        /^c*a[ca]*$/,
        'a pattern has a letter for each layer: c for convolution, a for attention, at least one a',
      ),
    ),
    width,
    heads,
    mlp: count(8, 8192),
    /** Tokens that a convolution reads, the current one included. */
    taps: v.optional(count(1, 8), 3),
    context,
    rotaryBase: v.optional(between(10, 1e8), 10_000),
    slots,
    tied,
  }),
  v.strictObject({
    kind: v.literal('lstm'),
    layers,
    width,
    context,
    dropout,
    slots,
    /** Tokens after which gradients no longer flow back, counted from the beginning of a game; null for all the way. */
    truncation: v.optional(v.nullable(count(1, 1024)), null),
  }),
  v.strictObject({
    kind: v.literal('reformer'),
    layers,
    width,
    heads,
    context,
    dropout,
    /** Kinds of the layers, begun again where there are more layers than kinds. */
    pattern: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(500),
        v.regex(/^(local|lsh)(,(local|lsh))*$/, 'a pattern is a list of "local" and "lsh" with commas between them'),
      ),
      'local,local,lsh,local',
    ),
    chunk: v.optional(chunk, 50),
    /** Buckets of LSH attention: 1, or an even number. */
    buckets: v.optional(count(1, 1024), 8),
    rounds: v.optional(count(1, 16), 1),
    positions: v.optional(v.picklist(['axial', 'learned']), 'axial'),
    /** Rows of the grid of axial positions, and the part of the width that tells the row; null follows the context. */
    axialRows: v.optional(v.nullable(count(1, 1024)), null),
    axialWidth: v.optional(v.nullable(count(1, 2047)), null),
    slots,
    start,
  }),
  v.strictObject({
    kind: v.literal('performer'),
    layers,
    width,
    heads,
    context,
    dropout,
    kernel: v.optional(v.picklist(['softmax', 'relu']), 'softmax'),
    /** Random features of a head; null for its width times its logarithm. */
    features: v.optional(v.nullable(count(1, 4096)), null),
    /** Steps after which the features are drawn anew; 0 for never. */
    redraw: v.optional(count(0, 1e8), 1000),
    /** Heads that see a window exactly and nothing else. */
    localHeads: v.optional(count(0, 64), 0),
    localWindow: v.optional(chunk, 50),
    slots,
    start,
  }),
]);

export type ModelSettings = v.InferOutput<typeof ModelSchema>;

/** How many layers a model has. */
export const layersOf = (model: { layers: number } | { pattern: string }): number =>
  'layers' in model ? model.layers : model.pattern.length;

/** What a model's fields, each right by itself, get wrong together; null where they fit. */
export function modelProblemOf(model: ModelSettings): string | null {
  if (model.kind === 'lstm') return null;
  const { width, heads } = model;
  if (width % heads !== 0) return `model.width: ${width} must be a multiple of model.heads (${heads}).`;
  if ((model.kind === 'qwen3' || model.kind === 'lfm2') && (width / heads) % 2 !== 0)
    return `model.width: ${width} over ${heads} heads makes heads ${width / heads} wide; rotary positions need an even number.`;
  if (model.kind === 'performer' && model.localHeads > heads)
    return `model.localHeads: ${model.localHeads} of ${heads} heads cannot be local; give ${heads} or fewer.`;
  return model.kind === 'reformer' ? reformerProblemOf(model) : null;
}

function reformerProblemOf(model: Extract<ModelSettings, { kind: 'reformer' }>): string | null {
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
