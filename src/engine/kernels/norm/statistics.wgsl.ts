import type { Norm } from '../../plan/plan.ts';
import type { Matrix } from '../../gpu-kit/launch.ts';
import { inside } from '../../gpu-kit/rows.ts';

/**
 * A function rowStatistics(row) -> (mean, 1 / standard deviation) of a whole row by one thread. Sums are of differences
 * from the row's first value, so that a common offset costs no digits.
 * @param columns of x, an expression
 */
export function statisticsFunction(
  x: Matrix,
  { kind, epsilon }: Pick<Norm, 'kind' | 'epsilon'>,
  columns: string,
): string {
  const tail = `let c = whole;
  let v = select(vec4f(), ${x.load4('at + c')} - shift, ${inside(columns)});
  sums += v;
  squares += v * v;`;
  return `
fn rowStatistics(row: u32) -> vec2f {
  let at = ${x.row('row')};
  let shift = ${kind === 'layer' ? x.load('at') : '0.0'};
  var sums = vec4f();
  var squares = vec4f();
  let whole = ${columns} & ~3u;
  for (var c = 0u; c < whole; c += 4u) {
    let v = ${x.load4('at + c')} - shift;
    sums += v;
    squares += v * v;
  }
  ${x.buffer.columns % 4 === 0 ? '' : tail}
  let square = dot(squares, vec4f(1.0)) / f32(${columns});
  ${
    kind === 'layer'
      ? `let off = dot(sums, vec4f(1.0)) / f32(${columns});
  return vec2f(shift + off, inverseSqrt(max(square - off * off, 0.0) + ${epsilon}));`
      : `return vec2f(0.0, inverseSqrt(square + ${epsilon}));`
  }
}`;
}
