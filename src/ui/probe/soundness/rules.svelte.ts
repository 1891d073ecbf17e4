import { transferring } from '../../../../workers/wire.ts';
import type { EquivalenceReport } from '../../../studies/equivalence/equivalence.ts';
import type { LegalGamesReport } from '../../../studies/self-play/legal-games.ts';
import type { SoundnessReport } from '../../../studies/soundness/soundness.ts';
import { buffersOf } from '../measured-games.ts';
import type { MeasureState } from '../measure.svelte.ts';

const SEED = 1;

/** How sound a model's rules are: games without help, adversaries, and positions reached by two ways. */
export class RulesState {
  /** The set that beginnings and positions are taken from. */
  games = $state('embedded');
  alone = $state({ count: 20, warmUp: 10, plies: 150, temperature: 1 });
  aloneReport = $state.raw<LegalGamesReport | null>(null);
  attack = $state({ count: 10, warmUp: 10, plies: 60 });
  attackReport = $state.raw<SoundnessReport | null>(null);
  twoWays = $state({ pairs: 30, suffixes: 5, epsilon: 0.01 });
  twoWaysReport = $state.raw<EquivalenceReport | null>(null);
  readonly #measure: MeasureState;

  constructor(measure: MeasureState) {
    this.#measure = measure;
  }

  forget(): void {
    this.aloneReport = this.attackReport = this.twoWaysReport = null;
  }

  async playAlone(): Promise<void> {
    const asked = { ...$state.snapshot(this.alone), seed: SEED };
    const report = await this.#measure.measure('legal games', async (service, onProgress) => {
      const { probe: games } = await this.#measure.games(this.games);
      return service.legalGames(transferring({ games, ...asked }, buffersOf(games)), onProgress);
    });
    if (report !== null) this.aloneReport = report;
  }

  async runAttack(): Promise<void> {
    const asked = { ...$state.snapshot(this.attack), seed: SEED };
    const report = await this.#measure.measure('soundness', async (service, onProgress) => {
      const { probe: games } = await this.#measure.games(this.games);
      return service.soundness(transferring({ games, ...asked }, buffersOf(games)), onProgress);
    });
    if (report !== null) this.attackReport = report;
  }

  async compareWays(): Promise<void> {
    const asked = { ...$state.snapshot(this.twoWays), seed: SEED };
    const report = await this.#measure.measure('equivalence', async (service, onProgress) => {
      const { probe: games } = await this.#measure.games(this.games);
      return service.equivalence(transferring({ games, ...asked }, buffersOf(games)), onProgress);
    });
    if (report !== null) this.twoWaysReport = report;
  }
}
