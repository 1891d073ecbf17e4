import type { MatrixBlock } from '../../models/parameters.ts';

/**
 * A training step as a list of kernel calls in a fixed order over buffers laid out once. One description for every
 * device: the WASM executor turns it into a program that its kernels' interpreter walks, the WebGPU executor into
 * pipelines and bind groups. What a call computes is defined by its float64 reference in ../kernels.
 *
 * Games of a batch are packed end to end, without padding: N tokens in S segments (pack.ts). Buffers of `tokens` rows
 * have one row a packed token and room for the plan's capacity.
 */
export interface Plan {
  buffers: Buffer[];
  /** For training: to the loss and its gradient in place of the logits. For inference: to the logits. */
  forward: Call[];
  /** From there to the gradient of every parameter; ends before the optimiser. Empty for inference. */
  backward: Call[];
  /** [N, V] */
  logits: Buffer;
  /** [N, 1], in training; null for inference. */
  loss: Buffer | null;
  /** What later rows of a sequence read of earlier ones: keys and values, or states. Kept from run to run in inference. */
  history: Buffer[];
  /** Where each parameter lies in the flat arenas of weights, gradients and moments, in float32 elements. */
  parameters: ParameterPlace[];
  /** Length of those arenas. */
  parameterLength: number;
}

export interface ParameterPlace {
  name: string;
  shape: number[];
  offset: number;
  length: number;
}

/** A matrix of float32 on the device, row-major and without gaps. */
export interface Buffer {
  id: number;
  /** For people: "layer 2, queries keys values". */
  name: string;
  rows: number | 'tokens';
  columns: number;
  /** Elements are 16 bits wide: marked by the WebGPU engine where it trains in mixed precision (runtimes/webgpu/precision.ts). */
  half?: boolean;
  place:
    | { kind: 'activation' }
    /** A view at this element into the arena of weights, of gradients, or of the optimiser's first or second moments. */
    | { kind: 'weight' | 'gradient' | 'first moment' | 'second moment'; offset: number };
}

/** Mask of inverted dropout: 0 with probability `rate`, else 1 / (1 - rate), a function of (seed, site, padded index). */
export interface DropoutSite {
  rate: number;
  site: number;
}

/**
 * One kernel call. N is the number of packed tokens. Inputs are read only, outputs are written whole unless the call
 * says that it adds. `null` means: not there.
 */
export type Call =
  | Embed
  | EmbedGradient
  | Norm
  | NormGradient
  | NormWeightGradient
  | Linear
  | LinearGradient
  | WeightGradient
  | DropoutCall
  | Attention
  | AttentionGradient
  | Rotary
  | RotaryGradient
  | RotaryWeightGradient
  | GatedUnit
  | GatedUnitGradient
  | CrossEntropy
  | Recurrence
  | RecurrenceGradient
  | PreviousRows
  | Shift
  | ShiftGradient
  | ShiftWeightGradient
  | ShortConvolution
  | ShortConvolutionGradient
  | ShortConvolutionWeightGradient
  | GradientNorm
  | AdamWUpdate
  | MuonUpdate;

/** out[n] = dropout(tokens[token n] + positions[position n] + slots[slot n]). */
export interface Embed {
  kernel: 'embed';
  tokens: Buffer;
  positions: Buffer | null;
  slots: Buffer | null;
  out: Buffer;
  dropout: DropoutSite | null;
}

/**
 * Gradients of the three tables from that of the sum, summed in the order of the tokens (no atomics, the same sum every
 * time). `dTokens` is added to where `tied` (the head has written there before), the rest written whole, zeros included.
 */
export interface EmbedGradient {
  kernel: 'embedGradient';
  dOut: Buffer;
  dTokens: Buffer;
  tied: boolean;
  dPositions: Buffer | null;
  dSlots: Buffer | null;
  dropout: DropoutSite | null;
}

/**
 * layer: out = (x - mean) * rstd * weight + bias; rms: out = x * rstd * weight.
 * `statistics` [N, 2] keeps (mean, rstd); mean is 0 for rms.
 */
export interface Norm {
  kernel: 'norm';
  kind: 'layer' | 'rms';
  /** What is added to the variance or the mean square. */
  epsilon: number;
  x: Buffer;
  weight: Buffer;
  bias: Buffer | null;
  out: Buffer;
  statistics: Buffer;
}

/** dX = gradient through the norm, plus `residual` (the gradient that went round it); may write over `residual`. */
export interface NormGradient {
  kernel: 'normGradient';
  kind: 'layer' | 'rms';
  dOut: Buffer;
  x: Buffer;
  weight: Buffer;
  statistics: Buffer;
  residual: Buffer | null;
  dX: Buffer;
}

