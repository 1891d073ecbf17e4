import { trainingThreads } from '../../../../workers/training-threads.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { defaultPreset } from '../../../config/presets.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import {
  expandSweep,
  parseSweep,
  SWEEP_VERSION,
  trainSizes,
  usualAssessPlan,
  type AssessPlan,
  type SweepEqual,
  type SweepRun,
} from '../../../config/sweep.ts';
import { withEqualCompute } from '../../../studies/compute/equal-compute.ts';
import { operationsAStep, stepsOf } from '../../../studies/compute/step-cost.ts';
import { estimateRun } from '../../session/experiment/estimate.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import { learnsSquares } from '../../../studies/testbed/reads-squares.ts';
import { hasSquareBoard } from '../../board/state/square-board.ts';

/** What is known of a sweep before it starts. */
export interface SweepOutlook {
  runs: SweepRun[];
  trainSeconds: number;
  /** Floating-point operations of all training. */
  flops: number;
  measureSeconds: number;
  /** True where this device has trained such models before, so that the times are more than guesses. */
  measured: boolean;
}

/** Mean plies of the prefixes of each range. */
const MEAN_PREFIX = { short: 28, long: 75 } as const;
/** Forward alone, of forward and backward. */
const FORWARD = 1 / 3;

/** The sweep's form as it is being filled in. */
export class SweepForm {
  /** Sweep the settings of the Train page, beside or instead of presets. */
  fromTrainPage = $state(true);
  presets = $state<string[]>([]);
  notations = $state<string[]>(['uci', 'rap:15']);
  objectives = $state<RunConfig['objective'][]>(['next']);
  /** "S, 1000, all"; empty for what each model has. */
  sizes = $state('');
  /** "1, 2, 3". */
  seeds = $state('1');
  length = $state<'as-is' | 'steps' | 'epochs'>('as-is');
  steps = $state(1000);
  epochs = $state(10);
  /** What all runs have as much of as the first. */
  equal = $state<SweepEqual | 'nothing'>('nothing');
  assess = $state<AssessPlan>({ ...usualAssessPlan, ranges: [...usualAssessPlan.ranges] });

  /** The games of the sweep: the Train page's, or the lab's own where that is about a game without a board of squares. */
  gamesOf({ domain, data }: RunConfig): string {
    return hasSquareBoard(domain) ? data.games : defaultPreset.config.data.games;
  }

  /**
   * The runs that the form means.
   * @param trainGames training games of the chosen set; null while they are unknown
   * @param events their mean length
   */
  runs(config: RunConfig, trainGames: number | null, events: number): Result<{ runs: SweepRun[]; assess: AssessPlan }> {
    const bases = [...(this.fromTrainPage && learnsSquares(config) ? [config] : []), ...this.presets];
    if (bases.length === 0) return fail('no-model', 'Tick at least one model; the tables on this page are of chess.');
    const sweep = parseSweep({
      version: SWEEP_VERSION,
      bases,
      games: this.gamesOf(config),
      notations: this.notations,
      objectives: this.objectives,
      limits: listed(this.sizes).map((text) => {
        const size = text.toUpperCase();
        return size === 'ALL' ? null : size in trainSizes ? size : Number(text);
      }),
      seeds: listed(this.seeds).map(Number),
      steps: this.length === 'steps' ? this.steps : null,
      epochs: this.length === 'epochs' ? this.epochs : null,
      equal: this.equal === 'nothing' ? null : this.equal,
      assess: $state.snapshot(this.assess),
    });
    if (!sweep.ok) return sweep;
    const { equal } = sweep.value;
    const expanded = expandSweep(sweep.value, trainGames);
    const runs =
      expanded.ok && equal !== null ? withEqualCompute(expanded.value, equal, { events, count: trainGames }) : expanded;
    return runs.ok ? ok({ runs: runs.value, assess: sweep.value.assess }) : runs;
  }

  /** How long it will take, one run after another. */
  outlook(lab: Lab, runs: SweepRun[], assess: AssessPlan): SweepOutlook {
    let trainSeconds = 0;
    let flops = 0;
    let measureSeconds = 0;
    let measured = true;
    for (const { config } of runs) {
      const { games } = config.data;
      const events = lab.games.meanEvents(games);
      const all = lab.games.named(games)?.splits.train?.games ?? 0;
      const schedule = { ...config.schedule, steps: stepsOf(config, all) };
      const backend = lab.device.backend;
      const estimate = estimateRun({ ...config, schedule }, events, backend, trainingThreads());
      const aGame = estimate.seconds / (schedule.steps * config.batch);
      const prefixes = assess.ranges.reduce((sum, range) => sum + MEAN_PREFIX[range] / events, 0);
      const sources = assess.randomPlay ? 2 : 1;
      trainSeconds += estimate.seconds;
      flops += schedule.steps * operationsAStep(config, events);
      measureSeconds += FORWARD * aGame * (assess.perplexityGames + sources * prefixes * assess.instances);
      measured &&= estimate.measured;
    }
    return { runs, trainSeconds, flops, measureSeconds, measured };
  }
}

function listed(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}
