import { count, percent, perplexity, roundCount } from '../../kit/format.ts';
import type { RunState } from '../../session/runs/run.svelte.ts';
import { modelLabel } from '../../session/runs/run-labels.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { OPTIMIZERS } from '../../../config/optimizers.ts';
import type { Equal } from '../../../studies/compute/equal-compute.ts';
import { operationsAStep, operationsOf, parametersOf, tokensAStep } from '../../../studies/compute/step-cost.ts';

/** What a run of an arena will be and use; steps, tokens and FLOPs follow from the speed where time is what is equal. */
export function plannedUse(
  config: RunConfig,
  events: number,
  equal: Equal,
): Record<'Model' | 'Optimiser' | 'Parameters' | 'Steps' | 'Tokens' | 'GFLOPs', string> {
  const { steps } = config.schedule;
  const inTime = (text: string): string => (equal === 'seconds' ? 'as its speed allows' : text);
  return {
    Model: modelLabel(config),
    Optimiser: OPTIMIZERS[config.optimizer.kind].title,
    Parameters: count(parametersOf(config)),
    Steps: inTime(count(steps)),
    Tokens: inTime(roundCount(Math.round(steps * tokensAStep(config, events)))),
    GFLOPs: inTime(roundCount(Math.round((steps * operationsAStep(config, events)) / 1e9))),
  };
}

/** What a run of an arena is and has used so far, by the headings of a table. */
export function usedBy(
  run: Pick<RunState, 'step' | 'steps' | 'progress' | 'recentLoss' | 'latest'>,
  config: RunConfig,
  seconds: number,
): Record<'Model' | 'Parameters' | 'Steps' | 'Tokens' | 'GFLOPs' | 'Seconds' | 'Loss' | 'Perplexity', string> {
  const tokens = run.progress?.tokens ?? 0;
  const { step, steps, recentLoss, latest } = run;
  return {
    Model: modelLabel(config),
    Parameters: count(parametersOf(config)),
    Steps: `${count(step)} of ${count(steps)} (${percent(steps === 0 ? 0 : step / steps)}%)`,
    Tokens: count(tokens),
    GFLOPs: roundCount(Math.round(operationsOf(config, step, tokens) / 1e9)),
    Seconds: seconds.toFixed(1),
    Loss: recentLoss === null ? '–' : recentLoss.toFixed(3),
    Perplexity: latest === null ? '–' : perplexity(latest.devPerplexity),
  };
}
