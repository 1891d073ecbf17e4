import type { RunNumbers, RunRecord } from '../../../workers/train/protocol.ts';
import { learnsPieces } from '../../config/objectives.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { notationOf } from '../../domains/domains.ts';
import type { Figure, FigurePoint } from '../../report/table.ts';
import { perplexityUnit } from '../../studies/asking/held-out-perplexity.ts';
import { livePanels } from '../../studies/evaluate-run.ts';
import type { Evaluation } from '../../studies/live.ts';
import { movingMean } from '../chart/moving-mean.ts';
import { operationsOf } from '../../studies/compute/step-cost.ts';
import { scoreTitle } from './score-labels.ts';

/** A run with its numbers. */
export interface RunCurve extends RunNumbers {
  run: RunRecord;
  /** Of its steps, where they were measured. */
  seconds?: number;
}

/** Something that can be drawn of every chosen run. */
export interface Measure {
  /** "loss", "perplexity", or the names of a study and of its score. */
  key: string;
  title: string;
  /** Stands along the axis, where the title is too long for it. */
  short?: string;
  unit: 'percent' | 'plain';
  /** At an evaluation, in the unit; left out for the loss, which every step has. */
  at?: (evaluation: Evaluation) => { y: number; ci95: [number, number] | null } | null;
}

export interface CurveChoice {
  measure: Measure;
  axis: keyof typeof AXES;
  /** Width of the moving mean of the loss, as a share of the run; 0 draws the loss of every step. */
  smoothing: number;
}

/** What curves stand against, and how much of it a run has used in all. */
const AXES = {
  steps: { title: 'step', used: ({ step }: RunCurve) => step },
  tokens: { title: 'tokens', used: ({ tokensSeen }: RunCurve) => tokensSeen },
  flops: {
    title: 'GFLOPs',
    used: ({ run, step, tokensSeen }: RunCurve) => operationsOf(run.config, step, tokensSeen) / 1e9,
  },
  seconds: { title: 'seconds', used: ({ seconds = 0 }: RunCurve) => seconds },
};

/** Points of a curve that are drawn at most. */
const DRAWN = 500;

/** What the runs share: loss, perplexity where it is counted alike, and scores that each of them has. */
export function measuresOf(curves: readonly RunCurve[]): Measure[] {
  const units = new Set(
    curves.map(({ run }) => {
      const notation = notationOf(run.config);
      return notation.ok ? perplexityUnit(notation.value) : 'token';
    }),
  );
  const measures: Measure[] = [{ key: 'loss', title: 'Loss, nats a token', unit: 'plain' }];
  if (units.size === 1)
    measures.push({
      key: 'perplexity',
      title: `Perplexity a ${[...units][0]}`,
      unit: 'plain',
      at: ({ devPerplexity }) => ({ y: devPerplexity, ci95: null }),
    });
  const [first, ...others] = curves.map(scoresOf);
  for (const [key, measure] of first ?? []) if (others.every((scores) => scores.has(key))) measures.push(measure);
  return measures;
}

function scoresOf({ run, evaluations }: RunCurve): Map<string, Measure> {
  const found = new Map<string, Measure>();
  for (const { study, title, views } of livePanels(run.config, null))
    for (const { unit, scores } of views.flatMap(({ charts }) => charts))
      for (const score of scores) {
        const scale = unit === 'share' ? 100 : 1;
        const at: Measure['at'] = (evaluation) => {
          const { mean, ci95 } = evaluation.scores[study]?.[score.name] ?? { mean: null, ci95: null };
          return mean === null ? null : { y: scale * mean, ci95: ci95 && [scale * ci95[0], scale * ci95[1]] };
        };
        if (!evaluations.some(at)) continue;
        const key = `${study} ${score.name}`;
        const short = `${scoreTitle(score)}, ${unit === 'share' ? '%' : unit}`;
        const named = `${title}${title.endsWith('?') ? '' : ':'} ${short}`;
        found.set(key, { key, title: named, short, unit: unit === 'share' ? 'percent' : 'plain', at });
      }
  return found;
}

/** What a run's loss is made of. */
function targetsOf(config: RunConfig): string {
  const { objective, legalWeight, pieceWeight } = config;
  return `${objective} ${objective === 'legal' ? legalWeight : ''} ${learnsPieces(config) ? pieceWeight : ''}`;
}

/** The chosen runs in one figure. */
export function curveFigure(curves: readonly RunCurve[], { measure, axis, smoothing }: CurveChoice): Figure {
  const isLoss = measure.key === 'loss';
  const notations = new Set(curves.map(({ run: { config } }) => `${config.domain} ${config.notation}`));
  const targets = new Set(curves.map(({ run }) => targetsOf(run.config)));
  const { title, used } = AXES[axis];
  const notes = [
    ...(isLoss && targets.size > 1 ? ['Losses of runs that learn towards different targets do not compare.'] : []),
    ...(notations.size > 1 ? ['Losses and perplexities of different notations do not compare.'] : []),
    ...(axis === 'steps' ? [] : [`The ${title} of a step are the mean of its run.`]),
  ];
  return {
    id: `curves-${measure.key.replace(/[^a-z0-9]+/gi, '-')}`,
    title: `${measure.title}${isLoss && smoothing > 0 ? ', moving mean' : ''}`,
    description: notes.join(' '),
    kind: 'lines',
    live: true,
    x: { title, categories: null, includes: [0] },
    y: {
      title: measure.short ?? measure.title,
      logarithmic: measure.key === 'perplexity',
      unit: measure.unit,
      ...(measure.unit === 'percent' ? { includes: [0, 100] } : {}),
    },
    series: curves.map((curve, at) => ({
      name: nameOf(curves, at),
      published: false,
      points: pointsOf(curve, measure, smoothing).map((point) =>
        axis !== 'steps' && curve.step > 0 ? { ...point, x: Math.round((point.x * used(curve)) / curve.step) } : point,
      ),
    })),
    empty: 'None of these runs has been evaluated',
    notes: [],
  };
}

/** Runs of one name are numbered, so that their curves can be told apart. */
function nameOf(curves: readonly RunCurve[], at: number): string {
  const { name } = curves[at].run;
  const before = curves.slice(0, at).filter(({ run }) => run.name === name).length;
  return before === 0 ? name : `${name} (${before + 1})`;
}

function pointsOf({ losses, evaluations }: RunCurve, { at }: Measure, smoothing: number): FigurePoint[] {
  if (!at) return movingMean(losses, smoothing * losses.length, smoothing > 0 ? DRAWN : losses.length);
  return evaluations.flatMap((evaluation) => {
    const value = at(evaluation);
    return value === null ? [] : [{ x: evaluation.step, ...value }];
  });
}
