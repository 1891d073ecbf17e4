import type { Failure } from '../../base/result.ts';
import type { StrengthAssessment } from '../../studies/play/strength-study.ts';
import { MeasureJob } from '../probe/job.svelte.ts';
import { runOf } from '../probe/model-choice.ts';
import { builtInGames } from '../session/experiment/game-setup.ts';
import type { Player } from './game.ts';
import type { PlayState } from './play.svelte.ts';

/** How strong the models of the page are against random moves: one is measured at a time, and each estimate stays. */
export class StrengthState {
  job = $state.raw<MeasureJob | null>(null);
  failures = $state.raw<Partial<Record<string, Failure>>>({});
  found = $state.raw<readonly StrengthAssessment[]>([]);
  readonly #play: PlayState;
  #cancel: (() => void) | null = null;

  constructor(play: PlayState) {
    this.#play = play;
  }

  async measure(player: Player): Promise<void> {
    if (this.job !== null || player === 'you' || player === 'none') return;
    const { lab, temperature, seed } = this.#play;
    const { domain } = lab;
    const model = this.#play.modelOf(player);
    const learned = lab.games.named(runOf(lab, player)?.config.data.games);
    this.failures = {};
    this.#cancel = () => model.cancel();
    const job = (this.job = new MeasureJob('strength'));
    try {
      const found = await model.strength(learned?.key ?? builtInGames(domain), { temperature, seed }, (progress) => {
        if (!job.cancelling) job.take(progress);
      });
      if (domain !== lab.domain) return;
      if (found.ok) this.found = [found.value, ...this.found].slice(0, 4);
      else if (found.error.code !== 'cancelled') this.failures = { strength: found.error };
    } finally {
      this.job = null;
      this.#cancel = null;
    }
  }

  cancel(): void {
    this.job?.cancel();
    this.#cancel?.();
  }
}
