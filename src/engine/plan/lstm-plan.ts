import {
  lstmHead,
  lstmName,
  lstmShapes,
  lstmSlotEmbedding,
  lstmTokenEmbedding,
  type LstmConfig,
} from '../../models/lstm.ts';
import { dropoutSites, dropped, embedded, finished, projected, type Piece } from './pieces.ts';
import type { Buffer, Plan } from './plan.ts';
import { PlanBuilder } from './plan-builder.ts';

/**
 * The LSTM (models/lstm.ts) as a plan: the input's share of all gates is one product over all tokens, only the state's
 * share goes token by token. Later tokens read the states and cells of each layer.
 */
export function lstmPlan(config: LstmConfig, training: boolean): Plan {
  const { width: d, vocabulary, truncation = null } = config;
  const builder = new PlanBuilder(lstmShapes(config));
  const site = dropoutSites(config.dropout, training);
  const embedding = embedded(
    builder,
    {
      tokens: lstmTokenEmbedding,
      positions: null,
      slots: config.slots ? lstmSlotEmbedding : null,
      tied: false,
    },
    d,
    site(),
  );
  const pieces: Piece[] = [];
  let x = embedding.out;
  const add = (piece: Piece) => {
    pieces.push(piece);
    x = piece.out;
  };
  for (let layer = 0; layer < config.layers; layer++) {
    const biases = [lstmName('bias_ih', layer), lstmName('bias_hh', layer)];
    add(projected(builder, x, lstmName('weight_ih', layer), 4 * d, { biases }));
    add(recurring(builder, x, lstmName('weight_hh', layer), truncation));
    const dropout = layer < config.layers - 1 ? site() : null;
    if (dropout) add(dropped(builder, x, dropout));
  }
  add(projected(builder, x, `${lstmHead}.weight`, vocabulary, { biases: [`${lstmHead}.bias`] }));
  return finished(builder, embedding, pieces, training);
}

/** The states that gates give, token by token, by the matrix of this name. */
function recurring(builder: PlanBuilder, gates: Buffer, name: string, truncation: number | null): Piece {
  const d = gates.columns / 4;
  const out = builder.activation(`${name}, states`, d);
  const cells = builder.activation(`${name}, cells`, d);
  const weight = builder.weight(name);
  builder.forward.push({ kernel: 'recurrence', gates, weight, out, cells });
  builder.history.push(out, cells);
  return {
    out,
    backward: (dOut) => {
      const dGates = builder.activation(`${name}, gates, gradient`, 4 * d);
      const before = builder.activation(`${name}, states one earlier`, d);
      const dWeight = builder.gradient(name);
      builder.backward.push(
        { kernel: 'recurrenceGradient', truncation, gates, weight, cells, dOut, dGates },
        { kernel: 'previousRows', x: out, out: before },
        {
          ...{ kernel: 'weightGradient', x: before, dOut: dGates, transposed: true },
          ...{ dWeight, dBias: null, dBias2: null },
        },
      );
      return dGates;
    },
  };
}
