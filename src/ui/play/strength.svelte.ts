import { failureOf, type Failure } from '../../base/result.ts';
import type { StrengthAssessment } from '../../studies/play/strength-study.ts';
import { secondsLeft, type MeasureJob } from '../probe/job.ts';
import { runOf } from '../probe/model-choice.ts';
import { builtInGames } from '../session/experiment/game-setup.ts';
import { sentence } from '../kit/format.ts';
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
    const started = performance.now();
    const model = this.#play.modelOf(player);
    const learned = lab.games.named(runOf(lab, player)?.config.data.games);
    this.failures = {};
    this.#cancel = () => model.cancel();
    this.job = { kind: 'strength', label: 'Opening the model', share: null, secondsLeft: null, cancelling: false };
    try {
      const found = await model.strength(
        learned?.key ?? builtInGames(domain),
        { temperature, seed },
        ({ label, share }) => {
          if (this.job === null || this.job.cancelling) return;
          this.job = { ...this.job, label: sentence(label), share, secondsLeft: secondsLeft(started, share) };
        },
      );
      if (domain !== lab.domain) return;
      if (found.ok) this.found = [found.value, ...this.found].slice(0, 4);
      else if (found.error.code !== 'cancelled') this.failures = { strength: found.error };
    } catch (error) {
      this.failures = { strength: failureOf(error) };
    } finally {
      this.job = null;
      this.#cancel = null;
    }
  }

  cancel(): Promise<void> {
    if (this.job !== null) this.job = { ...this.job, label: 'Cancelling', cancelling: true };
    this.#cancel?.();
    return Promise.resolve();
  }
}
