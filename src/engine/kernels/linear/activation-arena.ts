import { bytesOf, padded, type LaunchBuilder } from '../../gpu-kit/launch.ts';
import type { Buffer } from '../../plan/plan.ts';

/**
 * The arena of activations as a launch reads it that goes through many of its buffers by a table. Its elements are vectors
 * of four numbers, sixteen bytes each; where some of its buffers hold halves, eight bytes, and a vector of 32-bit numbers
 * takes two of them. (The arena bound twice, once in each way, is refused: two bindings that may be written must not meet.)
 */
export class ActivationArena {
  readonly name: string;
  private readonly halves: boolean;

  constructor(build: LaunchBuilder, read: readonly Buffer[]) {
    this.halves = read.some(({ half }) => half);
    this.name = build.arena('activation', read).name;
  }

  /** Functions that the expressions below call. */
  get functions(): string {
    if (!this.halves) return '';
    return `
fn wideVector(at: u32) -> vec4f {
  return vec4f(bitcast<vec2f>(${this.name}[at]), bitcast<vec2f>(${this.name}[at + 1u]));
}
fn eitherVector(rowAt: u32, vector: u32, half: bool) -> vec4f {
  if (half) { return unpacked(${this.name}[rowAt + vector]); }
  return wideVector(rowAt + 2u * vector);
}`;
  }

  /** The vector at an index of this arena. */
  vector(at: string, half: boolean): string {
    if (!this.halves) return `${this.name}[${at}]`;
    return half ? `unpacked(${this.name}[${at}])` : `wideVector(${at})`;
  }

  /** A vector of the row at an index, where only the device knows how wide its numbers are: `half` is an expression. */
  eitherVector(rowAt: string, vector: string, half: string): string {
    return this.halves ? `eitherVector(${rowAt}, ${vector}, ${half})` : `${this.name}[${rowAt} + ${vector}]`;
  }

  /** Indices from one vector to the next. */
  step(half: boolean): number {
    return this.halves && !half ? 2 : 1;
  }

  /** For the table: the index at which a buffer begins, that many words into the arena. */
  indexOf(words: number): number {
    return words / this.words;
  }

  /** For the table: indices between rows. */
  strideOf(buffer: Buffer): number {
    return (padded(buffer.columns) * bytesOf(buffer)) / 4 / this.words;
  }

  private get words(): number {
    return this.halves ? 2 : 4;
  }
}
