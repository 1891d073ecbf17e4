import {
  modernHead,
  modernShapes,
  modernSlotEmbedding,
  modernTokenEmbedding,
  type ModernLayout,
} from '../../models/modern.ts';
import { attended, convolved } from './modern-mixers.ts';
import { branched, embedded, finished, inTurn, normed, projected, type Piece } from './pieces.ts';
import type { Buffer, Plan } from './plan.ts';
import { PlanBuilder } from './plan-builder.ts';

/** The modern family (models/modern.ts) as a plan: Qwen3, LFM2. */
export function modernPlan(layout: ModernLayout, training: boolean): Plan {
  const { width: d, epsilon, vocabulary, slots } = layout;
  const builder = new PlanBuilder(modernShapes(layout));
  const norm = (x: Buffer, name: string) => normed(builder, x, name, { kind: 'rms', epsilon });
  const embedding = embedded(
    builder,
    {
      tokens: modernTokenEmbedding,
      positions: null,
      slots: slots ? modernSlotEmbedding : null,
      tied: layout.tied !== false,
    },
    d,
    null,
  );
  let x = embedding.out;
  const layers = layout.layers.map((names) => {
    const { mixer } = names;
    const first = norm(x, names.mixerNorm);
    const mixed =
      mixer.kind === 'attention'
        ? attended(builder, layout, mixer, first.out, x)
        : convolved(builder, layout, mixer, first.out, x);
    const second = norm(mixed.out, names.feedForwardNorm);
    const fed = fedForward(builder, layout, names, second.out, mixed.out);
    x = fed.out;
    return inTurn(branched(first, mixed), branched(second, fed));
  });
  const last = norm(x, layout.finalNorm);
  const scored = projected(builder, last.out, modernHead(layout), vocabulary);
  return finished(builder, embedding, [...layers, last, scored], training);
}

/** SwiGLU on rows, added to `residual`. The matrices of gate and up lie next to each other and are multiplied as one. */
function fedForward(
  builder: PlanBuilder,
  { width, mlp }: ModernLayout,
  { gate, down }: ModernLayout['layers'][number],
  x: Buffer,
  residual: Buffer,
): Piece {
  const gateUp = projected(builder, x, gate, 2 * mlp);
  const gated = gatedUnit(builder, gateUp.out);
  return inTurn(gateUp, gated, projected(builder, gated.out, down, width, { residual }));
}

function gatedUnit(builder: PlanBuilder, gateUp: Buffer): Piece {
  const out = builder.activation(`${gateUp.name}, gated`, gateUp.columns / 2);
  builder.forward.push({ kernel: 'gatedUnit', gateUp, out });
  return {
    out,
    backward: (dOut) => {
      const dGateUp = builder.activation(`${gateUp.name}, gate and up, gradient`, gateUp.columns);
      builder.backward.push({ kernel: 'gatedUnitGradient', gateUp, dOut, dGateUp });
      return dGateUp;
    },
  };
}
