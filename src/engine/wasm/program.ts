import type { Buffer, Call, DropoutSite } from '../plan/plan.ts';

/** Operations by number, as kernels/interpreter.as.ts switches on them; 0 ends a program. */
export const operations = [
  'end',
  'embed',
  'embedGradient',
  'norm',
  'normGradient',
  'normWeightGradient',
  'linear',
  'linearGradient',
  'weightGradient',
  'dropout',
  'attention',
  'attentionGradient',
  'rotary',
  'rotaryGradient',
  'rotaryWeightGradient',
  'gatedUnit',
  'gatedUnitGradient',
  'crossEntropy',
  'recurrence',
  'recurrenceGradient',
  'previousRows',
  'gradientNorm',
  'adamw',
  'muon',
  'shift',
  'shiftGradient',
  'shiftWeightGradient',
  'shortConvolution',
  'shortConvolutionGradient',
  'shortConvolutionWeightGradient',
] as const satisfies readonly (Call['kernel'] | 'end')[];

/** Words of an instruction: operation, three counters of claimed work, arguments. */
export const INSTRUCTION_WORDS = 32;
const HEADER_WORDS = 4;

export interface Placement {
  /** Byte address of a buffer's first row. */
  addressOf(buffer: Buffer): number;
  /** Puts a table into memory for as long as the program lives. */
  constant(table: Int32Array | Float32Array): number;
  /** Positions that a rotary table must reach. */
  context: number;
}

/** An argument: a pointer, a count, a switch, or a float32 (wrapped, since words are integers). */
type Argument = Buffer | null | number | boolean | { real: number };

/** The instructions of a list of calls, an end behind them. */
export function encodeProgram(calls: readonly Call[], placement: Placement): Int32Array {
  const program = new Int32Array((calls.length + 1) * INSTRUCTION_WORDS);
  const reals = new Float32Array(program.buffer);
  calls.forEach((call, index) => {
    const at = index * INSTRUCTION_WORDS;
    program[at] = operations.indexOf(call.kernel);
    argumentsOf(call, placement).forEach((argument, i) => {
      const word = at + HEADER_WORDS + i;
      if (argument === null) program[word] = 0;
      else if (typeof argument === 'number' || typeof argument === 'boolean') program[word] = Number(argument);
      else if ('real' in argument) reals[word] = argument.real;
      else program[word] = placement.addressOf(argument);
    });
  });
  return program;
}

const dropoutOf = (dropout: DropoutSite | null): Argument[] => [{ real: dropout?.rate ?? 0 }, dropout?.site ?? 0];

