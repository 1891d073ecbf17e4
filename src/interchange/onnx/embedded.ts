import type { SlotGrammar } from '../../base/slot-grammar.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { Graph } from './model-proto.ts';

/**
 * The rows of the tokens [batch, tokens, width], each with the vector of its slot where there is a table of slots: the
 * grammar runs along in the graph, from the state past_slot_state [batch], which is 0 at first, to present_slot_state.
 */
export function embedded(
  b: GraphBuilder,
  ids: string,
  tables: { tokens: string; slots: string },
  grammar: SlotGrammar | null,
): string {
  const rows = b.op('Gather', [b.parameter(tables.tokens), ids]);
  if (grammar === null || !b.parameters.has(tables.slots)) return rows;
  for (const [name, table] of [
    [SLOTS, grammar.slot],
    [STATES, grammar.next],
  ] as const)
    b.store(name, 'int64', [table.length], BigInt64Array.from(table, BigInt));
  const state = b.input('past_slot_state', 'int64', ['batch_size']);
  const body = step(b.ints(grammar.slot.length / grammar.states));
  const attributes = { body: { graph: body }, num_scan_inputs: 1, scan_input_axes: [1], scan_output_axes: [1] };
  const [after, slots] = b.several('Scan', [state, ids], 2, attributes);
  b.output(b.op('Identity', [after], {}, 'present_slot_state'), 'int64', ['batch_size']);
  return b.add(rows, b.op('Gather', [b.parameter(tables.slots), slots]));
}

/** [states * vocabulary] the slot of a token in a state, and the state after it. */
const SLOTS = 'slot_of_token';
const STATES = 'state_after_token';

/** One token of every row: the state before it and the token in, the state after it and its slot out. */
function step(vocabulary: string): Graph {
  const value = (name: string) => ({ name, type: 'int64', shape: ['batch_size'] }) as const;
  const node = (type: string, inputs: string[], output: string) => ({
    type,
    inputs,
    outputs: [output],
    attributes: {},
  });
  return {
    name: 'slots',
    nodes: [
      node('Mul', ['state', vocabulary], 'row'),
      node('Add', ['row', 'token'], 'place'),
      node('Gather', [STATES, 'place'], 'next'),
      node('Gather', [SLOTS, 'place'], 'slot'),
    ],
    initializers: [],
    inputs: ['state', 'token'].map(value),
    outputs: ['next', 'slot'].map(value),
  };
}
