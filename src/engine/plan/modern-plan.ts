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
import { Tape } from './tape.ts';

/** The modern family (models/modern.ts) as a plan: Qwen3, LFM2. */
export function modernPlan(layout: ModernLayout, training: boolean): Plan {
  const { width: d, vocabulary, slots } = layout;
  const tape = new Tape(modernShapes(layout));
  const embedded = tape.activation('embedding', d);
  tape.forward.push({
    ...{ kernel: 'embed', tokens: tape.weight(modernTokenEmbedding), positions: null, out: embedded, dropout: null },
    slots: slots ? tape.weight(modernSlotEmbedding) : null,
  });
  let x = embedded;
  const layers = layout.layers.map((names) => {
    const { mixer } = names;
    const first = normed(tape, layout, x, names.mixerNorm);
    const mixed =
      mixer.kind === 'attention'
        ? attended(tape, layout, mixer, first.out, x)
        : convolved(tape, layout, mixer, first.out, x);
    const second = normed(tape, layout, mixed.out, names.feedForwardNorm);
    const fed = fedForward(tape, layout, names, second.out, mixed.out);
    x = fed.out;
    return (dOut: Buffer) => {
      const dMiddle = second.backward(fed.backward(dOut), dOut);
      return first.backward(mixed.backward(dMiddle), dMiddle);
    };
  });
  const last = normed(tape, layout, x, layout.finalNorm);
  const scored = projected(tape, last.out, modernHead(layout), vocabulary);
  const logits = scored.out;
  if (!training) return tape.finish(logits, null);
  const loss = tape.activation('loss', 1);
  tape.forward.push({ kernel: 'crossEntropy', logits, loss });

  let dX = last.backward(scored.backward(logits), null);
  for (const backward of layers.reverse()) dX = backward(dX);
  tape.backward.push({
    ...{
      kernel: 'embedGradient',
      dOut: dX,
      dTokens: tape.gradient(modernTokenEmbedding),
      tied: layout.tied !== false,
      dPositions: null,
    },
    ...{ dSlots: slots ? tape.gradient(modernSlotEmbedding) : null, dropout: null },
  });
  return tape.finish(logits, loss);
}
