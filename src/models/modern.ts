import type { SlotGrammar } from '../base/slot-grammar.ts';
import { lmHead } from './gpt.ts';
import type { ModelKind } from './kind.ts';
import { matrix, type MatrixBlock, type ParameterShape } from './parameters.ts';

export const modernTokenEmbedding = 'model.embed_tokens.weight';
/** [slots, d] */
export const modernSlotEmbedding = 'model.embed_slots.weight';

/**
 * What transformers are built of today, whatever their libraries call its parts: rows are embedded, go through layers
 * x += mixer(norm(x)), x += feed forward(norm(x)), and are normed for the head. Norms are RMSNorms, the feed-forward part
 * is a SwiGLU, nothing has a bias, nn.Linear weights are [out, in]. Qwen3 and LFM2 are this with names of their own.
 */
export interface ModernLayout {
  width: number;
  heads: number;
  /** Width of the gated unit. */
  mlp: number;
  vocabulary: number;
  window: number | null;
  /** Base of the rotary wavelengths. */
  rotaryBase: number;
  slots: SlotGrammar | null;
  /** Of every RMSNorm. */
  epsilon: number;
  finalNorm: string;
  /** Whether the head's matrix is the token embedding; true where it is not said. */
  tied?: boolean;
  layers: ModernLayer[];
}

/** The names of a layer's weights. */
export interface ModernLayer {
  mixer: AttentionNames | ConvolutionNames;
  gate: string;
  up: string;
  down: string;
  mixerNorm: string;
  feedForwardNorm: string;
}

/** Attention with a norm of each head's queries and keys and rotary positions. */
export interface AttentionNames {
  kind: 'attention';
  query: string;
  key: string;
  value: string;
  out: string;
  queryNorm: string;
  keyNorm: string;
  /** The weight [taps, d] of a shift of what goes in; null for none. */
  shift: string | null;
  taps: number;
}

/** LFM2's short convolution: one product makes B, C and x, and C * convolution(B * x) goes out. */
export interface ConvolutionNames {
  kind: 'convolution';
  /** The taps [d, 1, taps], the newest last. */
  convolution: string;
  /** [3d, d] */
  into: string;
  out: string;
  taps: number;
}

/** The name of the head's matrix [vocabulary, d], whichever it is. */
export const modernHead = ({ tied }: ModernLayout): string => (tied === false ? lmHead : modernTokenEmbedding);

/** Every parameter in the order of the library: q, k and v adjacent, and gate and up, so that one product makes them. */
export function modernShapes(layout: ModernLayout): ParameterShape[] {
  const { width: d, mlp, vocabulary, slots } = layout;
  const linear = (name: string, inputs: number, outputs: number): ParameterShape => ({
    name,
    shape: [outputs, inputs],
    start: { deviation: 1 / Math.sqrt(3 * inputs) },
  });
  /** Into the residual stream: layers add nothing at first. */
  const silent = (name: string, inputs: number): ParameterShape => ({ name, shape: [d, inputs], start: 'zeros' });
  const norm = (name: string, size: number): ParameterShape => ({ name, shape: [size], start: 'ones' });
  const mixer = (names: ModernLayer['mixer']): ParameterShape[] => {
    if (names.kind === 'convolution')
      return [
        { name: names.convolution, shape: [d, 1, names.taps], start: { taps: 0.1 } },
        linear(names.into, d, 3 * d),
        silent(names.out, d),
      ];
    return [
      ...[names.query, names.key, names.value].map((name) => linear(name, d, d)),
      silent(names.out, d),
      ...[names.queryNorm, names.keyNorm].map((name) => norm(name, d / layout.heads)),
      ...(names.shift === null ? [] : [{ name: names.shift, shape: [names.taps, d], start: 'zeros' as const }]),
    ];
  };
  // Vectors that also score tokens must be short: with longer ones every token would first predict itself. Vectors that
  // are only read learn much faster where they begin about as long as what the layers will add to them (docs/log.md).
  const start = { deviation: layout.tied === false ? 0.5 : 0.02 };
  const list: ParameterShape[] = [{ name: modernTokenEmbedding, shape: [vocabulary, d], start }];
  if (slots) list.push({ name: modernSlotEmbedding, shape: [slots.count, d], start });
  for (const layer of layout.layers)
    list.push(
      ...mixer(layer.mixer),
      ...[layer.gate, layer.up].map((name) => linear(name, d, mlp)),
      silent(layer.down, mlp),
      ...[layer.mixerNorm, layer.feedForwardNorm].map((name) => norm(name, d)),
    );
  list.push(norm(layout.finalNorm, d));
  if (layout.tied === false) list.push({ name: lmHead, shape: [vocabulary, d], start: 'zeros' });
  return list;
}

/**
 * The matrices inside the layers, for Muon; what makes B, C and x is three. Shifts and convolutions mix no channels: they
 * are left to AdamW.
 */
function modernMatrices(layout: ModernLayout): MatrixBlock[] {
  const { width: d } = layout;
  const known = new Map(modernShapes(layout).map(({ name, shape }) => [name, shape]));
  return layout.layers.flatMap(({ mixer, gate, up, down }) => {
    const own = mixer.kind === 'attention' ? [mixer.query, mixer.key, mixer.value] : [mixer.into];
    return [...own, mixer.out, gate, up, down].flatMap((name) => {
      const [outputs, inputs] = known.get(name)!;
      const parts = mixer.kind === 'convolution' && name === mixer.into ? 3 : 1;
      const rows = outputs / parts;
      return Array.from({ length: parts }, (_, part) => matrix(name, rows, inputs, part * d * inputs));
    });
  });
}

/** As gptActivations; nothing is dropped, and rotation and gates keep more of a token. */
function modernActivations(layout: ModernLayout, rows: number, columns: number): number {
  const { layers, width, heads, mlp, vocabulary } = layout;
  const tokens = rows * columns;
  const scores = heads * rows * columns * columns;
  const inLayers = layers.reduce((sum, { mixer }) => {
    const attends = mixer.kind === 'attention';
    const kept = !attends ? 16 : mixer.shift === null ? 20 : 21;
    return sum + tokens * (kept * width + 6 * mlp) + (attends ? scores : 0);
  }, 0);
  return inLayers + 3 * scores + tokens * (5 * vocabulary + 4 * width);
}

/** As gptTrainingFlops. */
function modernFlops(layout: ModernLayout, columns: number): number {
  const { width: d, layers, mlp, window } = layout;
  const weights = layers.reduce((sum, { mixer }) => sum + 4 * d * d + 3 * d * mlp + mixer.taps * d, 0);
  const attentions = layers.filter(({ mixer }) => mixer.kind === 'attention').length;
  return 6 * (weights + layout.vocabulary * d) + 12 * attentions * Math.min(columns, window ?? columns) * d;
}

/** A kind of model of this family by the layout of its configs. */
export function modernKind<C>(layoutOf: (config: C) => ModernLayout): ModelKind<C, true> {
  return {
    embedding: modernTokenEmbedding,
    compiled: true,
    shapes: (config) => modernShapes(layoutOf(config)),
    matrices: (config) => modernMatrices(layoutOf(config)),
    pattern: (config) =>
      layoutOf(config)
        .layers.map(({ mixer }) => (mixer.kind === 'attention' ? 'a' : 'c'))
        .join(''),
    flops: (config, columns) => modernFlops(layoutOf(config), columns),
    activations: (config, ...sizes) => modernActivations(layoutOf(config), ...sizes),
  };
}
