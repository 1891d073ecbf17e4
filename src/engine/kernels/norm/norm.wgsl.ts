import type { Norm, NormGradient } from '../../plan/plan.ts';
import { LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import { alongRow, inside, rowGroups, rowHead, rowReductions, THREADS } from '../../gpu-kit/rows.ts';
import { statisticsFunction } from './statistics.wgsl.ts';

/** Norm (plan.ts) by itself, where it could not vanish into a linear map. */
export function norm(call: Norm, lanes: number): Launch {
  const build = new LaunchBuilder(lanes > 1);
  const x = build.matrix(call.x);
  const weight = build.matrix(call.weight);
  const bias = call.bias && build.matrix(call.bias);
  const out = build.matrix(call.out);
  const statistics = build.matrix(call.statistics);
  const columns = build.size('columns', call.x.columns);
  return build.finish({
    name: 'norm',
    functions: statisticsFunction(x, call, columns),
    threads: THREADS,
    body: `${rowHead(1)}
if (!alive) { return; }
let found = rowStatistics(row);
let to = ${statistics.row('row')};
${statistics.store4('to', 'vec4f(found, 0.0, 0.0)', '0u')}
${alongRow(
  1,
  columns,
  `let at = ${x.row('row')} + c;
let value = (${x.load4('at')} - found.x) * found.y * ${weight.load4(`${weight.row('0u')} + c`)}
  ${bias ? `+ ${bias.load4(`${bias.row('0u')} + c`)}` : ''};
${out.store4('at', 'value', 'c')}`,
)}`,
    groups: rowGroups(1),
  });
}

/**
 * NormGradient (plan.ts): with g = dOut * weight and z the normalised row,
 * dX = rstd (g - mean(g) - z mean(g z)) + residual; without mean(g) for rms.
 */
export function normGradient(call: NormGradient, lanes: number): Launch {
  const build = new LaunchBuilder(lanes > 1);
  const dOut = build.matrix(call.dOut);
  const x = build.matrix(call.x);
  const weight = build.matrix(call.weight);
  const statistics = build.matrix(call.statistics);
  const residual = call.residual && build.matrix(call.residual);
  const dX = build.matrix(call.dX);
  const columns = build.size('columns', call.x.columns);
  const read = `let at = ${x.row('row')} + c;
let g = ${dOut.load4('at')} * ${weight.load4(`${weight.row('0u')} + c`)};
let z = (${x.load4('at')} - known.x) * known.y;`;
  return build.finish({
    name: 'norm gradient',
    functions: rowReductions(lanes),
    threads: THREADS,
    body: `${rowHead(lanes)}
let known = ${statistics.load4(statistics.row('row'))}.xy;
var sums = vec2f();
${alongRow(
  lanes,
  columns,
  `${read}
${
  call.x.columns % 4 === 0
    ? 'sums += vec2f(dot(g, vec4f(1.0)), dot(g, z));'
    : `let own = select(vec4f(), g, ${inside(columns)});
let ownProduct = select(vec4f(), g * z, ${inside(columns)});
sums += vec2f(dot(own, vec4f(1.0)), dot(ownProduct, vec4f(1.0)));`
}`,
)}
let means = rowSum(thread, sums) / f32(${columns});
if (!alive) { return; }
${alongRow(
  lanes,
  columns,
  `${read}
var value = known.y * (g - ${call.kind === 'layer' ? 'means.x - ' : ''}z * means.y);
${residual ? `value += ${residual.load4('at')};` : ''}
${dX.store4('at', 'value', 'c')}`,
)}`,
    groups: rowGroups(lanes),
  });
}
