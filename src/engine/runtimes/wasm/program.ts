import { HEADER_WORDS, INSTRUCTION_WORDS, instructions, type Field } from '../../wasm-kit/tables.ts';
import type { Buffer, Call, DropoutSite } from '../../plan/plan.ts';
import { rotaryAngles } from '../../plan/rotary-angles.ts';

export interface Placement {
  /** Byte address of a buffer's first row. */
  addressOf(buffer: Buffer): number;
  /** Puts a table into memory for as long as the program lives. */
  constant(table: Int32Array | Float32Array): number;
  /** Positions that a rotary table must reach. */
  context: number;
}

type Argument = Buffer | number | boolean | null;
type Kernel = Call['kernel'];
type CallOf<K extends Kernel> = Extract<Call, { kernel: K }>;
/** Fields of an instruction that its call has under the same name. */
type Shared<K extends Kernel> = {
  [F in keyof CallOf<K>]: CallOf<K>[F] extends Argument ? F : never;
}[keyof CallOf<K>];

/** The other fields of each kernel's instruction. */
const derived: {
  [K in Kernel]: (
    call: CallOf<K>,
    placement: Placement,
  ) => Record<Exclude<keyof (typeof instructions)[K], Shared<K>>, Argument>;
} = {
  embed: ({ out, dropout }) => ({ columns: out.columns, ...siteOf(dropout) }),
  embedGradient: ({ dOut, dTokens, dPositions, dSlots, dropout }) => ({
    ...{
      columns: dOut.columns,
      tokenRows: rowsOf(dTokens),
      positionRows: rowsOf(dPositions),
      slotRows: rowsOf(dSlots),
    },
    ...siteOf(dropout),
  }),
  norm: ({ x, kind }) => ({ columns: x.columns, rms: kind === 'rms' }),
  normGradient: ({ x, kind }) => ({ columns: x.columns, rms: kind === 'rms' }),
  normWeightGradient: ({ x }) => ({ columns: x.columns }),
  linear: ({ x, out }) => ({ inputs: x.columns, outputs: out.columns }),
  linearGradient: ({ dOut, dX }) => ({ outputs: dOut.columns, inputs: dX.columns }),
  weightGradient: ({ x, dOut, transposed }) => {
    const [a, b] = transposed ? [dOut, x] : [x, dOut];
    return { a, rows: a.columns, b, columns: b.columns, outputs: dOut.columns };
  },
  dropout: ({ x, dropout }) => ({ columns: x.columns, ...siteOf(dropout) }),
  attention: ({ out, heads, dropout }) => ({ width: out.columns / heads, ...siteOf(dropout) }),
  attentionGradient: ({ out, heads, dropout }) => ({ width: out.columns / heads, ...siteOf(dropout) }),
  rotary: ({ queryWeight, base }, placement) => rotated(queryWeight, base, placement),
  rotaryGradient: ({ queryWeight, base }, placement) => rotated(queryWeight, base, placement),
  rotaryWeightGradient: ({ dQueryWeight, base }, placement) => rotated(dQueryWeight, base, placement),
  gatedUnit: ({ out }) => ({ width: out.columns }),
  gatedUnitGradient: ({ dOut }) => ({ width: dOut.columns }),
  crossEntropy: ({ logits }) => ({ vocabulary: logits.columns }),
  recurrence: ({ out }) => ({ width: out.columns }),
  recurrenceGradient: ({ dOut }) => ({ width: dOut.columns }),
  previousRows: ({ x }) => ({ columns: x.columns }),
  shift: ({ x, weight }) => ({ columns: x.columns, taps: rowsOf(weight) }),
  shiftGradient: ({ dX, weight }) => ({ columns: dX.columns, taps: rowsOf(weight) }),
  shiftWeightGradient: ({ x, dWeight }) => ({ columns: x.columns, taps: rowsOf(dWeight) }),
  shortConvolution: ({ out, weight }) => ({ columns: out.columns, taps: weight.columns }),
  shortConvolutionGradient: ({ dOut, weight }) => ({ columns: dOut.columns, taps: weight.columns }),
  shortConvolutionWeightGradient: ({ dOut, dWeight }) => ({ columns: dOut.columns, taps: dWeight.columns }),
  gradientNorm: ({ gradients }) => ({ length: gradients.columns }),
  adamw: ({ ranges }, { constant }) => ({
    ...{ ranges: constant(Int32Array.from(ranges.flat())), rangeCount: ranges.length },
  }),
  muon: ({ blocks }, { constant }) => ({ blocks: constant(muonBlocks(blocks)), blockCount: blocks.length }),
};

