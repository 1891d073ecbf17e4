import { evaluationsOf } from '../../src/studies/stored-evaluation.ts';
import type { Curve } from '../../src/training/curve.ts';
import type { CurveSketch } from './protocol.ts';

/** Values of a curve that a row of the list holds at most. */
const MOST = 40;

/** A curve in so few numbers that a row of the list can hold them. */
export function sketchOf(curve: Curve): CurveSketch {
  const losses = curve.losses();
  const parts = Math.min(MOST, losses.length);
  const edge = (part: number): number => Math.round((part * losses.length) / parts);
  const all = evaluationsOf(curve);
  const every = Math.max(1, (all.length - 1) / (MOST - 1));
  const count = Math.min(MOST, all.length);
  const few = Array.from({ length: count }, (_, i) => all[Math.round(i * every)]);
  const scores: CurveSketch['scores'] = {};
  for (const [study, last] of Object.entries(few.at(-1)?.scores ?? {})) {
    scores[study] = {};
    for (const name of Object.keys(last))
      scores[study][name] = few.map((evaluation) => evaluation.scores[study]?.[name]?.mean ?? null);
  }
  return {
    losses: Array.from({ length: parts }, (_, part) => mean(losses.subarray(edge(part), edge(part + 1)))),
    steps: few.map(({ step }) => step),
    scores,
  };
}

function mean(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
