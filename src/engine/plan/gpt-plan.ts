import {
  LAYER_NORM_EPSILON,
  finalNorm,
  gptHead,
  gptShapes,
  layerName,
  positionEmbedding,
  slotEmbedding,
  tokenEmbedding,
  type GptConfig,
} from '../../models/gpt.ts';
import type { Buffer, DropoutSite, Plan } from './plan.ts';
import { PlanBuilder } from './plan-builder.ts';

/** What the backward pass needs of one layer. */
interface Layer {
  name: string;
  input: Buffer;
  first: Normed;
  qkv: Buffer;
  attended: Buffer;
  logSum: Buffer;
  middle: Buffer;
  second: Normed;
  before: Buffer;
  wide: Buffer;
  sites: { attention: DropoutSite | null; first: DropoutSite | null; second: DropoutSite | null };
}

interface Normed {
  out: Buffer;
  statistics: Buffer;
}

/**
 * GPT-2 (models/gpt.ts) as a plan. Dropout falls where GPT-2 has it, its sites numbered as the reference engine asks for
 * them: the embedding, then for each layer the attention's probabilities and the two residual branches.
 */
export function gptPlan(config: GptConfig, training: boolean): Plan {
  const { width: d, heads, window, vocabulary } = config;
  const builder = new PlanBuilder(gptShapes(config));
  let sites = 0;
  const site = (): DropoutSite | null => {
    const next = { rate: config.dropout, site: sites++ };
    return training && config.dropout > 0 ? next : null;
  };

  const norm = (x: Buffer, name: string): Normed => {
    const out = builder.activation(`${name}, normalised`, d);
    const statistics = builder.activation(`${name}, statistics`, 2);
    const [weight, bias] = [builder.weight(`${name}.weight`), builder.weight(`${name}.bias`)];
    builder.forward.push({
      kernel: 'norm',
      kind: 'layer',
      epsilon: LAYER_NORM_EPSILON,
      x,
      weight,
      bias,
      out,
      statistics,
    });
    return { out, statistics };
  };
  const linear = (x: Buffer, name: string, columns: number, extra: { gelu?: boolean; residual?: Buffer } = {}) => {
    const out = builder.activation(name, columns);
    const before = extra.gelu ? builder.activation(`${name}, before GELU`, columns) : null;
    builder.forward.push({
      kernel: 'linear',
      x,
      weight: builder.weight(`${name}.weight`),
      transposed: false,
      bias: builder.weight(`${name}.bias`),
      bias2: null,
      activation: extra.gelu ? 'gelu' : null,
      before,
      residual: extra.residual ?? null,
      out,
    });
    return { out, before };
  };
  /** A projection into the residual stream, through dropout where there is any. */
  const branch = (x: Buffer, name: string, residual: Buffer, dropout: DropoutSite | null): Buffer => {
    if (!dropout) return linear(x, name, d, { residual }).out;
    const out = builder.activation(`${name}, added`, d);
    builder.forward.push({ kernel: 'dropout', x: linear(x, name, d).out, residual, out, dropout });
    return out;
  };

  const embeddingSite = site();
  const embedded = builder.activation('embedding', d);
  builder.forward.push({
    kernel: 'embed',
    tokens: builder.weight(tokenEmbedding),
    positions: builder.weight(positionEmbedding),
    slots: config.slots ? builder.weight(slotEmbedding) : null,
    out: embedded,
    dropout: embeddingSite,
  });

  const layers: Layer[] = [];
  let x = embedded;
  for (let layer = 0; layer < config.layers; layer++) {
    const name = layerName(layer);
    const dropouts = { attention: site(), first: site(), second: site() };
    const first = norm(x, `${name}.ln_1`);
    const qkv = linear(first.out, `${name}.attn.c_attn`, 3 * d).out;
    builder.history.push(qkv);
    const attended = builder.activation(`${name}, attended`, d);
    const logSum = builder.activation(`${name}, log sums`, heads);
    builder.forward.push({
      kernel: 'attention',
      qkv,
      heads,
      window,
      out: attended,
      logSum,
      dropout: dropouts.attention,
    });
    const middle = branch(attended, `${name}.attn.c_proj`, x, dropouts.first);
    const second = norm(middle, `${name}.ln_2`);
    const { out: wide, before } = linear(second.out, `${name}.mlp.c_fc`, 4 * d, { gelu: true });
    const out = branch(wide, `${name}.mlp.c_proj`, middle, dropouts.second);
    layers.push({
      name,
      input: x,
      first,
      qkv,
      attended,
      logSum,
      middle,
      second,
      before: before!,
      wide,
      sites: dropouts,
    });
    x = out;
  }

  const last = norm(x, finalNorm);
  const head = builder.weight(gptHead(config));
  const logits = builder.activation('logits', vocabulary);
  builder.forward.push({
    kernel: 'linear',
    x: last.out,
    weight: head,
    transposed: true,
    bias: null,
    bias2: null,
    activation: null,
    before: null,
    residual: null,
    out: logits,
  });
  if (!training) return builder.finish(logits, null);
  const loss = builder.activation('loss', 1);
  builder.forward.push({ kernel: 'crossEntropy', logits, loss });

  const normGradient = (dOut: Buffer, x: Buffer, name: string, { statistics }: Normed, residual: Buffer | null) => {
    const dX = builder.activation(`${name}, gradient`, d);
    const weight = builder.weight(`${name}.weight`);
    const [dWeight, dBias] = [builder.gradient(`${name}.weight`), builder.gradient(`${name}.bias`)];
    builder.backward.push(
      { kernel: 'normWeightGradient', dOut, x, statistics, dWeight, dBias },
      { kernel: 'normGradient', kind: 'layer', dOut, x, weight, statistics, residual, dX },
    );
    return dX;
  };
  /** Gradients of weight and bias, and that of the input. */
  const linearGradient = (dOut: Buffer, x: Buffer, name: string, before: Buffer | null = null) => {
    const dX = builder.activation(`${name}, gradient`, x.columns);
    builder.backward.push(
      {
        kernel: 'weightGradient',
        x,
        dOut,
        transposed: false,
        dWeight: builder.gradient(`${name}.weight`),
        dBias: builder.gradient(`${name}.bias`),
        dBias2: null,
      },
      {
        kernel: 'linearGradient',
        dOut,
        weight: builder.weight(`${name}.weight`),
        transposed: false,
        before,
        add: false,
        dX,
      },
    );
    return dX;
  };
  const branchGradient = (dOut: Buffer, dropout: DropoutSite | null): Buffer => {
    if (!dropout) return dOut;
    const out = builder.activation('branch, gradient', d);
    builder.backward.push({ kernel: 'dropout', x: dOut, residual: null, out, dropout });
    return out;
  };

  const dLast = builder.activation('head, gradient', d);
  builder.backward.push(
    {
      kernel: 'weightGradient',
      x: last.out,
      dOut: logits,
      transposed: true,
      dWeight: builder.gradient(gptHead(config)),
      dBias: null,
      dBias2: null,
    },
    {
      kernel: 'linearGradient',
      dOut: logits,
      weight: head,
      transposed: true,
      before: null,
      add: false,
      dX: dLast,
    },
  );
  let dX = normGradient(dLast, x, finalNorm, last, null);
  for (const layer of layers.reverse()) {
    const { name, sites } = layer;
    const dSecond = branchGradient(dX, sites.second);
    const dBefore = linearGradient(dSecond, layer.wide, `${name}.mlp.c_proj`, layer.before);
    const dNormed = linearGradient(dBefore, layer.second.out, `${name}.mlp.c_fc`);
    dX = normGradient(dNormed, layer.middle, `${name}.ln_2`, layer.second, dX);
    const dFirst = branchGradient(dX, sites.first);
    const dAttended = linearGradient(dFirst, layer.attended, `${name}.attn.c_proj`);
    const dQkv = builder.activation(`${name}, queries keys values, gradient`, 3 * d);
    builder.backward.push({
      kernel: 'attentionGradient',
      qkv: layer.qkv,
      heads,
      window,
      out: layer.attended,
      logSum: layer.logSum,
      dOut: dAttended,
      dQkv,
      dropout: sites.attention,
    });
    const dInput = linearGradient(dQkv, layer.first.out, `${name}.attn.c_attn`);
    dX = normGradient(dInput, layer.input, `${name}.ln_1`, layer.first, dX);
  }
  builder.backward.push({
    kernel: 'embedGradient',
    dOut: dX,
    dTokens: builder.gradient(tokenEmbedding),
    tied: gptHead(config) === tokenEmbedding,
    dPositions: builder.gradient(positionEmbedding),
    dSlots: config.slots ? builder.gradient(slotEmbedding) : null,
    dropout: embeddingSite,
  });
  return builder.finish(logits, loss);
}
