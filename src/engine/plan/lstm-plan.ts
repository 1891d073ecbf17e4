import {
  lstmHead,
  lstmName,
  lstmShapes,
  lstmSlotEmbedding,
  lstmTokenEmbedding,
  type LstmConfig,
} from '../../models/lstm.ts';
import type { Buffer, DropoutSite, Plan } from './plan.ts';
import { Tape } from './tape.ts';

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
  const tape = new Tape(lstmShapes(config));
  let sites = 0;
  const site = (): DropoutSite | null => {
    const next = { rate: config.dropout, site: sites++ };
    return training && config.dropout > 0 ? next : null;
  };

  const embeddingSite = site();
  const embedded = tape.activation('embedding', d);
  tape.forward.push({
    kernel: 'embed',
    tokens: tape.weight(lstmTokenEmbedding),
    positions: null,
    slots: config.slots ? tape.weight(lstmSlotEmbedding) : null,
    out: embedded,
    dropout: embeddingSite,
  });

  const layers: Layer[] = [];
  let x = embedded;
  for (let layer = 0; layer < config.layers; layer++) {
    const gates = tape.activation(`layer ${layer}, gates`, 4 * d);
    tape.forward.push({
      kernel: 'linear',
      x,
      weight: tape.weight(lstmName('weight_ih', layer)),
      transposed: true,
      bias: tape.weight(lstmName('bias_ih', layer)),
      bias2: tape.weight(lstmName('bias_hh', layer)),
      activation: null,
      before: null,
      residual: null,
      out: gates,
    });
    const out = tape.activation(`layer ${layer}, states`, d);
    const cells = tape.activation(`layer ${layer}, cells`, d);
    const weight = tape.weight(lstmName('weight_hh', layer));
    tape.forward.push({ kernel: 'recurrence', gates, weight, out, cells });
    tape.history.push(out, cells);
    const dropout = layer < config.layers - 1 ? site() : null;
    layers.push({ input: x, gates, cells, out, dropout });
    x = out;
    if (!dropout) continue;
    x = tape.activation(`layer ${layer}, states after dropout`, d);
    tape.forward.push({ kernel: 'dropout', x: out, residual: null, out: x, dropout });
  }

  const logits = tape.activation('logits', vocabulary);
  tape.forward.push({
    kernel: 'linear',
    x,
    weight: tape.weight(`${lstmHead}.weight`),
    transposed: true,
    bias: tape.weight(`${lstmHead}.bias`),
    bias2: null,
    activation: null,
    before: null,
    residual: null,
    out: logits,
  });
  if (!training) return tape.finish(logits, null);
  const loss = tape.activation('loss', 1);
  tape.forward.push({ kernel: 'crossEntropy', logits, loss });

  /** Gradients of a matrix and its biases, from those of what it gave. */
  const weightGradient = (dOut: Buffer, x: Buffer, name: string, ...biases: string[]) => {
    const [dBias = null, dBias2 = null] = biases.map((bias) => tape.gradient(bias));
    const dWeight = tape.gradient(name);
    tape.backward.push({ kernel: 'weightGradient', x, dOut, transposed: true, dWeight, dBias, dBias2 });
  };
  const inputGradient = (dOut: Buffer, name: string): Buffer => {
    const dX = tape.activation(`${name}, gradient`, d);
    const weight = tape.weight(name);
    tape.backward.push({ kernel: 'linearGradient', dOut, weight, transposed: true, before: null, add: false, dX });
    return dX;
  };

  weightGradient(logits, x, `${lstmHead}.weight`, `${lstmHead}.bias`);
  let dX = inputGradient(logits, `${lstmHead}.weight`);
  for (let layer = config.layers - 1; layer >= 0; layer--) {
    const { input, gates, cells, out, dropout } = layers[layer];
    let dOut = dX;
    if (dropout) {
      dOut = tape.activation(`layer ${layer}, states, gradient`, d);
      tape.backward.push({ kernel: 'dropout', x: dX, residual: null, out: dOut, dropout });
    }
    const dGates = tape.activation(`layer ${layer}, gates, gradient`, 4 * d);
    const weight = tape.weight(lstmName('weight_hh', layer));
    tape.backward.push({ kernel: 'recurrenceGradient', truncation, gates, weight, cells, dOut, dGates });
    const before = tape.activation(`layer ${layer}, states one earlier`, d);
    tape.backward.push({ kernel: 'previousRows', x: out, out: before });
    weightGradient(dGates, before, lstmName('weight_hh', layer));
    const name = lstmName('weight_ih', layer);
    weightGradient(dGates, input, name, lstmName('bias_ih', layer), lstmName('bias_hh', layer));
    dX = inputGradient(dGates, name);
  }
  tape.backward.push({
    kernel: 'embedGradient',
    dOut: dX,
    dTokens: tape.gradient(lstmTokenEmbedding),
    tied: false,
    dPositions: null,
    dSlots: config.slots ? tape.gradient(lstmSlotEmbedding) : null,
    dropout: embeddingSite,
  });
  return tape.finish(logits, loss);
}
