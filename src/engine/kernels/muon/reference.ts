import type { MatrixBlock } from '../../../models/parameters.ts';
import type { References } from '../reference.ts';

const ITERATIONS = 5;
/** Coefficients of the quintic (Jordan et al. 2024). */
const [A, B, C] = [3.4445, -4.775, 2.0315];

type Matrix = number[][];

export const muonReferences: References<'muon'> = {
  /** @throws where the context has no settings for Muon */
  muon({ weights, gradients, first, norm: [, factor] }, call, { optimizer }) {
    if (!optimizer.muon) throw new Error('muon: no settings');
    const { learningRate, momentum, weightDecay } = optimizer.muon;
    for (const block of call.blocks) {
      const direction = matrixOf(block, (at) => {
        const fresh = (1 - momentum) * factor * gradients[at];
        first[at] = momentum * first[at] + fresh;
        return fresh + momentum * first[at];
      });
      const step = orthogonal(direction);
      const scale = Math.sqrt(Math.max(1, block.outputs / block.inputs));
      matrixOf(block, (at, i, j) => {
        weights[at] = weights[at] * (1 - learningRate * weightDecay) - learningRate * scale * step[i][j];
        return 0;
      });
    }
  },
};

/** Element (i, j) by what `value` says of its place in the arena. */
function matrixOf(
  { offset, rows, columns, stride }: MatrixBlock,
  value: (at: number, i: number, j: number) => number,
): Matrix {
  const matrix: Matrix = [];
  for (let i = 0; i < rows; i++) {
    matrix.push([]);
    for (let j = 0; j < columns; j++) matrix[i].push(value(offset + i * stride + j, i, j));
  }
  return matrix;
}

/** About U V^T of U S V^T, by Newton and Schulz; the shorter side is multiplied with itself. */
function orthogonal(matrix: Matrix): Matrix {
  if (matrix.length > matrix[0].length) return transposed(orthogonal(transposed(matrix)));
  const norm = Math.sqrt(matrix.flat().reduce((sum, value) => sum + value ** 2, 0));
  let x = matrix.map((row) => row.map((value) => value / (norm + 1e-7)));
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const gram = product(x, transposed(x));
    const square = product(gram, gram);
    const bent = gram.map((row, i) => row.map((value, j) => B * value + C * square[i][j]));
    const turned = product(bent, x);
    x = x.map((row, i) => row.map((value, j) => A * value + turned[i][j]));
  }
  return x;
}

function transposed(matrix: Matrix): Matrix {
  return matrix[0].map((_, j) => matrix.map((row) => row[j]));
}

function product(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
}
