import {
  qwen3Shapes,
  qwenFinalNorm,
  qwenHead,
  qwenLayerName,
  qwenShift,
  qwenSlotEmbedding,
  qwenTokenEmbedding,
  type Qwen3Config,
} from '../../models/qwen3.ts';
import type { Buffer, Plan } from './plan.ts';
import { Tape } from './tape.ts';

/** What the backward pass needs of one layer. */
interface Layer {
  layer: number;
  name: string;
  input: Buffer;
  first: Normed;
  /** What is projected: `first`, or with earlier rows mixed in. */
  mixed: Buffer;
  qkv: Buffer;
  turned: Buffer;
  rstds: Buffer;
  attended: Buffer;
  logSum: Buffer;
  middle: Buffer;
  second: Normed;
  gateUp: Buffer;
  gated: Buffer;
}

interface Normed {
  out: Buffer;
  statistics: Buffer;
}

/**
 * Qwen3 (models/qwen3.ts) as a plan. The matrices of queries, keys and values lie next to each other and are multiplied
 * as one, as are those of gate and up. What later tokens read of earlier ones are their rotated keys, and their values; with a shift, their normed
 * rows too.
 */
export function qwen3Plan(config: Qwen3Config, training: boolean): Plan {
  const { width: d, heads, mlp, window, rotaryBase: base, vocabulary, shift = 0 } = config;
  const tape = new Tape(qwen3Shapes(config));

  const norm = (x: Buffer, name: string): Normed => {
    const out = tape.activation(`${name}, normalised`, d);
    const statistics = tape.activation(`${name}, statistics`, 2);
    tape.forward.push({ kernel: 'norm', kind: 'rms', x, weight: tape.weight(name), bias: null, out, statistics });
    return { out, statistics };
  };
  /** By the matrix of this name, its neighbours included where there are more rows than it has. */
  const linear = (x: Buffer, name: string, columns: number, residual: Buffer | null = null): Buffer => {
    const out = tape.activation(name, columns);
    const weight = tape.weight(name, columns);
    tape.forward.push({
      kernel: 'linear',
      x,
      weight,
      transposed: true,
      bias: null,
      bias2: null,
      activation: null,
      before: null,
      residual,
      out,
    });
    return out;
  };

  const shifted = (x: Buffer, layer: number): Buffer => {
    if (shift === 0) return x;
    const out = tape.activation(`${qwenShift(layer)}, shifted`, d);
    tape.forward.push({ kernel: 'shift', x, weight: tape.weight(qwenShift(layer)), out });
    tape.history.push(x);
    return out;
  };

  const embedded = tape.activation('embedding', d);
  tape.forward.push({
    kernel: 'embed',
    tokens: tape.weight(qwenTokenEmbedding),
    positions: null,
    slots: config.slots ? tape.weight(qwenSlotEmbedding) : null,
    out: embedded,
    dropout: null,
  });

  const layers: Layer[] = [];
  let x = embedded;
  for (let layer = 0; layer < config.layers; layer++) {
    const name = qwenLayerName(layer);
    const first = norm(x, `${name}.input_layernorm.weight`);
    const mixed = shifted(first.out, layer);
    const qkv = linear(mixed, `${name}.self_attn.q_proj.weight`, 3 * d);
    const turned = tape.activation(`${name}, rotated queries keys values`, 3 * d);
    const rstds = tape.activation(`${name}, head statistics`, 2 * heads);
    const [queryWeight, keyWeight] = headNorms(name).map((weight) => tape.weight(weight));
    tape.forward.push({
      kernel: 'rotary',
      qkv,
      heads,
      base,
      queryWeight,
      keyWeight,
      out: turned,
      statistics: rstds,
    });
    tape.history.push(turned);
    const attended = tape.activation(`${name}, attended`, d);
    const logSum = tape.activation(`${name}, log sums`, heads);
    tape.forward.push({ kernel: 'attention', qkv: turned, heads, window, out: attended, logSum, dropout: null });
    const middle = linear(attended, `${name}.self_attn.o_proj.weight`, d, x);
    const second = norm(middle, `${name}.post_attention_layernorm.weight`);
    const gateUp = linear(second.out, `${name}.mlp.gate_proj.weight`, 2 * mlp);
    const gated = tape.activation(`${name}, gated`, mlp);
    tape.forward.push({ kernel: 'gatedUnit', gateUp, out: gated });
    const out = linear(gated, `${name}.mlp.down_proj.weight`, d, middle);
    layers.push({
      layer,
      name,
      input: x,
      first,
      mixed,
      qkv,
      turned,
      rstds,
      attended,
      logSum,
      middle,
      second,
      gateUp,
      gated,
    });
    x = out;
  }

  const last = norm(x, qwenFinalNorm);
  const head = qwenHead(config);
  const logits = linear(last.out, head, vocabulary);
  if (!training) return tape.finish(logits, null);
  const loss = tape.activation('loss', 1);
  tape.forward.push({ kernel: 'crossEntropy', logits, loss });

  const normGradient = (dOut: Buffer, x: Buffer, name: string, { statistics }: Normed, residual: Buffer | null) => {
    const dX = tape.activation(`${name}, gradient`, d);
    const [weight, dWeight] = [tape.weight(name), tape.gradient(name)];
    tape.backward.push(
      { kernel: 'normWeightGradient', dOut, x, statistics, dWeight, dBias: null },
      { kernel: 'normGradient', kind: 'rms', dOut, x, weight, statistics, residual, dX },
    );
    return dX;
  };
  /** Gradients of the matrix and of its input. */
  const linearGradient = (dOut: Buffer, x: Buffer, name: string): Buffer => {
    const dX = tape.activation(`${name}, gradient`, x.columns);
    const [weight, dWeight] = [tape.weight(name, dOut.columns), tape.gradient(name, dOut.columns)];
    tape.backward.push(
      { kernel: 'weightGradient', x, dOut, transposed: true, dWeight, dBias: null, dBias2: null },
      { kernel: 'linearGradient', dOut, weight, transposed: true, before: null, add: false, dX },
    );
    return dX;
  };

  const shiftGradient = (dOut: Buffer, x: Buffer, layer: number): Buffer => {
    if (shift === 0) return dOut;
    const dX = tape.activation(`${qwenShift(layer)}, gradient`, d);
    const [weight, dWeight] = [tape.weight(qwenShift(layer)), tape.gradient(qwenShift(layer))];
    tape.backward.push(
      { kernel: 'shiftWeightGradient', dOut, x, dWeight },
      { kernel: 'shiftGradient', dOut, weight, dX },
    );
    return dX;
  };

  const dLast = linearGradient(logits, last.out, head);
  let dX = normGradient(dLast, x, qwenFinalNorm, last, null);
  for (const layer of layers.reverse()) {
    const { name, qkv, turned, rstds, gateUp } = layer;
    const dGated = linearGradient(dX, layer.gated, `${name}.mlp.down_proj.weight`);
    const dGateUp = tape.activation(`${name}, gate and up, gradient`, 2 * mlp);
    tape.backward.push({ kernel: 'gatedUnitGradient', gateUp, dOut: dGated, dGateUp });
    const dSecond = linearGradient(dGateUp, layer.second.out, `${name}.mlp.gate_proj.weight`);
    dX = normGradient(dSecond, layer.middle, `${name}.post_attention_layernorm.weight`, layer.second, dX);

    const dAttended = linearGradient(dX, layer.attended, `${name}.self_attn.o_proj.weight`);
    const dQkv = tape.activation(`${name}, queries keys values, gradient`, 3 * d);
    const [queryWeight, keyWeight] = headNorms(name).map((weight) => tape.weight(weight));
    const [dQueryWeight, dKeyWeight] = headNorms(name).map((weight) => tape.gradient(weight));
    tape.backward.push(
      {
        kernel: 'attentionGradient',
        qkv: turned,
        heads,
        window,
        out: layer.attended,
        logSum: layer.logSum,
        dOut: dAttended,
        dQkv,
        dropout: null,
      },
      {
        kernel: 'rotaryWeightGradient',
        dOut: dQkv,
        qkv,
        heads,
        base,
        statistics: rstds,
        dQueryWeight,
        dKeyWeight,
      },
      {
        kernel: 'rotaryGradient',
        dOut: dQkv,
        qkv,
        heads,
        base,
        queryWeight,
        keyWeight,
        statistics: rstds,
        dQkv,
      },
    );
    const dMixed = linearGradient(dQkv, layer.mixed, `${name}.self_attn.q_proj.weight`);
    const dFirst = shiftGradient(dMixed, layer.first.out, layer.layer);
    dX = normGradient(dFirst, layer.input, `${name}.input_layernorm.weight`, layer.first, dX);
  }
  tape.backward.push({
    kernel: 'embedGradient',
    dOut: dX,
    dTokens: tape.gradient(qwenTokenEmbedding),
    tied: head === qwenTokenEmbedding,
    dPositions: null,
    dSlots: config.slots ? tape.gradient(qwenSlotEmbedding) : null,
    dropout: null,
  });
  return tape.finish(logits, loss);
}

const headNorms = (layer: string) => [`${layer}.self_attn.q_norm.weight`, `${layer}.self_attn.k_norm.weight`];
