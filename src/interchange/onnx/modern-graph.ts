import {
  modernSlotEmbedding,
  modernTokenEmbedding,
  type AttentionNames,
  type ConvolutionNames,
  type ModernLayout,
} from '../../models/modern.ts';
import { byHead, decoder, logitsOf } from './decoder.ts';
import { embedded } from './embedded.ts';
import type { GraphBuilder } from './graph-builder.ts';

/**
 * The modern family as src/models/modern.ts describes it; widths are those of the parameters. A convolution's cache is past_conv.LAYER, as
 * transformers.js names LFM2's; that of a shift, which no library has, is past_shift.LAYER.
 */
export function modernGraph(b: GraphBuilder, layout: ModernLayout): void {
  const { heads, rotaryBase, epsilon, window } = layout;
  const width = b.parameters.get(modernTokenEmbedding)!.shape[1];
  const headWidth = headWidthOf(b, layout.layers) ?? width / heads;
  const { ids, positions, present, attend } = decoder(b, { heads, headWidth, cacheWidth: width / heads, window });
  const linear = (x: string, name: string) => b.product(x, name, 'out-in');
  const norm = (x: string, name: string) => rmsNorm(b, x, name, epsilon);
  const turn = rotation(b, positions, headWidth, rotaryBase);

  function attended(x: string, names: AttentionNames, layer: number): string {
    const mixed = names.shift === null ? x : shifted(b, x, names.shift, names.taps, layer);
    const [query, key] = [
      [names.query, names.queryNorm],
      [names.key, names.keyNorm],
    ].map(([matrix, gain]) => turn(norm(byHead(b, linear(mixed, matrix), heads, headWidth), gain)));
    return linear(attend(layer, query, key, byHead(b, linear(mixed, names.value), heads, headWidth)), names.out);
  }

  let there: string | null = null;
  function convolved(x: string, names: ConvolutionNames, layer: number): string {
    there ??= present();
    const [before, after, read] = b.split(linear(b.multiply(x, there), names.into), 3, -1);
    const rows = b.transpose(b.multiply(before, read), [0, 2, 1]);
    const all = remembered(b, 'conv', layer, rows, width, names.taps);
    const window = b.slice(all, 2, 1, END);
    const out = b.op('Conv', [window, b.parameter(names.convolution)], { group: width });
    return linear(b.multiply(after, b.transpose(out, [0, 2, 1])), names.out);
  }

  let x = embedded(b, ids, { tokens: modernTokenEmbedding, slots: modernSlotEmbedding }, layout.slots);
  for (const [layer, { mixer, mixerNorm, feedForwardNorm, gate, up, down }] of layout.layers.entries()) {
    const normed = norm(x, mixerNorm);
    x = b.add(x, mixer.kind === 'attention' ? attended(normed, mixer, layer) : convolved(normed, mixer, layer));
    const inner = norm(x, feedForwardNorm);
    const gated = linear(inner, gate);
    const silu = b.multiply(gated, b.op('Sigmoid', [gated]));
    x = b.add(x, linear(b.multiply(silu, linear(inner, up)), down));
  }
  logitsOf(b, norm(x, layout.finalNorm), modernTokenEmbedding);
}

/** The name of the only stored numbers that are no parameter and no single number. */
export const ROTARY_FREQUENCIES = 'rotary_frequencies';

/** The end of any axis, for Slice. */
const END = 2 ** 31 - 1;

/** Of a head; undefined where no layer attends. */
function headWidthOf(b: GraphBuilder, layers: ModernLayout['layers']): number | undefined {
  const attention = layers.map(({ mixer }) => mixer).find((mixer) => mixer.kind === 'attention');
  return attention && b.parameters.get(attention.queryNorm)!.shape[0];
}

/** RMSNorm over the last axis (Zhang and Sennrich 2019). */
function rmsNorm(b: GraphBuilder, x: string, name: string, epsilon: number): string {
  const mean = b.op('ReduceMean', [b.multiply(x, x)], { axes: [-1], keepdims: 1 });
  const root = b.op('Sqrt', [b.add(mean, b.number(epsilon))]);
  return b.multiply(b.op('Div', [x, root]), b.parameter(name));
}

/** Turns x [batch, heads, tokens, size] by its positions, the pairs (i, i + half), as Hugging Face has them. */
function rotation(b: GraphBuilder, positions: string, size: number, base: number): (x: string) => string {
  const half = size / 2;
  const frequencies = b.store(
    ROTARY_FREQUENCIES,
    ...(['float', [half]] as const),
    Float32Array.from({ length: half }, (_, i) => base ** ((-2 * i) / size)),
  );
  const places = b.unsqueeze(b.op('Cast', [positions], { to: 1 }), [1, 3]);
  const angles = b.multiply(places, frequencies);
  const [cosines, sines] = [b.op('Cos', [angles]), b.op('Sin', [angles])];
  return (x) => {
    const [one, other] = b.split(x, 2, -1);
    const turned = [
      b.op('Sub', [b.multiply(one, cosines), b.multiply(other, sines)]),
      b.add(b.multiply(other, cosines), b.multiply(one, sines)),
    ];
    return b.op('Concat', turned, { axis: -1 });
  };
}

/** Rows [batch, width, tokens] behind those that the cache has; the last `reach` of all are the cache that goes out. */
function remembered(b: GraphBuilder, what: string, layer: number, rows: string, width: number, reach: number): string {
  const shape = ['batch_size', width, reach];
  const all = b.op('Concat', [b.input(`past_${what}.${layer}`, 'float', shape), rows], { axis: 2 });
  const ends = [b.ints([-reach]), b.ints([END]), b.ints([2])];
  b.output(b.op('Slice', [all, ...ends], {}, `present_${what}.${layer}`), 'float', shape);
  return all;
}

/** x[t] plus the earlier rows, weighed channel by channel: the sum over k of weight[k - 1] * x[t - k]. */
function shifted(b: GraphBuilder, x: string, name: string, taps: number, layer: number): string {
  const [, width] = b.parameters.get(name)!.shape;
  const all = remembered(b, 'shift', layer, b.transpose(x, [0, 2, 1]), width, taps);
  const weight = b.parameter(name);
  // The farthest first, as Conv has it, and none for the row itself.
  const kernel = b.unsqueeze(
    b.transpose(b.op('Slice', [weight, ...[[-1], [-END], [0], [-1]].map((one) => b.ints(one))]), [1, 0]),
    [1],
  );
  const earlier = b.op('Conv', [b.slice(all, 2, 0, -1), kernel], { group: width });
  return b.add(x, b.transpose(earlier, [0, 2, 1]));
}
