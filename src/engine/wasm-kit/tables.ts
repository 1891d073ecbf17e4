/**
 * What TypeScript writes into memory for the WASM kernels to read. scripts/build-kernels.mjs makes built/tables.as.ts of
 * it, the same tables in AssemblyScript: an enum of operations and a class for each record.
 */

/** A field of four bytes: an address (0 where there is none), an integer or switch, or a float32. */
export type Field = 'address' | 'int' | 'real';

/** Where the runtime block lies. */
export const BLOCK = 1024;
/** Words of an instruction: its operation, three counters of claimed work, its fields. */
export const INSTRUCTION_WORDS = 32;
export const HEADER_WORDS = 4;

/** Instructions and their fields, the first being operation 0. `end` ends a program. */
export const instructions = {
  end: {},
  embed: {
    ...{ tokens: 'address', positions: 'address', slots: 'address', columns: 'int', out: 'address' },
    ...{ rate: 'real', site: 'int' },
  },
  embedGradient: {
    ...{ dOut: 'address', columns: 'int', dTokens: 'address', tokenRows: 'int', tied: 'int', dPositions: 'address' },
    ...{ positionRows: 'int', dSlots: 'address', slotRows: 'int', rate: 'real', site: 'int' },
  },
  norm: {
    ...{ x: 'address', columns: 'int', weight: 'address', bias: 'address', out: 'address', statistics: 'address' },
    ...{ rms: 'int', epsilon: 'real' },
  },
  normGradient: {
    ...{ dOut: 'address', columns: 'int', x: 'address', weight: 'address', statistics: 'address' },
    ...{ residual: 'address', dX: 'address', rms: 'int' },
  },
  normWeightGradient: {
    ...{ dOut: 'address', columns: 'int', x: 'address', statistics: 'address', dWeight: 'address', dBias: 'address' },
  },
  linear: {
    ...{ x: 'address', inputs: 'int', weight: 'address', outputs: 'int', transposed: 'int', bias: 'address' },
    ...{ bias2: 'address', before: 'address', residual: 'address', out: 'address' },
  },
  linearGradient: {
    ...{ dOut: 'address', outputs: 'int', weight: 'address', inputs: 'int', transposed: 'int', before: 'address' },
    dX: 'address',
  },
  /** The product of `a`, transposed, and `b`. */
  weightGradient: {
    ...{ a: 'address', rows: 'int', b: 'address', columns: 'int', dWeight: 'address' },
    ...{ dOut: 'address', outputs: 'int', dBias: 'address', dBias2: 'address' },
  },
  dropout: { x: 'address', columns: 'int', residual: 'address', out: 'address', rate: 'real', site: 'int' },
  attention: {
    ...{ qkv: 'address', width: 'int', heads: 'int', window: 'int', out: 'address', logSum: 'address' },
    ...{ rate: 'real', site: 'int' },
  },
  attentionGradient: {
    ...{ qkv: 'address', width: 'int', heads: 'int', window: 'int', out: 'address', logSum: 'address' },
    ...{ dOut: 'address', dQkv: 'address', rate: 'real', site: 'int' },
  },
  rotary: {
    ...{ qkv: 'address', width: 'int', heads: 'int', angles: 'address', queryWeight: 'address', keyWeight: 'address' },
    ...{ out: 'address', statistics: 'address', epsilon: 'real' },
  },
  rotaryGradient: {
    ...{ dOut: 'address', width: 'int', heads: 'int', angles: 'address', queryWeight: 'address', keyWeight: 'address' },
    ...{ qkv: 'address', statistics: 'address', dQkv: 'address' },
  },
  rotaryWeightGradient: {
    ...{ dOut: 'address', width: 'int', heads: 'int', angles: 'address', qkv: 'address', statistics: 'address' },
    ...{ dQueryWeight: 'address', dKeyWeight: 'address' },
  },
  gatedUnit: { gateUp: 'address', width: 'int', out: 'address' },
  gatedUnitGradient: { gateUp: 'address', width: 'int', dOut: 'address', dGateUp: 'address' },
  crossEntropy: { logits: 'address', vocabulary: 'int', loss: 'address' },
  recurrence: { gates: 'address', width: 'int', weight: 'address', out: 'address', cells: 'address' },
  recurrenceGradient: {
    ...{ gates: 'address', width: 'int', weight: 'address', cells: 'address', dOut: 'address', dGates: 'address' },
    truncation: 'int',
  },
  previousRows: { x: 'address', columns: 'int', out: 'address' },
  /** The sum over `length` gradients. */
  gradientNorm: { gradients: 'address', length: 'int', norm: 'address' },
  /** `ranges`: pairs of elements, first and end. */
  adamw: {
    ...{ weights: 'address', gradients: 'address', first: 'address', second: 'address', norm: 'address' },
    ...{ ranges: 'address', rangeCount: 'int' },
  },
  /** `blocks`: eight words a matrix, offset in elements, rows, columns, stride in elements, scale (float32). */
  muon: {
    ...{ weights: 'address', gradients: 'address', first: 'address', norm: 'address' },
    ...{ blocks: 'address', blockCount: 'int' },
  },
  shift: { x: 'address', columns: 'int', weight: 'address', taps: 'int', out: 'address' },
  shiftGradient: { dOut: 'address', columns: 'int', weight: 'address', taps: 'int', dX: 'address' },
  shiftWeightGradient: { dOut: 'address', columns: 'int', x: 'address', taps: 'int', dWeight: 'address' },
  shortConvolution: { bcx: 'address', columns: 'int', weight: 'address', taps: 'int', out: 'address' },
  shortConvolutionGradient: {
    ...{ dOut: 'address', columns: 'int', weight: 'address', taps: 'int', bcx: 'address', dBcx: 'address' },
  },
  shortConvolutionWeightGradient: {
    ...{ dOut: 'address', columns: 'int', bcx: 'address', taps: 'int', dWeight: 'address' },
  },
} as const satisfies Record<string, Record<string, Field>>;

/** What every kernel knows besides its own call, written before each run. */
export const runtimeBlock = {
  /** By which the threads sleep and meet. */
  ...{ wake: 'int', arrived: 'int', generation: 'int' },
  ...{ threads: 'int', program: 'address' },
  /** Packed tokens, and their arrays. */
  ...{ firstRow: 'int', count: 'int', segmentCount: 'int' },
  ...{ tokens: 'address', positions: 'address', slots: 'address', targets: 'address', padded: 'address' },
  /** Four words a segment: first row, length, first row of its history, its length. */
  segments: 'address',
  ...{ batchRows: 'int', batchColumns: 'int', targetCount: 'int' },
  /** The sets of tokens to learn towards, one a packed token. */
  validSets: 'address',
  /** Above 0, the weight of the sets' semantic loss beside that of the target. */
  validWeight: 'real',
  /** Memory shared by all threads for one call (packed panels), and that of each thread. */
  ...{ shared: 'address', scratch: 'address', scratchBytes: 'int', partials: 'address' },
  seedHash: 'int',
  ...{ learningRate: 'real', beta1: 'real', beta2: 'real', epsilon: 'real', weightDecay: 'real', clipNorm: 'real' },
  ...{ muonRate: 'real', momentum: 'real', muonDecay: 'real' },
  /** 1 - beta ^ step of the two moments. */
  ...{ correction1: 'real', correction2: 'real' },
} as const satisfies Record<string, Field>;