/** Operations by their number. */
export const operations = Object.keys(instructions);

/** The instructions of a list of calls, an end behind them. */
export function encodeProgram(calls: readonly Call[], placement: Placement): Int32Array {
  const program = new Int32Array((calls.length + 1) * INSTRUCTION_WORDS);
  const reals = new Float32Array(program.buffer);
  calls.forEach((call, index) => {
    const at = index * INSTRUCTION_WORDS;
    program[at] = operations.indexOf(call.kernel);
    const others = derived[call.kernel](call as never, placement);
    const values = { ...call, ...others } as unknown as Record<string, Argument>;
    const fields: Record<string, Field> = instructions[call.kernel];
    Object.entries(fields).forEach(([field, type], i) => {
      const word = at + HEADER_WORDS + i;
      const value = values[field];
      if (value !== null && typeof value === 'object') program[word] = placement.addressOf(value);
      else if (type === 'real') reals[word] = Number(value);
      else program[word] = Number(value);
    });
  });
  return program;
}

const siteOf = (dropout: DropoutSite | null) => ({ rate: dropout?.rate ?? 0, site: dropout?.site ?? 0 });

/** The width of a head, and the address of its angles' table. */
const rotated = ({ columns: width }: Buffer, base: number, placement: Placement) => ({
  ...{ width, angles: placement.constant(rotaryAngles(placement.context, width, base)) },
});

const rowsOf = (buffer: Buffer | null): number => (buffer ? Number(buffer.rows) : 0);

/** A matrix each, the costliest first so that no thread is left with a large one at the end. */
function muonBlocks(blocks: (Call & { kernel: 'muon' })['blocks']): Int32Array {
  const cost = ({ rows, columns }: { rows: number; columns: number }) => Math.min(rows, columns) * rows * columns;
  const table = new Int32Array(8 * blocks.length);
  const reals = new Float32Array(table.buffer);
  [...blocks]
    .sort((a, b) => cost(b) - cost(a))
    .forEach((block, i) => {
      table.set([block.offset, block.rows, block.columns, block.stride], 8 * i);
      reals[8 * i + 4] = Math.sqrt(Math.max(1, block.outputs / block.inputs));
    });
  return table;
}

/** Bytes of memory that the calls need beside their buffers. */
export interface Workspace {
  /** For all threads together. */
  shared: number;
  /** For each thread. */
  scratch: number;
  partials: number;
}

const up = (n: number) => Math.ceil(n / 8) * 8;

/**
 * @param capacity most tokens in a batch
 * @param context most keys of a segment, its history included
 */
export function workspaceOf(calls: readonly Call[], capacity: number, context: number): Workspace {
  const space: Workspace = { shared: 64, scratch: 256, partials: 64 };
  const need = (kind: keyof Workspace, floats: number) => (space[kind] = Math.max(space[kind], 4 * floats + 256));
  for (const call of calls) {
    if (call.kernel === 'linear') need('shared', call.x.columns * up(call.out.columns));
    else if (call.kernel === 'linearGradient') need('shared', call.dOut.columns * up(call.dX.columns));
    else if (call.kernel === 'weightGradient') {
      need('shared', capacity * up(call.transposed ? call.x.columns : call.dOut.columns));
      // gemm's temp, and LINE rows of K_BLOCK packed (linear.as.ts, gemm.as.ts).
      need('scratch', 32 + 16 * 256);
    } else if (call.kernel === 'attention' || call.kernel === 'attentionGradient') {
      const width = up(call.out.columns / call.heads);
      const keys = up(context);
      need('scratch', 5 * keys * width + 2 * 16 * width + 2 * 16 * keys);
    } else if (call.kernel === 'recurrence' || call.kernel === 'recurrenceGradient') {
      const width = call.cells.columns;
      need('shared', Math.max(width * up(4 * width), 4 * width * up(width)));
      need('scratch', 12 * width);
    } else if (call.kernel === 'shortConvolution' || call.kernel === 'shortConvolutionGradient')
      need('scratch', Number(call.weight.rows) * call.weight.columns);
    else if (call.kernel === 'muon')
      for (const { rows, columns } of call.blocks) {
        const [m, n] = [Math.min(rows, columns), Math.max(rows, columns)];
        need('scratch', 2 * m * n + 2 * m * m + Math.max(m * up(n), n * up(m)));
      }
    else if (call.kernel === 'gradientNorm') need('partials', 2 * Math.ceil(call.gradients.columns / 8192));
  }
  return space;
}
