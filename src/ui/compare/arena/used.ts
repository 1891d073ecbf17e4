import { count, percent, perplexity, roundCount } from '../../kit/format.ts';
import { operationsOf } from '../../session/experiment/estimate.ts';
import type { RunState } from '../../session/runs/run.svelte.ts';
import { modelWords } from '../../session/runs/run-labels.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { parametersOf } from '../../session/experiment/estimate.ts';

/** What a run of an arena is and has used so far, by the headings of a table. */
export function usedBy(
  run: Pick<RunState, 'step' | 'steps' | 'progress' | 'recentLoss' | 'latest'>,
  config: RunConfig,
  seconds: number,
): Record<'Model' | 'Parameters' | 'Steps' | 'Tokens' | 'GFLOPs' | 'Seconds' | 'Loss' | 'Perplexity', string> {
  const tokens = run.progress?.tokens ?? 0;
  const { step, steps, recentLoss, latest } = run;
  return {
    Model: modelWords(config),
    Parameters: count(parametersOf(config)),
    Steps: `${count(step)} of ${count(steps)} (${percent(steps === 0 ? 0 : step / steps)}%)`,
    Tokens: count(tokens),
    GFLOPs: roundCount(Math.round(operationsOf(config, step, tokens) / 1e9)),
    Seconds: seconds.toFixed(1),
    Loss: recentLoss === null ? '–' : recentLoss.toFixed(3),
    Perplexity: latest === null ? '–' : perplexity(latest.devPerplexity),
  };
}
