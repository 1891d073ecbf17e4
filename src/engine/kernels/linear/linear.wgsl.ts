import type { LinearGradient } from '../../plan/plan.ts';
import type { NormedLinear } from '../../plan/fuse.ts';
import { ceilDiv, LaunchBuilder, type Launch, type Matrix } from '../../gpu-kit/launch.ts';
import { product, stagingMemory, threadsOf, tileColumns, tileRows, type Tiling } from '../../gpu-kit/matmul.ts';
import { acrossDepth, alongDepth, type Change } from '../../gpu-kit/operands.ts';
import { geluFunctions } from './gelu.wgsl.ts';
import { statisticsFunction } from '../norm/statistics.wgsl.ts';

/** Linear (plan.ts), behind a norm whose rows it normalises as it reads them; their statistics are stored on the way. */
export function linear(call: NormedLinear, tiling: Tiling): Launch {
  const { norm, activation } = call;
  const build = new LaunchBuilder(tiling.staged);
  const x = build.matrix(call.x, { scalar: tiling.shared });
  const weight = build.matrix(call.weight);
  const biases = [call.bias, call.bias2].filter((bias) => bias !== null).map((bias) => build.matrix(bias));
  const before = call.before && build.matrix(call.before);
  const residual = call.residual && build.matrix(call.residual);
  const out = build.matrix(call.out);
  const normed = norm && {
    kind: norm.kind,
    weight: build.matrix(norm.weight),
    bias: norm.bias && build.matrix(norm.bias),
    statistics: build.matrix(norm.statistics),
  };
  const columns = build.size('columns', call.out.columns);
  const depth = build.size('depth', call.x.columns);
  const source = { matrix: x, row: (row: string) => x.row(`run.firstRow + ${row}`), stride: x.stride };
  const body = product(tiling, {
    a: alongDepth(source, 'run.count', normed ? normalising(normed) : undefined, tiling.shared),
    b: weightOperand(weight, columns, call.transposed),
    depth,
    depthMultiple: call.x.columns,
    firstRow: `group.y * ${tileRows(tiling)}u`,
    firstColumn: `group.x * ${tileColumns(tiling)}u`,
    prepare: normed ? prepareRows(normed.statistics, tiling) : '',
    store: `if (row < run.count && column < ${columns}) {
  ${biases.map((bias) => `value += ${bias.load4(`${bias.row('0u')} + column`)};`).join('\n')}
  let to = ${out.row('run.firstRow + row')} + column;
  ${before ? before.store4('to', 'value', 'column') : ''}
  ${activation === 'gelu' ? 'value = gelu(value);' : ''}
  ${residual ? `value += ${residual.load4('to')};` : ''}
  ${out.store4('to', 'value', 'column')}
}`,
  });
  const functions = [
    stagingMemory(tiling),
    activation === 'gelu' ? geluFunctions : '',
    norm
      ? `var<workgroup> statisticsOfRows: array<vec2f, ${tileRows(tiling)}>;${statisticsFunction(x, norm, depth)}`
      : '',
  ];
  return build.finish({
    name: norm ? 'norm and linear' : 'linear',
    enable: tiling.shared ? 'enable subgroups;' : '',
    functions: functions.join('\n'),
    threads: threadsOf(tiling),
    body,
    groups: ({ count }) => [ceilDiv(call.out.columns, tileColumns(tiling)), ceilDiv(count, tileRows(tiling)), 1],
    flops: (count) => 2 * count * call.out.columns * call.x.columns,
  });
}

/** LinearGradient (plan.ts). */
export function linearGradient(call: LinearGradient, tiling: Tiling): Launch {
  const build = new LaunchBuilder(tiling.staged);
  const dOut = build.matrix(call.dOut, { scalar: tiling.shared });
  const weight = build.matrix(call.weight);
  const before = call.before && build.matrix(call.before);
  const dX = build.matrix(call.dX);
  const columns = build.size('columns', call.dX.columns);
  const source = { matrix: dOut, row: (row: string) => dOut.row(`run.firstRow + ${row}`), stride: dOut.stride };
  const body = product(tiling, {
    a: alongDepth(source, 'run.count', undefined, tiling.shared),
    b: weightOperand(weight, columns, !call.transposed),
    depth: build.size('depth', call.dOut.columns),
    depthMultiple: call.dOut.columns,
    firstRow: `group.y * ${tileRows(tiling)}u`,
    firstColumn: `group.x * ${tileColumns(tiling)}u`,
    store: `if (row < run.count && column < ${columns}) {
  let to = ${dX.row('run.firstRow + row')} + column;
  ${before ? `value *= geluSlope(${before.load4('to')});` : ''}
  ${dX.store4('to', 'value', 'column')}
}`,
  });
  return build.finish({
    name: 'linear gradient',
    enable: tiling.shared ? 'enable subgroups;' : '',
    functions: stagingMemory(tiling) + (before ? geluFunctions : ''),
    threads: threadsOf(tiling),
    body,
    groups: ({ count }) => [ceilDiv(call.dX.columns, tileColumns(tiling)), ceilDiv(count, tileRows(tiling)), 1],
    flops: (count) => 2 * count * call.dX.columns * call.dOut.columns,
  });
}

/** The weight as B [k, n], stored so or, `transposed`, as [n, k]. */
function weightOperand(weight: Matrix, columns: string, transposed: boolean) {
  const source = { matrix: weight, row: (row: string) => weight.row(row), stride: weight.stride };
  return transposed ? alongDepth(source, columns) : acrossDepth(source);
}

/** Statements by which the workgroup learns the statistics of its rows, and its first column stores them. */
function prepareRows(statistics: Matrix, tiling: Tiling): string {
  return `
for (var i = thread; i < ${tileRows(tiling)}u; i += ${threadsOf(tiling)}u) {
  let found = rowStatistics(run.firstRow + min(firstRow + i, run.count - 1u));
  statisticsOfRows[i] = found;
  if (firstColumn == 0u && firstRow + i < run.count) {
    let to = ${statistics.row('run.firstRow + firstRow + i')};
    ${statistics.store4('to', 'vec4f(found, 0.0, 0.0)', '0u')}
  }
}
workgroupBarrier();`;
}

/** (x - mean) / deviation * weight + bias of four rows at one column. */
function normalising(norm: { kind: 'layer' | 'rms'; weight: Matrix; bias: Matrix | null }): Change {
  const read = (vector: Matrix, k: string, single: boolean) => {
    const at = `${vector.row('0u')} + ${k}`;
    return single ? vector.load(at) : vector.load4(at);
  };
  const of = (lane: string, part: string) =>
    [0, 1, 2, 3].map((i) => `statisticsOfRows[${lane} - firstRow + ${i}u].${part}`).join(', ');
  return {
    open: (name, lane) => `let ${name}_mean = vec4f(${of(lane, 'x')});
let ${name}_scale = vec4f(${of(lane, 'y')});`,
    along: (k, single) => `let normWeight = ${read(norm.weight, k, single)};
${norm.bias ? `let normBias = ${read(norm.bias, k, single)};` : ''}`,
    value: (v, name, { pick }) => {
      const normal = norm.kind === 'rms' ? `${v} * ${name}_scale` : `(${v} - ${name}_mean) * ${name}_scale`;
      return `(${normal} * normWeight${pick}${norm.bias ? ` + normBias${pick}` : ''})`;
    },
  };
}