/** dWeight[c] = sum_n dOut[n, c] * (x[n, c] - mean) * rstd; dBias[c] = sum_n dOut[n, c]. */
export interface NormWeightGradient {
  kernel: 'normWeightGradient';
  dOut: Buffer;
  x: Buffer;
  statistics: Buffer;
  dWeight: Buffer;
  dBias: Buffer | null;
}

/**
 * out = activation(x W + bias + bias2) + residual. W is [in, out], or [out, in] where `transposed`. With an activation,
 * what goes into it is kept in `before`.
 */
export interface Linear {
  kernel: 'linear';
  x: Buffer;
  weight: Buffer;
  transposed: boolean;
  bias: Buffer | null;
  /** nn.LSTM has two biases that are only ever added; not without `bias`. */
  bias2: Buffer | null;
  /** GELU by its tanh approximation. */
  activation: 'gelu' | null;
  before: Buffer | null;
  residual: Buffer | null;
  out: Buffer;
}

/** dX = dOut W^T, times gelu'(before) where there is one. */
export interface LinearGradient {
  kernel: 'linearGradient';
  dOut: Buffer;
  weight: Buffer;
  transposed: boolean;
  before: Buffer | null;
  dX: Buffer;
}

/** dWeight = x^T dOut (its transpose where `transposed`), dBias = column sums of dOut; and the same again into `dBias2`. */
export interface WeightGradient {
  kernel: 'weightGradient';
  x: Buffer;
  dOut: Buffer;
  transposed: boolean;
  dWeight: Buffer;
  dBias: Buffer | null;
  dBias2: Buffer | null;
}

/** out = mask * x + residual, the mask by padded index over x's columns. `out` may be `x` or `residual`. */
export interface DropoutCall {
  kernel: 'dropout';
  x: Buffer;
  residual: Buffer | null;
  out: Buffer;
  dropout: DropoutSite;
}

/**
 * Causal self-attention inside each segment, behind the segment's history where it has one, scores divided by
 * sqrt(head width). `qkv` [N, 3d]: queries, keys and values, each [heads, head width]. A token sees itself and those
 * before it, at most `window` in all. Reads history rows of `qkv` (its buffer is the plan's `history`).
 * `logSum` [N, heads] keeps the logarithm of each row's softmax denominator (maximum included), so that no [T, T]
 * matrix is stored. Dropout falls on the probabilities.
 */
export interface Attention {
  kernel: 'attention';
  qkv: Buffer;
  heads: number;
  window: number | null;
  out: Buffer;
  logSum: Buffer;
  dropout: DropoutSite | null;
}

export interface AttentionGradient {
  kernel: 'attentionGradient';
  qkv: Buffer;
  heads: number;
  window: number | null;
  out: Buffer;
  logSum: Buffer;
  dOut: Buffer;
  dQkv: Buffer;
  dropout: DropoutSite | null;
}

/**
 * Of each head's query and key: RMSNorm over the head width (with `epsilon`) times the shared weight [head width], then
 * rotated by the token's position (pairs i and i + half, angle position * base^(-2i / head width), as Hugging Face
 * has it); values pass unchanged. `statistics` [N, 2 * heads]: rstd of the queries, then of the keys.
 */
export interface Rotary {
  kernel: 'rotary';
  qkv: Buffer;
  heads: number;
  base: number;
  epsilon: number;
  queryWeight: Buffer;
  keyWeight: Buffer;
  out: Buffer;
  statistics: Buffer;
}

/** dQkv from dOut; may write over dOut. */
export interface RotaryGradient {
  kernel: 'rotaryGradient';
  dOut: Buffer;
  qkv: Buffer;
  heads: number;
  base: number;
  queryWeight: Buffer;
  keyWeight: Buffer;
  statistics: Buffer;
  dQkv: Buffer;
}

/** Gradients of the two shared weights; reads dOut as RotaryGradient does, so it comes before it where that overwrites. */
export interface RotaryWeightGradient {
  kernel: 'rotaryWeightGradient';
  dOut: Buffer;
  qkv: Buffer;
  heads: number;
  base: number;
  statistics: Buffer;
  dQueryWeight: Buffer;
  dKeyWeight: Buffer;
}

/** SwiGLU: out = silu(gate) * up, from `gateUp` [N, 2f], the gate first. */
export interface GatedUnit {
  kernel: 'gatedUnit';
  gateUp: Buffer;
  out: Buffer;
}

export interface GatedUnitGradient {
  kernel: 'gatedUnitGradient';
  gateUp: Buffer;
  dOut: Buffer;
  dGateUp: Buffer;
}

