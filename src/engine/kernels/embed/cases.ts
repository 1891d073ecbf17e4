import { batchOf, batchWithHistory, matrix, parityCase, tokens, type ParityCase } from '../parity-case.ts';

const CONTEXT = 80;
const SLOTS = 10;

export function embedCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const columns of [6, 20, 130])
    for (const vocabulary of columns === 20 ? [77, 144, 4390] : [77]) {
      const rows = batchOf([[13], [1], [19], [2], [7]], { vocabulary, columns: 20 });
      const named = [
        ['one token', batchOf([[1]], { vocabulary, columns: 1 })],
        ['several rows', rows],
        ['long rows', batchOf([[69], [1], [33], [5]], { vocabulary })],
        // All gradients fall into one row of the table.
        ['one word', { ...rows, tokens: rows.tokens.map(() => vocabulary - 1) }],
      ] as const;
      for (const [at, batch] of named)
        for (const [positions, slots, rate] of [
          [true, true, 0.3],
          [true, false, 0],
          [false, true, 0],
          [false, false, 0.3],
        ] as const) {
          const name =
            `${vocabulary} words of ${columns}, ${at}` +
            `${positions ? ', positions' : ''}${slots ? ', slots' : ''}${rate > 0 ? ', dropout' : ''}`;
          const dropout = rate > 0 ? { rate, site: 0 } : null;
          const tables = () => ({
            positions: positions ? matrix(CONTEXT, columns) : null,
            slots: slots ? matrix(SLOTS, columns) : null,
          });
          const table = matrix(vocabulary, columns);
          const gradients = tables();
          list.push(
            parityCase(name, { kernel: 'embed', tokens: table, ...tables(), out: tokens(columns), dropout }, { batch }),
            parityCase(
              `${name}${slots ? ', tied' : ''}`,
              {
                kernel: 'embedGradient',
                dOut: tokens(columns),
                dTokens: table,
                tied: slots,
                dPositions: gradients.positions,
                dSlots: gradients.slots,
                dropout,
              },
              { batch },
            ),
          );
        }
    }
  list.push(
    parityCase(
      'later rows',
      {
        kernel: 'embed',
        tokens: matrix(77, 20),
        positions: matrix(CONTEXT, 20),
        slots: matrix(SLOTS, 20),
        out: tokens(20),
        dropout: null,
      },
      { batch: batchWithHistory },
    ),
  );
  return list;
}
