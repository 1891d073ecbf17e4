import { equivalence, type EquivalenceAssessment } from '../../../studies/equivalence/study.ts';
import { selfPlay, type SelfPlayAssessment } from '../../../studies/self-play/study.ts';
import { soundness, type SoundnessAssessment } from '../../../studies/soundness/study.ts';
import type { MeasureState } from '../measure.svelte.ts';

const SEED = 1;

/** How sound a model's rules are: games without help, adversaries, and positions reached by two ways. */
export class RulesState {
  /** The set that beginnings and positions are taken from. */
  games = $state('embedded');
  alone = $state({ count: 20, warmUp: 10, plies: 150, temperature: 1 });
  aloneReport = $state.raw<SelfPlayAssessment | null>(null);
  attack = $state({ count: 10, warmUp: 10, plies: 60 });
  attackReport = $state.raw<SoundnessAssessment | null>(null);
  twoWays = $state({ pairs: 30, suffixes: 5, epsilon: 0.01 });
  twoWaysReport = $state.raw<EquivalenceAssessment | null>(null);
  readonly #measure: MeasureState;

  constructor(measure: MeasureState) {
    this.#measure = measure;
  }

  forget(): void {
    this.aloneReport = this.attackReport = this.twoWaysReport = null;
  }

  async playAlone(): Promise<void> {
    const settings = { ...$state.snapshot(this.alone), seed: SEED };
    this.aloneReport = (await this.#measure.ask(selfPlay, settings, this.games))?.answer ?? this.aloneReport;
  }

  async runAttack(): Promise<void> {
    const settings = { ...$state.snapshot(this.attack), seed: SEED };
    this.attackReport = (await this.#measure.ask(soundness, settings, this.games))?.answer ?? this.attackReport;
  }

  async compareWays(): Promise<void> {
    const settings = { ...$state.snapshot(this.twoWays), seed: SEED };
    this.twoWaysReport = (await this.#measure.ask(equivalence, settings, this.games))?.answer ?? this.twoWaysReport;
  }
}
