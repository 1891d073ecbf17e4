import type { Failure } from '../../base/result.ts';
import { defaultPreset, presets, type Preset } from '../../config/presets.ts';
import { parseRunConfig, type RunConfig } from '../../config/run-config.ts';
import { modelOfKind, optimizerOfKind } from './kinds.ts';
import { configFrom, queryOf, withField } from './link.ts';

/** The form on the left: a preset, what was changed in it, and the link that says the same. */
export class ExperimentState {
  preset = $state.raw<Preset>(defaultPreset);
  config = $state.raw<RunConfig>(defaultPreset.config);
  /** Why the last change was not taken. */
  problem = $state('');
  query = $derived(queryOf(this.config, this.preset, defaultPreset));

  /** Takes the experiment from a link; returns what of it could not be taken. */
  open(query: URLSearchParams): Failure[] {
    const { preset, config, failures } = configFrom(query, defaultPreset);
    this.preset = preset;
    this.config = config;
    return failures;
  }

  /** Takes a preset's settings; the chosen games and seed stay. */
  choose(name: string): void {
    const preset = presets.find((candidate) => candidate.name === name);
    if (preset === undefined) return;
    this.preset = preset;
    this.config = { ...preset.config, data: this.config.data, seed: this.config.seed };
    this.problem = '';
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

  /** Changes one field ("model.layers"); a value the schema refuses is told and not taken. */
  set(path: string, value: unknown): void {
    const parsed = parseRunConfig(withField(this.config, path, value));
    if (!parsed.ok) {
      this.problem = parsed.error.message;
      return;
    }
    this.problem = '';
    this.config = parsed.value;
  }

  /** Shows the settings of a run that is resumed. */
  show(config: RunConfig): void {
    this.config = config;
    this.problem = '';
  }
}
