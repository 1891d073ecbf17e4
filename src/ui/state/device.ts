import type { RunRecord, RunStarted } from '../../../workers/train/protocol.ts';

/** The page knows devices only as the training worker tells of them. */
export type BackendName = RunRecord['backend'];
export type DeviceReport = RunStarted['device'];
