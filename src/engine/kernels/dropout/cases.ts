import type { DropoutCall } from '../../plan/plan.ts';
import { namedBatches, parityCase, tokens, type ParityCase } from '../parity-case.ts';

export function dropoutCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const columns of [1, 6, 20, 130])
    for (const [at, batch] of namedBatches)
      for (const rate of [0.3, 0.1]) {
        const name = `${columns} columns at ${rate}, ${at}`;
        const dropout = { rate, site: 3 };
        const call: DropoutCall = {
          kernel: 'dropout',
          x: tokens(columns),
          residual: null,
          out: tokens(columns),
          dropout,
        };
        const residual = tokens(columns);
        list.push(
          parityCase(name, call, { batch }),
          parityCase(`${name}, in place`, { ...call, out: call.x }, { batch }),
          parityCase(`${name}, residual`, { ...call, residual }, { batch }),
          parityCase(`${name}, over the residual`, { ...call, residual, out: residual }, { batch }),
        );
      }
  return list;
}
