import type { RunStarted } from '../../../workers/train/protocol.ts';
import { keep, kept } from './kept.ts';
import type { Services } from './workers.ts';

/** The page knows devices only as the training worker tells of them. */
export type DeviceReport = RunStarted['device'];
export type BackendName = DeviceReport['backend'];
/** What a trial of a way of computing found. */
export type CapabilityFigures = NonNullable<NonNullable<DeviceReport['capabilities']>[number]['figures']>;

/** The device that trains, and the one that a person asked for. */
export class DeviceChoice {
  /** As the training worker found it; null until then. */
  report = $state.raw<DeviceReport | null>(null);
  /** Null leaves the choice to the page. */
  wanted = $state<BackendName | null>(wantedBefore());
  /** What the next run will train on, as far as is known. */
  backend = $derived(this.report?.backend ?? this.wanted ?? 'wasm');

  constructor(private readonly workers: Services) {}

  async refresh(): Promise<void> {
    const report = await this.workers.attempt(() => this.workers.train.device(this.wanted));
    if (report !== null) this.report = report;
  }

  /** Uses this device from the next start on. */
  async want(backend: BackendName | null): Promise<void> {
    this.wanted = backend;
    keep(KEY, backend);
    await this.refresh();
  }
}

const KEY = 'blindfold.device';

/** The device that was last asked for on this machine; null leaves the choice to the page. */
function wantedBefore(): BackendName | null {
  const stored = kept(KEY);
  return stored === 'webgpu' || stored === 'wasm' || stored === 'cpu' ? stored : null;
}
