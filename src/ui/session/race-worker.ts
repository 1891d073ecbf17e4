import { connect } from '../../../workers/wire.ts';
import type { RaceService } from '../../../workers/race/protocol.ts';

export interface RaceWorker {
  readonly service: RaceService;
  terminate(): void;
}

/** A worker for one race: TensorFlow.js's kernels belong to their thread, and what a race leaves behind goes with it. */
export function connectRace(onCrash: (words: string) => void): RaceWorker {
  const worker = new Worker(new URL('../../../workers/race/race.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    onCrash(event.message || 'its script could not be loaded');
  });
  return { service: connect<RaceService>(worker), terminate: () => worker.terminate() };
}
