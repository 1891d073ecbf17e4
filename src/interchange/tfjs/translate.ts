import type { Graph, Node } from '../onnx/model-proto.ts';
import { lstm, scan } from './tf-loop.ts';
import { OPERATORS } from './tf-operators.ts';
import type { TfScope } from './tf-scope.ts';

/** Writes the nodes of a graph that its outputs need; its inputs are in the scope. */
export function translate(g: TfScope, { nodes, outputs }: Pick<Graph, 'nodes' | 'outputs'>): void {
  for (const node of neededFor(nodes, outputs)) {
    const written = outputsOf(g, node);
    for (const [i, name] of node.outputs.entries()) g.values.set(name, written[i]);
  }
}

function neededFor(nodes: readonly Node[], outputs: Graph['outputs']): Node[] {
  const wanted = new Set(outputs.map(({ name }) => name));
  const needed = nodes.toReversed().filter(({ inputs, outputs }) => {
    if (!outputs.some((name) => wanted.has(name))) return false;
    for (const name of inputs) wanted.add(name);
    return true;
  });
  return needed.reverse();
}

/** What has no numbers is left out of what is joined, and anything else that is made of it has none either. */
function outputsOf(g: TfScope, node: Node): readonly (string | null)[] {
  const inputs = node.inputs.map((name) => (name === '' ? '' : g.value(name)));
  const found = inputs.filter((input) => input !== null);
  if (node.type === 'Concat' && found.length === 1) return found;
  if (inputs[0] === null && node.type !== 'Concat') return node.outputs.map(() => null);
  if (node.type === 'Scan') return scan(g, found, node, translate);
  if (node.type === 'LSTM') return lstm(g, found, node, translate);
  const written = OPERATORS[node.type](g, found, node);
  return typeof written === 'string' ? [written] : written;
}
