import {
  lstmHead,
  lstmName,
  lstmShapes,
  lstmSlotEmbedding,
  lstmTokenEmbedding,
  type LstmConfig,
} from '../../models/lstm.ts';
import type { Buffer, DropoutSite, Plan } from './plan.ts';
import { PlanBuilder } from './plan-builder.ts';

/** What the backward pass needs of one layer. */
interface Layer {
  input: Buffer;
  gates: Buffer;
  cells: Buffer;
  out: Buffer;
  /** On what the layer hands on; null for the last. */
  dropout: DropoutSite | null;
}

/**
 * The LSTM (models/lstm.ts) as a plan: the input's share of all gates is one product over all tokens, only the state's
 * share goes token by token. Later tokens read the states and cells of each layer.
 */
export function lstmPlan(config: LstmConfig, training: boolean): Plan {
  const { width: d, vocabulary, truncation = null } = config;
  const builder = new PlanBuilder(lstmShapes(config));
  let sites = 0;
  const site = (): DropoutSite | null => {
    const next = { rate: config.dropout, site: sites++ };
    return training && config.dropout > 0 ? next : null;
  };

  const embeddingSite = site();
  const embedded = builder.activation('embedding', d);
  builder.forward.push({
    kernel: 'embed',
    tokens: builder.weight(lstmTokenEmbedding),
    positions: null,
    slots: config.slots ? builder.weight(lstmSlotEmbedding) : null,
    out: embedded,
    dropout: embeddingSite,
  });

  const layers: Layer[] = [];
  let x = embedded;
  for (let layer = 0; layer < config.layers; layer++) {
    const gates = builder.activation(`layer ${layer}, gates`, 4 * d);
    builder.forward.push({
      kernel: 'linear',
      x,
      weight: builder.weight(lstmName('weight_ih', layer)),
      transposed: true,
      bias: builder.weight(lstmName('bias_ih', layer)),
      bias2: builder.weight(lstmName('bias_hh', layer)),
      activation: null,
      before: null,
      residual: null,
      out: gates,
    });
    const out = builder.activation(`layer ${layer}, states`, d);
    const cells = builder.activation(`layer ${layer}, cells`, d);
    const weight = builder.weight(lstmName('weight_hh', layer));
    builder.forward.push({ kernel: 'recurrence', gates, weight, out, cells });
    builder.history.push(out, cells);
    const dropout = layer < config.layers - 1 ? site() : null;
    layers.push({ input: x, gates, cells, out, dropout });
    x = out;
    if (!dropout) continue;
    x = builder.activation(`layer ${layer}, states after dropout`, d);
    builder.forward.push({ kernel: 'dropout', x: out, residual: null, out: x, dropout });
  }

  const logits = builder.activation('logits', vocabulary);
  builder.forward.push({
    kernel: 'linear',
    x,
    weight: builder.weight(`${lstmHead}.weight`),
    transposed: true,
    bias: builder.weight(`${lstmHead}.bias`),
    bias2: null,
    activation: null,
    before: null,
    residual: null,
    out: logits,
  });
  if (!training) return builder.finish(logits, null);
  const loss = builder.activation('loss', 1);
  builder.forward.push({ kernel: 'crossEntropy', logits, loss });

  /** Gradients of a matrix and its biases, from those of what it gave. */
  const weightGradient = (dOut: Buffer, x: Buffer, name: string, ...biases: string[]) => {
    const [dBias = null, dBias2 = null] = biases.map((bias) => builder.gradient(bias));
    const dWeight = builder.gradient(name);
    builder.backward.push({ kernel: 'weightGradient', x, dOut, transposed: true, dWeight, dBias, dBias2 });
  };
  const inputGradient = (dOut: Buffer, name: string): Buffer => {
    const dX = builder.activation(`${name}, gradient`, d);
    const weight = builder.weight(name);
    builder.backward.push({ kernel: 'linearGradient', dOut, weight, transposed: true, before: null, add: false, dX });
    return dX;
  };

  weightGradient(logits, x, `${lstmHead}.weight`, `${lstmHead}.bias`);
  let dX = inputGradient(logits, `${lstmHead}.weight`);
  for (let layer = config.layers - 1; layer >= 0; layer--) {
    const { input, gates, cells, out, dropout } = layers[layer];
    let dOut = dX;
    if (dropout) {
      dOut = builder.activation(`layer ${layer}, states, gradient`, d);
      builder.backward.push({ kernel: 'dropout', x: dX, residual: null, out: dOut, dropout });
    }
    const dGates = builder.activation(`layer ${layer}, gates, gradient`, 4 * d);
    const weight = builder.weight(lstmName('weight_hh', layer));
    builder.backward.push({ kernel: 'recurrenceGradient', truncation, gates, weight, cells, dOut, dGates });
    const before = builder.activation(`layer ${layer}, states one earlier`, d);
    builder.backward.push({ kernel: 'previousRows', x: out, out: before });
    weightGradient(dGates, before, lstmName('weight_hh', layer));
    const name = lstmName('weight_ih', layer);
    weightGradient(dGates, input, name, lstmName('bias_ih', layer), lstmName('bias_hh', layer));
    dX = inputGradient(dGates, name);
  }
  builder.backward.push({
    kernel: 'embedGradient',
    dOut: dX,
    dTokens: builder.gradient(lstmTokenEmbedding),
    tied: false,
    dPositions: null,
    dSlots: config.slots ? builder.gradient(lstmSlotEmbedding) : null,
    dropout: embeddingSite,
  });
  return builder.finish(logits, loss);
}
