import type { RunNumbers, RunRecord } from '../../../workers/train/protocol.ts';
import { csvLines } from '../../report/csv.ts';

/** All numbers of a run as one file: its row, its settings, the loss of every step and every evaluation. */
export function numbersJson({ config, sketch: _, ...record }: RunRecord, numbers: RunNumbers): string {
  const { step, tokensSeen, losses, evaluations } = numbers;
  const curve = { step, tokensSeen, firstStep: 1, losses: [...losses] };
  return `${JSON.stringify({ format: 'blindfold-run-numbers', version: 1, record, config, curve, evaluations }, null, 1)}\n`;
}

/** The curve as CSV, a step a line: its loss, and where it was evaluated the perplexity and the mean of every score. */
export function numbersCsv({ losses, evaluations }: RunNumbers): string {
  const scores = new Map<string, readonly [study: string, name: string]>();
  for (const { scores: found } of evaluations)
    for (const [study, named] of Object.entries(found))
      for (const name of Object.keys(named)) scores.set(`${study} ${name}`, [study, name]);
  const byStep = new Map(evaluations.map((evaluation) => [evaluation.step, evaluation]));
  const steps = [...new Set([...byStep.keys(), ...Array.from(losses, (_, i) => i + 1)])].sort((a, b) => a - b);
  return csvLines([
    ['step', 'loss', 'perplexity', ...scores.keys()],
    ...steps.map((step) => {
      const evaluation = byStep.get(step);
      const means = [...scores.values()].map(([study, name]) => evaluation?.scores[study]?.[name]?.mean ?? '');
      return [step, losses[step - 1] ?? '', evaluation?.devPerplexity ?? '', ...means];
    }),
  ]);
}
