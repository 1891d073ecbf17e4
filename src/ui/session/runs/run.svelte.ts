import type { RunNumbers, RunRecord, RunStarted, RunStatus, TrainEvent } from '../../../../workers/train/protocol.ts';
import type { DeviceReport } from '../device.svelte.ts';
import type { Evaluation, LivePanel } from '../../../studies/live.ts';

type ProgressEvent = Extract<TrainEvent, { kind: 'progress' }>;
type SpeedEvent = Extract<TrainEvent, { kind: 'speed' }>;

const RECENT = 20;

/** The run on the page: where it is, its curve and its scores. */
export class RunState {
  record = $state.raw<RunRecord | null>(null);
  device = $state.raw<DeviceReport | null>(null);
  engine = $state.raw<RunStarted['engine'] | null>(null);
  /** The device's measured best, FLOP/s. */
  peakFlops = $state<number | null>(null);
  speed = $state.raw<SpeedEvent | null>(null);
  status = $state<RunStatus | 'idle'>('idle');
  /** Kernels compiled for a graphics card, of all, while a run is being prepared. */
  compiling = $state.raw<{ done: number; total: number } | null>(null);
  /** The worker's own words for what it is doing. */
  label = $state('');
  /** Why a finished run ended early or with other weights than its last; null where it did not. */
  ending = $state<string | null>(null);
  progress = $state.raw<ProgressEvent | null>(null);
  evaluations = $state.raw<Evaluation[]>([]);
  /** What is drawn of its scores; null until its games have been read. */
  panels = $state.raw<LivePanel[] | null>(null);
  /** Step of the newest checkpoint. */
  savedStep = $state(0);
  /** Steps whose weights are stored to look back at, ascending. */
  snapshots = $state.raw<readonly number[]>([]);
  /** The one of them that the page shows; null where it shows the run as it is now. */
  past = $state<number | null>(null);
  /** Whether the page has opened the run to look at it, without training it. */
  stored = $state(false);
  /** Steps whose loss is known; `losses` grows in place, so this is what views depend on. */
  lossCount = $state(0);
  #losses = new Float32Array(1024);
  /** First step told of by an event since the run was prepared. */
  #firstStep: number | null = null;

  step = $derived(this.progress?.step ?? this.record?.step ?? 0);
  steps = $derived(this.progress?.steps ?? this.record?.config.schedule.steps ?? 0);
  active = $derived(this.status === 'preparing' || this.status === 'running' || this.status === 'paused');
  latest = $derived(this.evaluations.at(-1) ?? null);
  /** The evaluations up to the step that the page shows. */
  evaluationsShown = $derived.by(() => {
    const { past } = this;
    return past === null ? this.evaluations : this.evaluations.filter(({ step }) => step <= past);
  });

  /** Losses of steps 1 .. lossCount. */
  get losses(): Float32Array {
    return this.#losses.subarray(0, this.lossCount);
  }

  /** Mean loss of the last steps, or null before the first. */
  get recentLoss(): number | null {
    return this.lossBefore(this.lossCount);
  }

  /** The same at the step that the page shows. */
  get lossShown(): number | null {
    return this.lossBefore(this.past ?? this.lossCount);
  }

  private lossBefore(step: number): number | null {
    const losses = this.losses.subarray(0, step).subarray(-RECENT);
    return losses.length === 0 ? null : losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  }

  /** Empties the page for a run that is being prepared. */
  prepare(text: string): void {
    this.record = null;
    this.status = 'preparing';
    this.label = text;
    this.compiling = null;
    this.ending = null;
    this.progress = null;
    this.engine = null;
    this.peakFlops = null;
    this.speed = null;
    this.evaluations = [];
    this.panels = null;
    this.snapshots = [];
    this.past = null;
    this.stored = false;
    this.lossCount = 0;
    this.savedStep = 0;
    this.#firstStep = null;
  }

  /** Empties the page of a run that is over. */
  clear(): void {
    this.prepare('');
    this.status = 'idle';
  }

  /** Shows a run of this device as its newest checkpoint has it. */
  show(record: RunRecord, { step, losses, evaluations }: RunNumbers): void {
    this.prepare('');
    this.record = { ...record, step };
    this.status = record.status;
    this.ending = record.ending ?? null;
    this.savedStep = step;
    this.#write(1, losses);
    this.evaluations = evaluations;
    this.snapshots = record.snapshots ?? [];
    this.stored = true;
  }

  begin({ record, device, engine, peakFlops, losses, evaluations, snapshots }: RunStarted): void {
    this.record = record;
    this.device = device;
    this.engine = engine;
    this.peakFlops = peakFlops;
    this.savedStep = record.step;
    for (const step of snapshots) this.#addSnapshot(step);
    // Events may have come before this answer: they go on where these losses and scores end.
    const seen = this.#firstStep;
    if (seen === null) this.#write(1, losses);
    else this.#losses.set(losses.subarray(0, seen - 1));
    const first = this.evaluations[0]?.step ?? Infinity;
    this.evaluations = [...evaluations.filter((known) => known.step < first), ...this.evaluations];
    if (this.status === 'preparing') this.status = 'running';
  }

  /** The same run from an earlier checkpoint, on a new engine: later losses and scores are forgotten. */
  private rewind(started: RunStarted): void {
    this.progress = null;
    this.speed = null;
    this.#firstStep = null;
    this.evaluations = [];
    this.snapshots = [];
    this.begin(started);
    if (this.past !== null && !this.snapshots.includes(this.past)) this.past = null;
  }

  take(event: TrainEvent): void {
    switch (event.kind) {
      case 'status':
        this.status = event.status;
        this.compiling = null;
        this.label = event.label;
        this.ending = event.ending ?? null;
        break;
      case 'compiling':
        this.compiling = event;
        break;
      case 'progress':
        this.progress = event;
        this.#firstStep ??= event.firstStep;
        this.#write(event.firstStep, event.losses);
        break;
      case 'evaluation':
        this.evaluations = [
          ...this.evaluations.filter((known) => known.step < event.evaluation.step),
          event.evaluation,
        ];
        break;
      case 'checkpoint':
        this.savedStep = event.step;
        break;
      case 'snapshot':
        this.#addSnapshot(event.step);
        break;
      case 'snapshots-cleared':
        this.snapshots = [];
        this.past = null;
        break;
      case 'speed':
        this.speed = event;
        break;
      case 'recovered':
        this.rewind(event.started);
        break;
      case 'notice':
        break;
    }
  }

  #addSnapshot(step: number): void {
    this.snapshots = [...this.snapshots.filter((known) => known !== step), step].sort((a, b) => a - b);
  }

  #write(firstStep: number, losses: Float32Array): void {
    const end = firstStep - 1 + losses.length;
    if (end > this.#losses.length) {
      const grown = new Float32Array(Math.max(end, this.#losses.length * 2));
      grown.set(this.#losses);
      this.#losses = grown;
    }
    this.#losses.set(losses, firstStep - 1);
    this.lossCount = end;
  }
}
