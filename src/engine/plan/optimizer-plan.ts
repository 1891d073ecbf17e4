import type { MatrixBlock } from '../../models/parameters.ts';
import type { Buffer, Call, Plan } from './plan.ts';

/**
 * The calls that end a step: the gradients' norm, Muon on the matrices where it is the optimiser, AdamW on the rest.
 * @param matrices as `muonMatrices` lists them; none for plain AdamW
 */
export function optimizerCalls(plan: Plan, matrices: readonly MatrixBlock[]): { calls: Call[]; norm: Buffer } {
  let id = Math.max(...plan.buffers.map((buffer) => buffer.id));
  const arena = (kind: Exclude<Buffer['place']['kind'], 'activation'>): Buffer => ({
    id: ++id,
    name: kind,
    rows: 1,
    columns: plan.parameterLength,
    place: { kind, offset: 0 },
  });
  const [weights, gradients] = [arena('weight'), arena('gradient')];
  const [first, second] = [arena('first moment'), arena('second moment')];
  const norm: Buffer = { id: ++id, name: 'gradient norm', rows: 1, columns: 2, place: { kind: 'activation' } };

  const calls: Call[] = [{ kernel: 'gradientNorm', gradients, norm }];
  const places = new Map(plan.parameters.map((place) => [place.name, place]));
  const blocks = matrices.map((block) => ({ ...block, offset: block.offset + places.get(block.name)!.offset }));
  if (blocks.length > 0) calls.push({ kernel: 'muon', weights, gradients, first, norm, blocks });
  const byMuon = new Set(matrices.map((block) => block.name));
  const ranges: [number, number][] = [];
  for (const { name, offset, length } of plan.parameters) {
    if (byMuon.has(name)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === offset) last[1] += length;
    else ranges.push([offset, offset + length]);
  }
  calls.push({ kernel: 'adamw', weights, gradients, first, second, norm, ranges });
  return { calls, norm };
}
