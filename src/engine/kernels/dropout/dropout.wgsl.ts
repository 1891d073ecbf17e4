import type { DropoutCall } from '../../plan/plan.ts';
import { LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import { THREADS, vectorGroups, vectorHead } from '../../gpu-kit/rows.ts';
import { maskFunctions, maskOf, maskRow } from './mask.wgsl.ts';

/** DropoutCall (plan.ts). */
export function dropout(call: DropoutCall): Launch {
  const build = new LaunchBuilder();
  const x = build.matrix(call.x);
  const residual = call.residual && build.matrix(call.residual);
  const out = build.matrix(call.out);
  const mask = maskOf(build, call.dropout);
  const { columns } = call.x;
  return build.finish({
    name: 'dropout',
    functions: maskFunctions,
    threads: THREADS,
    body: `${vectorHead(columns)}
let at = ${x.row('row')} + c;
var value = ${x.load4('at')} * ${mask.vector(`${maskRow('n', columns)} + c`)};
${residual ? `value += ${residual.load4('at')};` : ''}
${out.store4('at', 'value', 'c')}`,
    groups: vectorGroups(columns),
  });
}
