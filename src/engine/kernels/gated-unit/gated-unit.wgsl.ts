import type { GatedUnit, GatedUnitGradient } from '../../plan/plan.ts';
import { LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import { THREADS, vectorGroups, vectorHead } from '../../gpu-kit/rows.ts';

const opened = `
fn opened(gate: vec4f) -> vec4f {
  return 1.0 / (1.0 + exp(clamp(-gate, vec4f(-80.0), vec4f(80.0))));
}`;

/** GatedUnit (plan.ts). */
export function gatedUnit(call: GatedUnit): Launch {
  const { columns } = call.out;
  const build = new LaunchBuilder();
  const gateUp = build.matrix(call.gateUp, { scalar: columns % 4 !== 0 });
  const out = build.matrix(call.out);
  return build.finish({
    name: 'gated unit',
    functions: opened,
    threads: THREADS,
    body: `${vectorHead(columns)}
let source = ${gateUp.row('row')} + c;
let gate = ${gateUp.load4('source')};
let value = gate * opened(gate) * ${gateUp.load4(`source + ${columns}u`)};
let to = ${out.row('row')} + c;
${out.store4('to', 'value', 'c')}`,
    groups: vectorGroups(columns),
  });
}

/** GatedUnitGradient (plan.ts): silu'(z) = s (1 + z (1 - s)). */
export function gatedUnitGradient(call: GatedUnitGradient): Launch {
  const { columns } = call.dOut;
  const scalar = columns % 4 !== 0;
  const build = new LaunchBuilder();
  const gateUp = build.matrix(call.gateUp, { scalar });
  const dOut = build.matrix(call.dOut);
  const dGateUp = build.matrix(call.dGateUp, { scalar });
  const store = (at: string, value: string) =>
    [0, 1, 2, 3]
      .map((i) => `if (c + ${i}u < ${columns}u) { ${dGateUp.store(`${at} + ${i}u`, `${value}[${i}]`)} }`)
      .join('\n');
  const write = (at: string, value: string) => (scalar ? store(at, value) : dGateUp.store4(at, value, 'c'));
  return build.finish({
    name: 'gated unit gradient',
    functions: opened,
    threads: THREADS,
    body: `${vectorHead(columns)}
let at = ${gateUp.row('row')} + c;
let gate = ${gateUp.load4('at')};
let up = ${gateUp.load4(`at + ${columns}u`)};
let d = ${dOut.load4(`${dOut.row('row')} + c`)};
let open = opened(gate);
let dGate = d * up * open * (1.0 + gate * (1.0 - open));
let dUp = d * gate * open;
${write('at', 'dGate')}
${write(`at + ${columns}u`, 'dUp')}`,
    groups: vectorGroups(columns),
  });
}