/** In the order in which each kernel's *.as.ts reads them. */
function argumentsOf(call: Call, placement: Placement): Argument[] {
  switch (call.kernel) {
    case 'embed':
      return [call.tokens, call.positions, call.slots, call.out.columns, call.out, ...dropoutOf(call.dropout)];
    case 'embedGradient':
      return [
        ...[call.dOut, call.dOut.columns, call.dTokens, rowsOf(call.dTokens), call.tied],
        ...[call.dPositions, rowsOf(call.dPositions), call.dSlots, rowsOf(call.dSlots), ...dropoutOf(call.dropout)],
      ];
    case 'norm':
      return [
        ...[call.x, call.x.columns, call.weight, call.bias, call.out, call.statistics, call.kind === 'rms'],
        { real: call.epsilon },
      ];
    case 'normGradient':
      return [
        ...[call.dOut, call.x.columns, call.x, call.weight, call.statistics, call.residual, call.dX],
        call.kind === 'rms',
      ];
    case 'normWeightGradient':
      return [call.dOut, call.x.columns, call.x, call.statistics, call.dWeight, call.dBias];
    case 'linear':
      return [
        ...[call.x, call.x.columns, call.weight, call.out.columns, call.transposed, call.bias],
        ...[call.activation === 'gelu', call.before, call.residual, call.out, call.bias2],
      ];
    case 'linearGradient':
      return [
        ...[call.dOut, call.dOut.columns, call.weight, call.dX.columns, call.transposed, call.before, call.add],
        call.dX,
      ];
    case 'weightGradient': {
      const [a, b] = call.transposed ? [call.dOut, call.x] : [call.x, call.dOut];
      return [a, a.columns, b, b.columns, call.dWeight, call.dOut, call.dOut.columns, call.dBias, call.dBias2];
    }
    case 'dropout':
      return [call.x, call.x.columns, call.residual, call.out, ...dropoutOf(call.dropout)];
    case 'attention':
      return [
        ...[call.qkv, call.out.columns / call.heads, call.heads, call.window ?? 0, call.out, call.logSum],
        ...dropoutOf(call.dropout),
      ];
    case 'attentionGradient':
      return [
        ...[call.qkv, call.out.columns / call.heads, call.heads, call.window ?? 0, call.out, call.logSum],
        ...[call.dOut, call.dQkv, ...dropoutOf(call.dropout)],
      ];
    case 'rotary':
      return [
        ...[call.qkv, call.queryWeight.columns, call.heads, turns(call.queryWeight.columns, call.base, placement)],
        ...[call.queryWeight, call.keyWeight, call.out, call.statistics, { real: call.epsilon }],
      ];
    case 'rotaryGradient':
      return [
        ...[call.dOut, call.queryWeight.columns, call.heads, turns(call.queryWeight.columns, call.base, placement)],
        ...[call.queryWeight, call.keyWeight, call.qkv, call.statistics, call.dQkv],
      ];
    case 'rotaryWeightGradient':
      return [
        ...[call.dOut, call.dQueryWeight.columns, call.heads, turns(call.dQueryWeight.columns, call.base, placement)],
        ...[call.qkv, call.statistics, call.dQueryWeight, call.dKeyWeight],
      ];
    case 'gatedUnit':
      return [call.gateUp, call.out.columns, call.out];
    case 'gatedUnitGradient':
      return [call.gateUp, call.dOut.columns, call.dOut, call.dGateUp];
    case 'crossEntropy':
      return [call.logits, call.logits.columns, call.loss];
    case 'recurrence':
      return [call.gates, call.out.columns, call.weight, call.out, call.cells];
    case 'recurrenceGradient':
      return [
        ...[call.gates, call.dOut.columns, call.weight, call.cells, call.dOut, call.dGates],
        call.truncation ?? 0,
      ];
    case 'previousRows':
      return [call.x, call.x.columns, call.out];
    case 'shift':
      return [call.x, call.x.columns, call.weight, rowsOf(call.weight), call.out];
    case 'shiftGradient':
      return [call.dOut, call.dX.columns, call.weight, rowsOf(call.weight), call.dX];
    case 'shiftWeightGradient':
      return [call.dOut, call.x.columns, call.x, rowsOf(call.dWeight), call.dWeight];
    case 'shortConvolution':
      return [call.bcx, call.out.columns, call.weight, call.weight.columns, call.out];
    case 'shortConvolutionGradient':
      return [call.dOut, call.dOut.columns, call.weight, call.weight.columns, call.bcx, call.dBcx];
    case 'shortConvolutionWeightGradient':
      return [call.dOut, call.dOut.columns, call.bcx, call.dWeight.columns, call.dWeight];
    case 'gradientNorm':
      return [call.gradients, call.gradients.columns, call.norm];
    case 'adamw':
      return [
        ...[call.weights, call.gradients, call.first, call.second, call.norm],
        ...[placement.constant(Int32Array.from(call.ranges.flat())), call.ranges.length],
      ];
    case 'muon':
      return [
        ...[call.weights, call.gradients, call.first, call.norm, placement.constant(muonBlocks(call.blocks))],
        call.blocks.length,
      ];
  }
}

const rowsOf = (buffer: Buffer | null): number => (buffer ? Number(buffer.rows) : 0);

/** Cosines, then sines, of each position's angles: [context, width]. */
function turns(width: number, base: number, placement: Placement): number {
  const half = width / 2;
  const table = Float32Array.from({ length: placement.context * width }, (_, i) => {
    const angle = Math.floor(i / width) * base ** ((-2 * ((i % width) % half)) / width);
    return i % width < half ? Math.cos(angle) : Math.sin(angle);
  });
  return placement.constant(table);
}

/** Eight words a matrix, the costliest first so that no thread is left with a large one at the end. */
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
    else if (call.kernel === 'weightGradient')
      need('shared', capacity * up(call.transposed ? call.x.columns : call.dOut.columns));
    else if (call.kernel === 'attention' || call.kernel === 'attentionGradient') {
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
