import type { Buffer, DropoutSite, Norm, Plan } from './plan.ts';
import type { PlanBuilder } from './plan-builder.ts';

/** Part of a network, its forward calls written: what comes out, and how the backward calls go on. */
export interface Piece {
  out: Buffer;
  /** Writes the calls for the gradients of the weights and of the input, which it returns. */
  backward: (dOut: Buffer) => Buffer;
}

/** Pieces of which each reads what the one before it gave. */
export function inTurn(...pieces: Piece[]): Piece {
  return {
    out: pieces.at(-1)!.out,
    backward: (dOut) => pieces.reduceRight((gradient, piece) => piece.backward(gradient), dOut),
  };
}

/** What `inner` makes of normed rows and adds to the rows themselves: the gradient goes through both, and round them. */
export function branched(norm: NormPiece, inner: Piece): Piece {
  return { out: inner.out, backward: (dOut) => norm.backward(inner.backward(dOut), dOut) };
}

/** Hands out the sites of dropout in the order of the calls, which is that of their numbers; null where there is none. */
export function dropoutSites(rate: number, training: boolean): () => DropoutSite | null {
  let sites = 0;
  return () => {
    const next = { rate, site: sites++ };
    return training && rate > 0 ? next : null;
  };
}

/** Names of the tables that are summed, null for one that is not there; `tied` where the head is that of the tokens. */
interface EmbeddingNames {
  tokens: string;
  positions: string | null;
  slots: string | null;
  tied: boolean;
}

/** The rows that tokens begin as. Nothing comes before them, so backward it only writes the gradients of its tables. */
export function embedded(
  builder: PlanBuilder,
  { tokens, positions, slots, tied }: EmbeddingNames,
  width: number,
  dropout: DropoutSite | null,
): { out: Buffer; backward: (dOut: Buffer) => void } {
  const out = builder.activation('embedding', width);
  builder.forward.push({
    kernel: 'embed',
    tokens: builder.weight(tokens),
    positions: positions === null ? null : builder.weight(positions),
    slots: slots === null ? null : builder.weight(slots),
    out,
    dropout,
  });
  return {
    out,
    backward: (dOut) => {
      builder.backward.push({
        kernel: 'embedGradient',
        dOut,
        dTokens: builder.gradient(tokens),
        tied,
        dPositions: positions === null ? null : builder.gradient(positions),
        dSlots: slots === null ? null : builder.gradient(slots),
        dropout,
      });
    },
  };
}

interface NormPiece extends Piece {
  /** `around` is the gradient that went round the norm. */
  backward: (dOut: Buffer, around?: Buffer) => Buffer;
}

/** A norm of rows by the weight of this name, and the bias where there is one. */
export function normed(
  builder: PlanBuilder,
  x: Buffer,
  name: string,
  { kind, epsilon, bias = null }: Pick<Norm, 'kind' | 'epsilon'> & { bias?: string | null },
): NormPiece {
  const out = builder.activation(`${name}, normalised`, x.columns);
  const statistics = builder.activation(`${name}, statistics`, 2);
  const weight = builder.weight(name);
  builder.forward.push({
    kernel: 'norm',
    kind,
    epsilon,
    x,
    weight,
    bias: bias === null ? null : builder.weight(bias),
    out,
    statistics,
  });
  return {
    out,
    backward: (dOut, around) => {
      const dX = builder.activation(`${name}, gradient`, x.columns);
      const dWeight = builder.gradient(name);
      const dBias = bias === null ? null : builder.gradient(bias);
      builder.backward.push(
        { kernel: 'normWeightGradient', dOut, x, statistics, dWeight, dBias },
        { kernel: 'normGradient', kind, dOut, x, weight, statistics, residual: around ?? null, dX },
      );
      return dX;
    },
  };
}

export interface Projection {
  /** Whether the matrix is [out, in]; it is where this is not said. */
  transposed?: boolean;
  /** Names of the biases, two at most. */
  biases?: readonly string[];
  residual?: Buffer | null;
  gelu?: boolean;
  /** Where a GELU made x, what went into it: the gradient goes back through that too. */
  before?: Buffer | null;
}

/**
 * By the matrix of this name, its neighbours included where it is [out, in] and there are more columns than it has rows.
 * @returns `before` as well: what goes into its GELU, where it has one
 */
export function projected(
  builder: PlanBuilder,
  x: Buffer,
  name: string,
  columns: number,
  { transposed = true, biases = [], residual = null, gelu = false, before: beforeX = null }: Projection = {},
): Piece & { before: Buffer | null } {
  const rows = transposed ? columns : undefined;
  const out = builder.activation(name, columns);
  const before = gelu ? builder.activation(`${name}, before GELU`, columns) : null;
  const weight = builder.weight(name, rows);
  const [bias = null, bias2 = null] = biases.map((one) => builder.weight(one));
  builder.forward.push({
    ...{ kernel: 'linear', x, weight, transposed, bias, bias2, activation: gelu ? 'gelu' : null, before },
    ...{ residual, out },
  });
  return {
    out,
    before,
    backward: (dOut) => {
      const dX = builder.activation(`${name}, gradient`, x.columns);
      const dWeight = builder.gradient(name, rows);
      const [dBias = null, dBias2 = null] = biases.map((one) => builder.gradient(one));
      builder.backward.push(
        { kernel: 'weightGradient', x, dOut, transposed, dWeight, dBias, dBias2 },
        { kernel: 'linearGradient', dOut, weight, transposed, before: beforeX, dX },
      );
      return dX;
    },
  };
}

/** Rows with some of their numbers dropped, then added to `residual`. */
export function dropped(builder: PlanBuilder, x: Buffer, dropout: DropoutSite, residual: Buffer | null = null): Piece {
  const out = builder.activation(`${x.name}, after dropout`, x.columns);
  builder.forward.push({ kernel: 'dropout', x, residual, out, dropout });
  return {
    out,
    backward: (dOut) => {
      const dX = builder.activation(`${x.name}, gradient`, x.columns);
      builder.backward.push({ kernel: 'dropout', x: dOut, residual: null, out: dX, dropout });
      return dX;
    },
  };
}

/** Attention on rows of queries, keys and values. What later tokens read of earlier ones are their keys and values. */
export function attending(
  builder: PlanBuilder,
  qkv: Buffer,
  { heads, window }: { heads: number; window: number | null },
  dropout: DropoutSite | null,
): Piece {
  const out = builder.activation(`${qkv.name}, attended`, qkv.columns / 3);
  const logSum = builder.activation(`${qkv.name}, log sums`, heads);
  builder.forward.push({ kernel: 'attention', qkv, heads, window, out, logSum, dropout });
  builder.history.push(qkv);
  return {
    out,
    backward: (dOut) => {
      const dQkv = builder.activation(`${qkv.name}, gradient`, qkv.columns);
      builder.backward.push({
        ...{ kernel: 'attentionGradient', qkv, heads, window, out, logSum, dOut, dQkv, dropout },
      });
      return dQkv;
    },
  };
}

/** The whole plan of an embedding and the pieces behind it, of which the last gives the logits. */
export function finished(
  builder: PlanBuilder,
  embedding: ReturnType<typeof embedded>,
  pieces: readonly Piece[],
  training: boolean,
): Plan {
  const network = inTurn(...pieces);
  const logits = network.out;
  if (!training) return builder.finish(logits, null);
  const loss = builder.activation('loss', 1);
  builder.forward.push({ kernel: 'crossEntropy', logits, loss });
  // The loss leaves the gradient of the logits in their place.
  embedding.backward(network.backward(logits));
  return builder.finish(logits, loss);
}
