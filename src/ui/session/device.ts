import type { RunStarted } from '../../../workers/train/protocol.ts';

/** The page knows devices only as the training worker tells of them. */
export type DeviceReport = RunStarted['device'];
export type BackendName = DeviceReport['backend'];
/** What a trial of a way of computing found. */
export type CapabilityFigures = NonNullable<NonNullable<DeviceReport['capabilities']>[number]['figures']>;

const KEY = 'blindfold.device';

/** The device that was last asked for on this machine; null leaves the choice to the page. */
export function wantedBefore(): BackendName | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'webgpu' || kept === 'wasm' || kept === 'cpu' ? kept : null;
  } catch {
    return null;
  }
}

export function keepWanted(backend: BackendName | null): void {
  try {
    if (backend === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, backend);
  } catch {
    // Private windows have no storage; the choice then lasts as long as the page.
  }
}
