import {
  modernHead,
  modernShapes,
  modernSlotEmbedding,
  modernTokenEmbedding,
  type ModernLayout,
} from '../../models/modern.ts';
import { attended, convolved } from './modern-mixers.ts';
import { fedForward, normed, projected } from './modern-pieces.ts';
import type { Buffer, Plan } from './plan.ts';
import { PlanBuilder } from './plan-builder.ts';

/** The modern family (models/modern.ts) as a plan: Qwen3, LFM2. */
export function modernPlan(layout: ModernLayout, training: boolean): Plan {
  const { width: d, vocabulary, slots } = layout;
  const builder = new PlanBuilder(modernShapes(layout));
  const embedded = builder.activation('embedding', d);
  builder.forward.push({
    ...{ kernel: 'embed', tokens: builder.weight(modernTokenEmbedding), positions: null, out: embedded, dropout: null },
    slots: slots ? builder.weight(modernSlotEmbedding) : null,
  });
  let x = embedded;
  const layers = layout.layers.map((names) => {
    const { mixer } = names;
    const first = normed(builder, layout, x, names.mixerNorm);
    const mixed =
      mixer.kind === 'attention'
        ? attended(builder, layout, mixer, first.out, x)
        : convolved(builder, layout, mixer, first.out, x);
    const second = normed(builder, layout, mixed.out, names.feedForwardNorm);
    const fed = fedForward(builder, layout, names, second.out, mixed.out);
    x = fed.out;
    return (dOut: Buffer) => {
      const dMiddle = second.backward(fed.backward(dOut), dOut);
      return first.backward(mixed.backward(dMiddle), dMiddle);
    };
  });
  const last = normed(builder, layout, x, layout.finalNorm);
  const scored = projected(builder, last.out, modernHead(layout), vocabulary);
  const logits = scored.out;
  if (!training) return builder.finish(logits, null);
  const loss = builder.activation('loss', 1);
  builder.forward.push({ kernel: 'crossEntropy', logits, loss });

  let dX = last.backward(scored.backward(logits), null);
  for (const backward of layers.reverse()) dX = backward(dX);
  builder.backward.push({
    ...{
      kernel: 'embedGradient',
      dOut: dX,
      dTokens: builder.gradient(modernTokenEmbedding),
      tied: layout.tied !== false,
      dPositions: null,
    },
    ...{ dSlots: slots ? builder.gradient(modernSlotEmbedding) : null, dropout: null },
  });
  return builder.finish(logits, loss);
}
