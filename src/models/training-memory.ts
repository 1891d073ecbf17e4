import { fail, ok, type Result } from '../base/result.ts';
import { estimateMemory, parameterCount, type ModelConfig } from './model.ts';

/** Memory that training may take, and who has it. */
export interface MemoryBudget {
  bytes: number;
  /** "a browser tab" */
  of: string;
}

/** Browsers give no buffer beyond this, and no tab much more. */
export const TAB_MEMORY: MemoryBudget = { bytes: 16e9, of: 'a browser tab' };

/** Bytes for a parameter, its gradient and its two moments. */
const A_PARAMETER = 16;

/**
 * Bytes that training on `rows` x `columns` tokens takes, by estimateMemory. Fails with `model-too-large` where the
 * budget has less: a tab would be ended by the system, or the machine would stand still, before any engine could say so.
 */
export function trainingMemory(
  model: ModelConfig,
  rows: number,
  columns: number,
  { bytes: most, of }: MemoryBudget,
): Result<number> {
  const bytes = estimateMemory(model, rows, columns);
  if (bytes <= most) return ok(bytes);
  const parameters = parameterCount(model);
  const remedy =
    A_PARAMETER * parameters > bytes / 2
      ? `Most of it is for its ${large(parameters)} parameters: choose fewer layers or a smaller width.`
      : `Most of it is for batches of ${large(rows)} x ${large(Math.ceil(columns))} tokens: choose a smaller batch or context, or a smaller model.`;
  return fail(
    'model-too-large',
    `Training this model takes about ${gigabytes(bytes)} of memory, and ${of} has ${gigabytes(most)} at most. ${remedy}`,
  );
}

const grouped = (value: number): string => Math.round(value).toLocaleString('en-GB');
const gigabytes = (bytes: number): string => (bytes < 1e9 ? 'less than 1 GB' : `${grouped(bytes / 1e9)} GB`);
const large = (value: number): string => (value >= 1e6 ? `${grouped(value / 1e6)} million` : grouped(value));
