import type { Norm } from '../../plan/plan.ts';
import {
  batches,
  batchWithHistory,
  matrix,
  namedBatches,
  parityCase,
  tokens,
  type ParityCase,
} from '../parity-case.ts';

export function normCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const kind of ['layer', 'rms'] as const)
    for (const columns of [6, 20, 64, 130, 1030])
      for (const [at, batch] of namedBatches) {
        const norm = normOf(kind, columns);
        const name = `${kind}, ${columns} columns, ${at}`;
        // A mean far from zero beside a small deviation is where a careless variance loses its digits.
        const fill: [typeof norm.x, (random: { normal(): number }) => number][] = [
          [norm.x, (random) => 5 + random.normal()],
        ];
        const { x, weight, statistics } = norm;
        const dOut = tokens(columns);
        const gradient = { kernel: 'normGradient', kind, dOut, x, weight, statistics } as const;
        const [residual, dX] = [tokens(columns), tokens(columns)];
        list.push(
          parityCase(name, norm, { batch, fill }),
          parityCase(name, { ...gradient, residual: null, dX }, { batch, after: [norm] }),
          parityCase(`${name}, residual`, { ...gradient, residual, dX }, { batch, after: [norm] }),
          parityCase(`${name}, over the residual`, { ...gradient, residual, dX: residual }, { batch, after: [norm] }),
          parityCase(
            name,
            {
              kernel: 'normWeightGradient',
              dOut,
              x,
              statistics,
              dWeight: matrix(1, columns),
              dBias: kind === 'layer' ? matrix(1, columns) : null,
            },
            { batch, after: [norm] },
          ),
        );
      }
  const { 'several rows': batch } = batches;
  list.push(
    parityCase('later rows', normOf('layer', 20), { batch: batchWithHistory }),
    parityCase('no bias', { ...normOf('layer', 20), bias: null }, { batch }),
  );
  return list;
}

function normOf(kind: Norm['kind'], columns: number): Norm {
  return {
    kernel: 'norm',
    kind,
    // So large that another would be seen.
    epsilon: 0.1,
    x: tokens(columns),
    weight: matrix(1, columns),
    bias: kind === 'layer' ? matrix(1, columns) : null,
    out: tokens(columns),
    statistics: tokens(2),
  };
}