/**
 * In place: logits [N, V] become the gradient of the mean loss, (softmax - one-hot) / targets in the batch, zero rows
 * where a token has no target; `loss` [N, 1] gets each row's negative log-likelihood, 0 where it has none. Where the batch
 * has `valid` sets S, the uniform distribution over S takes the one-hot's place, and the loss is the cross-entropy
 * against it: log sum exp z - mean of z over S. With a `validWeight` w above 0 the one-hot stays, and the loss
 * of a row is -log p(target) - w log p(S), where p(S) is taken to be 1e-30 at least.
 */
export interface CrossEntropy {
  kernel: 'crossEntropy';
  logits: Buffer;
  loss: Buffer;
}

/**
 * One LSTM layer over each segment, from a zero state or from `out` and `cells` of the last row of its history. `gates`
 * [N, 4d] comes in as the input's share of i, f, g, o (both biases included), and goes out activated; weight [4d, d];
 * `out` [N, d] is h, `cells` [N, d] is c.
 */
export interface Recurrence {
  kernel: 'recurrence';
  gates: Buffer;
  weight: Buffer;
  out: Buffer;
  cells: Buffer;
}

/**
 * dGates [N, 4d] before activation, from dOut [N, d] and what the forward pass kept. With `truncation`, the state before
 * each row of a segment that is a multiple of it counts as a constant: no gradient flows back from there.
 */
export interface RecurrenceGradient {
  kernel: 'recurrenceGradient';
  truncation: number | null;
  gates: Buffer;
  weight: Buffer;
  cells: Buffer;
  dOut: Buffer;
  dGates: Buffer;
}

/** out[n] = x[n - 1] inside a segment, zeros at its start. */
export interface PreviousRows {
  kernel: 'previousRows';
  x: Buffer;
  out: Buffer;
}

/**
 * out[t] = x[t] + sum over k = 1..taps of weight[k - 1] * x[t - k], elementwise; weight [taps, d]. What stands before a
 * segment is its history, and before that there is nothing. Reads history rows of `x` (a buffer of the plan's `history`).
 */
export interface Shift {
  kernel: 'shift';
  x: Buffer;
  weight: Buffer;
  out: Buffer;
}

/** dX[t] = dOut[t] + sum_k weight[k - 1] * dOut[t + k] inside each segment; may not write over dOut. */
export interface ShiftGradient {
  kernel: 'shiftGradient';
  dOut: Buffer;
  weight: Buffer;
  dX: Buffer;
}

/** dWeight[k - 1] = sum_t dOut[t] * x[t - k] inside each segment. */
export interface ShiftWeightGradient {
  kernel: 'shiftWeightGradient';
  dOut: Buffer;
  x: Buffer;
  dWeight: Buffer;
}

/**
 * LFM2's gated convolution: of `bcx` [N, 3d], rows of B, C and x, out[t] = C[t] * sum over k < taps of
 * weight[c, taps - 1 - k] * (B * x)[t - k], elementwise; weight [d, taps], the tap of the token itself last. Sequences
 * begin and go on as with Shift; reads history rows of `bcx` (a buffer of the plan's `history`).
 */
export interface ShortConvolution {
  kernel: 'shortConvolution';
  bcx: Buffer;
  weight: Buffer;
  out: Buffer;
}

/** dBcx from dOut and what the forward pass read, inside each segment. */
export interface ShortConvolutionGradient {
  kernel: 'shortConvolutionGradient';
  dOut: Buffer;
  bcx: Buffer;
  weight: Buffer;
  dBcx: Buffer;
}

/** dWeight[c, taps - 1 - k] = sum_t dOut[t] * C[t] * (B * x)[t - k] inside each segment. */
export interface ShortConvolutionWeightGradient {
  kernel: 'shortConvolutionWeightGradient';
  dOut: Buffer;
  bcx: Buffer;
  dWeight: Buffer;
}

/**
 * norm [1, 2] = (L2 norm of all gradients, factor that clips it: min(1, clipNorm / (norm + 1e-6)), 1 where clipNorm is
 * 0), as torch.nn.utils.clip_grad_norm_. `gradients` is the whole arena, [1, P].
 */
export interface GradientNorm {
  kernel: 'gradientNorm';
  gradients: Buffer;
  norm: Buffer;
}

/**
 * AdamW (Loshchilov and Hutter 2019) over the flat arenas, as torch.optim.AdamW computes it, on these element ranges
 * [start, end) only. Gradients are multiplied by the clipping factor first.
 */
export interface AdamWUpdate {
  kernel: 'adamw';
  weights: Buffer;
  gradients: Buffer;
  first: Buffer;
  second: Buffer;
  norm: Buffer;
  ranges: readonly (readonly [number, number])[];
}

/** Muon (see MuonSettings) on matrices of the flat arenas; `offset` of a block counts from the arena's start. */
export interface MuonUpdate {
  kernel: 'muon';
  weights: Buffer;
  gradients: Buffer;
  first: Buffer;
  norm: Buffer;
  blocks: readonly MatrixBlock[];
}
