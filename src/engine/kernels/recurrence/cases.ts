import type { Random } from '../../../base/random.ts';
import type { Buffer, Recurrence } from '../../plan/plan.ts';
import { batchWithHistory, matrix, namedBatches, parityCase, tokens, type ParityCase } from '../parity-case.ts';

export function recurrenceCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const d of [1, 6, 20, 64, 130]) {
    const weightOf = ({ weight }: Recurrence): [Buffer, (random: Random) => number] => [
      weight,
      (random) => random.normal() / Math.sqrt(d),
    ];
    for (const [at, batch] of namedBatches) {
      const call = recurrence(d);
      const name = `width ${d}, ${at}`;
      const { gates, weight, cells } = call;
      list.push(
        parityCase(name, call, { batch, fill: [weightOf(call)] }),
        ...[null, 1, 5, 30].map((truncation) =>
          parityCase(
            `${name}, truncated at ${truncation}`,
            { kernel: 'recurrenceGradient', truncation, gates, weight, cells, dOut: tokens(d), dGates: tokens(4 * d) },
            { batch, after: [call], fill: [weightOf(call)] },
          ),
        ),
        parityCase(name, { kernel: 'previousRows', x: tokens(d), out: tokens(d) }, { batch }),
      );
    }
    const call = recurrence(d);
    list.push(parityCase(`width ${d}, history`, call, { batch: batchWithHistory, fill: [weightOf(call)] }));
  }
  return list;
}

function recurrence(d: number): Recurrence {
  return { kernel: 'recurrence', gates: tokens(4 * d), weight: matrix(4 * d, d), out: tokens(d), cells: tokens(d) };
}
