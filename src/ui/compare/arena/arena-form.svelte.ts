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

/** What a budget may be, and what it is at first. */
const AMOUNTS: Readonly<Record<Equal, { usual: number; most: number }>> = {
  tokens: { usual: 1e6, most: 1e12 },
  flops: { usual: 2000, most: 1e12 },
  parameters: { usual: 1e6, most: 1e12 },
  seconds: { usual: 60, most: 1e6 },
};

/** What a budget says, for people. */
export function budgetTitle({ equal, amount }: Budget): string {
  const each = {
    tokens: `${count(amount)} tokens each`,
    flops: `${count(amount)} GFLOPs each`,
    parameters: `equal parameters and ${count(amount)} tokens each`,
    seconds: `${count(amount)} seconds each`,
  };
  return each[equal];
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
  amounts = $state<Record<Equal, number>>({
    ...{ tokens: AMOUNTS.tokens.usual, flops: AMOUNTS.flops.usual },
    ...{ parameters: AMOUNTS.parameters.usual, seconds: AMOUNTS.seconds.usual },
  });
  /** Whether a link has filled it in. */
  linked = $state(false);
  budget = $derived<Budget>({ equal: this.equal, amount: this.amounts[this.equal] });
  most = $derived(AMOUNTS[this.equal].most);
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
    if (equal !== undefined && amount > 0 && amount <= AMOUNTS[equal].most) {
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
