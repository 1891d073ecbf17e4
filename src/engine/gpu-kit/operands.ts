import type { Matrix } from './launch.ts';
import type { Operand } from './matmul.ts';

/** How a matrix is read as an operand; `at` gives the index of a row's first element. */
export interface Source {
  matrix: Pick<Matrix, 'load4' | 'load' | 'vector'>;
  /** Index of the first element of a row of the matrix, a WGSL expression. */
  row: (row: string) => string;
  /** Elements between rows, a WGSL expression. */
  stride: string;
}

const four = [0, 1, 2, 3];

/** What becomes of values as they are read: vectors of four lanes at one k. */
export interface Change {
  /** Declarations that stay along k, for lanes from `lane` on. */
  open?: (name: string, lane: string) => string;
  /** Declarations at k, k + 1, k + 2, k + 3, once for all blocks; where `single`, at k alone. */
  along?: (k: string, single: boolean) => string;
  /** The changed value of the vector `v` at `k`; `pick` picks its step of what `along` declared. */
  value: (v: string, name: string, at: { k: string; pick: string }) => string;
}

const asIs: Change = { value: (v) => v };

const guard = (v: string, k: string) => `select(vec4f(), ${v}, ${k} < depth)`;

/** The four steps of a block of which each of four neighbouring threads has read one, its own. */
const handRound = (name: string, k: string, own: string, guarded: boolean) => {
  const all = four.map((step) => `let ${name}_${step} = subgroupBroadcast(${name}_own, ${step}u);`);
  return `let ${name}_own = ${guarded ? guard(own, `${k} + thread % 4u`) : own};\n${all.join('\n')}`;
};

/**
 * A matrix whose rows are the lanes, k running along them: A stored as it is, or B stored transposed.
 * @param lanes number of rows, an expression; rows past it read the last one again
 * @param shared whether neighbours share what they read; the matrix must then be bound as scalars
 */
export function alongDepth({ matrix, row }: Source, lanes: string, change: Change = asIs, shared = false): Operand {
  return {
    open: (name, lane) => `
${four.map((i) => `let ${name}_at${i} = ${row(`min(${lane} + ${i}u, ${lanes} - 1u)`)}${shared ? ' + thread % 4u' : ''};`).join('\n')}
${change.open?.(name, lane) ?? ''}`,
    along: (k) => change.along?.(shared ? `(${k} + thread % 4u)` : k, shared) ?? '',
    load(name, k, guarded) {
      if (shared) {
        const own = `vec4f(${four.map((i) => matrix.load(`${name}_at${i} + ${k}`)).join(', ')})`;
        const value = change.value(`${name}_read`, name, { k: `(${k} + thread % 4u)`, pick: '' });
        return `let ${name}_read = ${own};\n${handRound(name, k, value, guarded)}`;
      }
      const read = four.map((lane) => `let ${name}_v${lane} = ${matrix.load4(`${name}_at${lane} + ${k}`)};`);
      const turn = four.map((step) => {
        const v = `vec4f(${four.map((i) => `${name}_v${i}[${step}]`).join(', ')})`;
        const value = change.value(v, name, { k: `(${k} + ${step}u)`, pick: `[${step}]` });
        return `let ${name}_${step} = ${guarded ? guard(value, `${k} + ${step}u`) : value};`;
      });
      return [...read, ...turn].join('\n');
    },
  };
}

/** A matrix whose columns are the lanes, k running down its rows: B stored as it is, or A stored transposed. */
export function acrossDepth({ matrix, row, stride }: Source, change: Change = asIs, shared = false): Operand {
  const at = (name: string, k: string) => matrix.load4(`${name}_at + ${k} * ${stride}`);
  return {
    open: (name, lane) => `let ${name}_at = ${row('0u')} + ${lane};\n${change.open?.(name, lane) ?? ''}`,
    along: (k) => change.along?.(k, shared) ?? '',
    load(name, k, guarded) {
      if (shared) {
        const own = `(${k} + thread % 4u)`;
        const value = change.value(`${name}_read`, name, { k: own, pick: '' });
        return `let ${name}_read = ${at(name, own)};\n${handRound(name, k, value, guarded)}`;
      }
      return four
        .map((step) => {
          const own = `(${k} + ${step}u)`;
          const value = change.value(at(name, own), name, { k: own, pick: `[${step}]` });
          return `let ${name}_${step} = ${guarded ? guard(value, own) : value};`;
        })
        .join('\n');
    },
  };
}
