import type { Failure } from '../../../base/result.ts';
import { modelOfKind } from '../../../config/model-schema.ts';
import { optimizerOfKind } from '../../../config/optimizers.ts';
import { defaultPreset, presets, type Preset } from '../../../config/presets.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { asksQuestions } from '../../../studies/splat/questions/questions.ts';
import { checkedConfig } from './checked-config.ts';
import type { FittedConfig } from './fitted-config.ts';
import { configFrom, queryOf, withField } from './link.ts';
import { configIn, firstPreset, rememberDomain, rememberedDomain } from './game-setup.ts';

/** The settings: a preset, what was changed in it, and the link that says the same. */
export class ExperimentState {
  preset = $state.raw<Preset>(defaultPreset);
  config = $state.raw<RunConfig>(defaultPreset.config);
  /** Why the last change was not taken. */
  problem = $state('');
  /** Settings that nobody has chosen yet, so that they may follow the device. */
  #initial = $state.raw<RunConfig | null>(defaultPreset.config);
  awaitsFit = $derived(this.config === this.#initial);
  /** What was chosen for the device; whatever is changed afterwards differs from it. */
  #fitted = $state.raw<RunConfig | null>(null);
  isFitted = $derived(this.config === this.#fitted);
  /** Names the preset where settings were chosen, so that another device does not choose its own. */
  query = $derived(queryOf(this.config, this.preset, defaultPreset, !this.awaitsFit));

  /**
   * Takes the experiment from a link, or the game of the last visit; returns what of a link could not be taken.
   * @param linked whether the address names more than a page, so that it is a link also without settings
   */
  open(query: URLSearchParams, linked = false): Failure[] {
    const remembered = query.toString() === '' && !linked ? rememberedDomain() : null;
    if (remembered !== null) {
      this.chooseDomain(remembered);
      return [];
    }
    const { preset, config, failures } = configFrom(query, defaultPreset);
    this.preset = preset;
    this.config = config;
    this.#initial = [...query.keys()].every((key) => key === 'domain') ? config : null;
    return failures;
  }

  /** Takes another game, with its own games, notation and smallest model; the seed stays. */
  chooseDomain(name: string): void {
    this.preset = firstPreset(name);
    this.config = this.#initial = { ...configIn(this.preset, name), seed: this.config.seed };
    this.problem = '';
    rememberDomain(name);
  }

  /** Takes a preset's settings; the game, its chosen games and the seed stay. */
  choose(name: string): void {
    const preset = presets.find((candidate) => candidate.name === name);
    if (preset === undefined) return;
    const { domain, data, seed } = this.config;
    this.preset = preset;
    this.config = { ...configIn(preset, domain), data, seed };
    this.problem = '';
  }

  /** Takes what the device can do in two minutes; the seed stays. */
  fit({ preset, config }: FittedConfig): void {
    this.preset = preset;
    this.config = this.#fitted = { ...config, seed: this.config.seed };
    this.problem = '';
  }

  /** Takes another notation; questions go where none can be asked in it. */
  chooseNotation(name: string): void {
    const { domain, questions } = this.config;
    if (questions !== null && !asksQuestions({ domain, notation: name }))
      this.config = { ...this.config, questions: null };
    this.set('notation', name);
  }

  /** Takes another kind of model; what both kinds have stays. */
  chooseModel(kind: RunConfig['model']['kind']): void {
    this.config = { ...this.config, model: modelOfKind(this.config.model, kind) };
    this.problem = '';
  }

  chooseOptimizer(kind: RunConfig['optimizer']['kind']): void {
    this.config = { ...this.config, optimizer: optimizerOfKind(this.config.optimizer, kind) };
    this.problem = '';
  }

  /** Changes one field ("model.layers"); a value the schema or the game refuses is told and not taken. */
  set(path: string, value: unknown): void {
    const checked = checkedConfig(withField(this.config, path, value));
    if (!checked.ok) {
      this.problem = checked.error.message;
      return;
    }
    this.problem = '';
    this.config = checked.value;
  }

  /** Shows the settings of a run that is resumed, whatever its game. */
  show(config: RunConfig): void {
    if (config.domain !== this.config.domain) {
      this.preset = firstPreset(config.domain);
      rememberDomain(config.domain);
    }
    this.config = config;
    this.problem = '';
  }
}
