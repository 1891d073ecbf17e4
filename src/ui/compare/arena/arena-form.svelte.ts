import { trainingThreads } from '../../../../workers/training-threads.ts';
import { fail, ok, type Failure, type Result } from '../../../base/result.ts';
import { modelKindOf } from '../../../config/model-schema.ts';
import { defaultPreset, presets } from '../../../config/presets.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { learnsSquares } from '../../../studies/testbed/reads-squares.ts';
import { count } from '../../kit/format.ts';
import { estimateRun } from '../../session/experiment/estimate.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import { configFrom, queryOf } from '../../session/experiment/link.ts';
import { modelLabel } from '../../session/runs/run-labels.ts';
import { EQUALS, type Budget, type Equal } from '../../../studies/compute/equal-compute.ts';
import { paired, planned, type Pair } from './arena-plan.ts';

/** A model that may be on a side. */
export interface ArenaChoice {
  /** As an address says it (session/link.ts). */
  query: string;
  label: string;
}

interface BudgetKind {
  label: string;
  description: string;
  unit: string;
  /** What a budget is at first, and at most. */
  usual: number;
  most: number;
  /** What a budget says. */
  title: (amount: string) => string;
}

/** What both models may have as much of, in the order of the form. */
export const BUDGETS: Readonly<Record<Equal, BudgetKind>> = {
  parameters: {
    label: 'Parameters',
    description:
      'The width of the right model is changed until it has about as many parameters as the left one. Both read the same batches of games in the same order.',
    unit: 'Tokens each',
    ...{ usual: 1e6, most: 1e12 },
    title: (amount) => `equal parameters and ${amount} tokens each`,
  },
  tokens: {
    label: 'Tokens',
    description: 'Both read the same batches of games in the same order. A larger model computes more with each token.',
    unit: 'Tokens each',
    ...{ usual: 1e6, most: 1e12 },
    title: (amount) => `${amount} tokens each`,
  },
  flops: {
    label: 'FLOPs',
    description:
      'Both do as many floating-point operations, counted by the formula of each kind. A smaller model reads more games.',
    unit: 'GFLOPs each',
    ...{ usual: 2000, most: 1e12 },
    title: (amount) => `${amount} GFLOPs each`,
  },
  seconds: {
    label: 'Time',
    description:
      'Both train for the same time on this device. First the speed of each is tried for about a second, because the learning-rate schedule needs the number of steps. The faster model reads more games.',
    unit: 'Seconds each',
    ...{ usual: 60, most: 1e6 },
    title: (amount) => `${amount} seconds each`,
  },
};

/** What a budget says, for people. */
export function budgetTitle({ equal, amount }: Budget): string {
  return BUDGETS[equal].title(count(amount));
}

/** A preset that learns towards something else would be another model here: both sides learn what the left one does. */
const presetChoices: readonly ArenaChoice[] = presets
  .filter(({ config }) => learnsSquares(config) && config.objective === 'next')
  .map(({ name, title }) => ({ query: `preset=${name}`, label: title }));

/** What an arena is to be: two models and a budget, and the link that says the same. */
export class ArenaForm {
  left = $state('preset=nano');
  right = $state('preset=lstm');
  equal = $state<Equal>('parameters');
  /** Those that somebody has chosen. */
  amounts = $state<Partial<Record<Equal, number>>>({});
  /** Whether a link has filled it in. */
  linked = $state(false);
  budget = $derived<Budget>({ equal: this.equal, amount: this.amounts[this.equal] ?? BUDGETS[this.equal].usual });
  /** Both models as they will be trained, but for their length. */
  configs = $derived(paired([configOf(this.left), configOf(this.right)], this.equal));
  link = $derived(
    new URLSearchParams({
      ...{ left: this.left, right: this.right },
      ...{ equal: this.equal, amount: String(this.budget.amount) },
    }).toString(),
  );

  /** The presets, the Train page's settings where such a model can be asked, and what a link has brought. */
  choices(trainPage: RunConfig, query: string): ArenaChoice[] {
    const found = [...presetChoices];
    const add = (choice: ArenaChoice): void => {
      if (found.every((known) => known.query !== choice.query)) found.push(choice);
    };
    if (learnsSquares(trainPage) && query !== '' && trainPage.questions === null)
      add({ query, label: `As on the Train page: ${modelLabel(trainPage)}` });
    for (const side of [this.left, this.right])
      add({ query: side, label: `${this.linked ? 'As in the link' : 'Chosen before'}: ${modelLabel(configOf(side))}` });
    return found;
  }

  /** Takes what an address says; returns what of it could not be taken. */
  open(params: URLSearchParams): Failure[] {
    const sides = { left: params.get('left'), right: params.get('right') };
    if (sides.left === null || sides.right === null) return [];
    const failures: Failure[] = [];
    for (const side of ['left', 'right'] as const) {
      const { preset, config, failures: found } = configFrom(new URLSearchParams(sides[side]!), defaultPreset);
      failures.push(...found);
      if (learnsSquares(config)) this[side] = queryOf(config, preset, defaultPreset) || `preset=${preset.name}`;
      else failures.push({ code: 'link-arena', message: `The ${side} model of the link reads no squares of a board.` });
    }
    const equal = EQUALS.find((known) => known === params.get('equal'));
    const amount = Number(params.get('amount'));
    if (equal !== undefined && amount > 0 && amount <= BUDGETS[equal].most) {
      this.equal = equal;
      this.amounts[equal] = amount;
    } else
      failures.push({
        code: 'link-arena',
        message: 'The link does not say what is equal for both models: tokens, FLOPs, parameters or time.',
      });
    this.linked = true;
    return failures;
  }

  /** The two runs and about how long both take, in seconds; fails where the arena cannot be. */
  outlook(lab: Lab): Result<{ runs: Pair<RunConfig>; events: number; seconds: number; measured: boolean }> {
    if (!this.configs.ok) return this.configs;
    const [left] = this.configs.value;
    const events = lab.games.meanEvents(left.data.games);
    const { games } = left.data;
    if (lab.games.list !== null && lab.games.named(games) === null)
      return fail(
        'no-games',
        `The games that these models would read, “${games}”, are not on this device. Bring them on the Data page, or choose another left model, whose games both read.`,
      );
    const inTime = this.equal === 'seconds';
    // How many steps fit into a time is only known once the speed is measured; the memory of a step is known before.
    const runs = inTime ? this.configs : planned(this.configs.value, this.budget, events);
    if (!runs.ok) return runs;
    const each = runs.value.map((run) => estimateRun(run, events, lab.device.backend, trainingThreads()));
    for (const { memory } of each) if (!memory.ok) return memory;
    if (inTime) return ok({ runs: runs.value, events, seconds: 2 * this.budget.amount, measured: true });
    return ok({
      ...{ runs: runs.value, events },
      seconds: each.reduce((sum, { seconds }) => sum + seconds, 0),
      measured: each.every(({ measured }) => measured),
    });
  }
}

/** The settings that a link's side names. */
function configOf(query: string): RunConfig {
  return configFrom(new URLSearchParams(query), defaultPreset).config;
}

/** What the two are called beside each other: by kind, else by size, else by side. */
export function namesOf(configs: Pair<RunConfig>): Pair<string> {
  const labels = [({ model }: RunConfig): string => modelKindOf(model).title, modelLabel];
  for (const labelOf of labels) {
    const [left, right] = configs.map(labelOf);
    if (left !== right) return [left, right];
  }
  const [same] = configs.map(modelLabel);
  return [`${same} (left)`, `${same} (right)`];
}
