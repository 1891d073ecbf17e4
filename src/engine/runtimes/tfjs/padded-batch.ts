import { rowsOf, type Batch } from '../../../base/batch.ts';
import { paddedColumns } from '../../plan/pack.ts';

/** A batch as tensors have it: its rows padded on the right to one length. */
export interface PaddedBatch {
  /** [B * T] token ids; 0 where a row is over, which is what vocabularies pad with. */
  ids: Int32Array;
  rows: number;
  columns: number;
  lengths: Int32Array;
  /** [B * T] where in the batch the token stands that each place is to predict; -1 where there is none to learn from. */
  targets: Int32Array;
  /** Places that have a target. */
  count: number;
}

/** @throws RangeError where a row is longer than the context */
export function padded(batch: Batch, context: number): PaddedBatch {
  const all = rowsOf(batch);
  const [rows, columns] = [all.length, paddedColumns(batch, context)];
  const ids = new Int32Array(rows * columns);
  const targets = new Int32Array(rows * columns).fill(-1);
  let count = 0;
  all.forEach((tokens, row) => {
    ids.set(tokens, row * columns);
    for (let t = 0; t + 1 < tokens.length; t++) {
      const next = batch.offsets[row] + t + 1;
      if (batch.learn?.[next] === 0) continue;
      targets[row * columns + t] = next;
      count++;
    }
  });
  return { ids, rows, columns, lengths: Int32Array.from(all, ({ length }) => length), targets, count };
}
