import { sortedJson } from '../../session/runs/same-run.ts';
import { SHIPPED_NAMES } from '../../session/shipped-files.ts';
import type { RunRecord } from '../../../../workers/train/protocol.ts';
import { bringsTokens } from '../../../config/brought-tokens.ts';
import { startOf, type RunConfig } from '../../../config/run-config.ts';
import type { ShippedId } from '../../../config/shipped-ids.ts';
import { MOVES_TUNING, TEXT_TUNING } from '../../../config/text-tuning.ts';
import { haveSameTokens } from '../../../domains/domains.ts';
import { TEXT } from '../../../domains/text-notation.ts';
import type { ExperimentState } from '../../session/experiment/experiment.svelte.ts';

/** What is needed of the form here. */
type Form = Pick<ExperimentState, 'config' | 'problem' | 'set'>;

/** A model whose weights a run may begin with. */
export interface Start {
  /** As the config's `from`. */
  id: string;
  name: string;
  /** "Medium, 2,000 steps". */
  label: string;
  notation: string;
  model: RunConfig['model'];
  /** Tokens of a model that brings its own. */
  rows?: number;
}

/**
 * The models whose weights a run may begin with: the lab's own, those that were opened, and the runs of this device that
 * read the same game in the same tokens, newest first.
 */
export function startsOf(
  { domain, notation }: Pick<RunConfig, 'domain' | 'notation'>,
  runs: readonly Pick<RunRecord, 'id' | 'name' | 'step' | 'config'>[],
  shipped: { id: ShippedId; config: RunConfig } | null,
  opened: readonly { id: string; name: string; config: RunConfig; tokens?: { rows: number } }[] = [],
): Start[] {
  const fits = (config: RunConfig): boolean => config.domain === domain && config.notation === notation;
  // A model with the same tokens brings its notation along.
  const isNear = (config: RunConfig): boolean => haveSameTokens(config, { domain, notation });
  // One that brings its tokens brings its notation too; text may be of any game.
  const isOpen = (config: RunConfig): boolean =>
    bringsTokens(config) ? config.notation === TEXT || config.domain === domain : isNear(config);
  const starts: Start[] = runs
    .filter(({ config, step }) => fits(config) && step > 0)
    .map(({ id, name, step, config }) => {
      const asked = config.questions === null ? '' : ', which has learned questions';
      const label = `${name}, ${step.toLocaleString('en-GB')} steps${asked}`;
      return { id, name, label, notation, model: config.model, rows: startOf(config)?.rows };
    });
  for (const { id, name, config, tokens } of opened)
    if (isOpen(config)) {
      const { notation, model } = config;
      starts.unshift({ id, name, label: `${name} (opened)`, notation, model, rows: tokens?.rows });
    }
  if (shipped !== null && isNear(shipped.config)) {
    const { notation, model } = shipped.config;
    const name = SHIPPED_NAMES[shipped.id];
    starts.unshift({ id: shipped.id, name, label: `${name}, which comes with the lab`, notation, model });
  }
  return starts;
}

/** Why a run cannot begin as the form says, or null: its weights are gone, or are those of another model. */
export function startProblem(config: RunConfig, starts: readonly Start[]): string | null {
  const from = startOf(config);
  if (from === null)
    return bringsTokens(config)
      ? `Models of the notation “${config.notation}” bring their own tokens: open such a model and choose it here, or choose another notation.`
      : null;
  const start = starts.find(({ id }) => id === from.id);
  if (start === undefined) return `${from.name} is not on this device; choose another start, or open it again.`;
  if (sortedJson(start.model) === sortedJson(config.model)) return null;
  return `The model’s settings are no longer those of ${start.name}, so that its weights do not fit.`;
}

/**
 * Takes a start, and with it the model whose weights it has; null is random weights, and the model stays. On questions
 * the run goes on from a model to its last step and ends with its last weights: perplexity there is of whole games, and
 * says nothing of questions.
 */
export function chooseStart(experiment: Form, start: Start | null): void {
  const { questions } = experiment.config;
  const from = start && { id: start.id, name: start.name, ...(start.rows ? { rows: start.rows } : {}) };
  if (start !== null && bringsTokens(start)) {
    // Such a notation goes with such a model alone.
    experiment.set('model', start.model);
    experiment.set('objective', 'next');
    // The rates of a new model would undo what this one has learned.
    const { optimizer, batch } = start.notation === TEXT ? TEXT_TUNING : MOVES_TUNING;
    experiment.set('optimizer', optimizer);
    experiment.set('batch', batch);
  }
  if (start !== null && start.notation !== experiment.config.notation) experiment.set('notation', start.notation);
  if (questions === null) experiment.set('from', from ?? undefined);
  else experiment.set('questions', { ...questions, from });
  if (start === null || experiment.problem !== '') return;
  experiment.set('model', start.model);
  const { schedule } = experiment.config;
  if (questions !== null && (schedule.patience !== null || schedule.keep !== 'last'))
    experiment.set('schedule', { ...schedule, patience: null, keep: 'last' });
}
