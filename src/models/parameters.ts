import type { Random } from '../base/random.ts';
import { orthogonalRows } from './orthogonal-rows.ts';

/** Named float32 parameters, in the model's own order and under the names of the library it exports to. */
export type NamedArrays = Map<string, { shape: number[]; data: Float32Array }>;

export interface ParameterShape {
  name: string;
  shape: number[];
  /**
   * The deviation of the normal it starts from, the amplitude of the sinusoids of its rows, the deviation of taps from 1
   * at the last of each row and 0 before, or what it is filled with.
   */
  start: { deviation: number } | { sinusoids: number } | { taps: number } | 'ones' | 'zeros' | 'orthogonal';
  /**
   * Drawn and kept with the model, but not learned: no gradient, no update, not counted. Without it the weights would
   * mean nothing, so it travels with them (a buffer in PyTorch's words).
   */
  fixed?: true;
}

/**
 * A matrix that Muon orthogonalises: `rows` x `columns` values of the parameter `name`, element (i, j) at
 * offset + i * stride + j. Matrices that a library keeps glued together (q, k and v; the gates of an LSTM) are several.
 */
export interface MatrixBlock {
  name: string;
  offset: number;
  rows: number;
  columns: number;
  stride: number;
  /** Outputs and inputs of the linear map, whichever way it is laid out: Muon's step is scaled by sqrt(max(1, out / in)). */
  outputs: number;
  inputs: number;
}

/** So many whole rows of a parameter, from an offset on, that lies as nn.Linear's weights do, [outputs, inputs]. */
export const matrix = (name: string, rows: number, columns: number, offset = 0): MatrixBlock => {
  return { name, offset, rows, columns, stride: columns, outputs: rows, inputs: columns };
};

/** The shapes of a layer norm with a bias. */
export const layerNormShapes = (name: string, size: number): ParameterShape[] => [
  { name: `${name}.weight`, shape: [size], start: 'ones' },
  { name: `${name}.bias`, shape: [size], start: 'zeros' },
];

export const sizeOf = (shape: readonly number[]) => shape.reduce((product, side) => product * side, 1);

export function countOf(shapes: readonly ParameterShape[]): number {
  return shapes.reduce((sum, parameter) => sum + sizeOf(parameter.shape), 0);
}

/** Parameters as they start; draws come from `random` in the order of the list. */
export function drawParameters(shapes: readonly ParameterShape[], random: Random): NamedArrays {
  const parameters: NamedArrays = new Map();
  for (const { name, shape, start } of shapes) {
    const data = new Float32Array(sizeOf(shape));
    if (start === 'ones') data.fill(1);
    else if (start === 'zeros') data.fill(0);
    else if (start === 'orthogonal') data.set(orthogonalRows(shape[0], shape[1], random));
    else if ('sinusoids' in start) data.set(sinusoids(shape[0], shape[1], start.sinusoids));
    else if ('taps' in start) {
      const taps = shape.at(-1)!;
      for (let i = 0; i < data.length; i++) data[i] = Number((i + 1) % taps === 0) + start.taps * random.normal();
    } else for (let i = 0; i < data.length; i++) data[i] = start.deviation * random.normal();
    parameters.set(name, { shape: [...shape], data });
  }
  return parameters;
}

/** What is wrong with the names or shapes of `parameters`, in words; null when nothing is. */
export function mismatchOf(shapes: readonly ParameterShape[], parameters: NamedArrays): string | null {
  for (const { name, shape } of shapes) {
    const found = parameters.get(name);
    if (!found) return `${name} is missing`;
    if (found.shape.length !== shape.length || found.shape.some((side, i) => side !== shape[i]))
      return `${name} has shape [${found.shape.join(', ')}] where the model has [${shape.join(', ')}]`;
    if (found.data.length !== sizeOf(shape))
      return `${name} has ${found.data.length} values where its shape needs ${sizeOf(shape)}`;
  }
  if (parameters.size !== shapes.length) {
    const known = new Set(shapes.map((parameter) => parameter.name));
    const extra = [...parameters.keys()].find((name) => !known.has(name));
    return `${extra ?? 'a parameter'} is not a parameter of this model`;
  }
  return null;
}

/** Rows of sines and cosines at wavelengths from 2 pi to 10,000 * 2 pi (Vaswani et al. 2017, section 3.5). */
function sinusoids(rows: number, columns: number, amplitude: number): Float32Array {
  const half = Math.ceil(columns / 2);
  return Float32Array.from({ length: rows * columns }, (_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    const angle = row / 10000 ** ((column % half) / half);
    return amplitude * (column < half ? Math.sin(angle) : Math.cos(angle));
  });
}
