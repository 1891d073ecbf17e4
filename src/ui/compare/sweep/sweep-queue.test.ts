import { expect, test } from 'vitest';
import type { RunRecord, RunStatus } from '../../../../workers/train/protocol.ts';
import { fail, ok, unwrap, type Failure, type Result } from '../../../base/result.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { expandSweep, parseSweep, usualAssessPlan, type AssessPlan, type SweepRun } from '../../../config/sweep.ts';
import type { Progress } from '../../../studies/asking/measuring.ts';
import type { Rest, SweepEntry } from './sweep-entry.ts';
import { SweepQueue, type SweepLab, type SweepMeasure } from './sweep-queue.ts';

const runsOf = (...seeds: number[]): SweepRun[] =>
  unwrap(expandSweep(unwrap(parseSweep({ version: 1, bases: ['tiny'], steps: 10, seeds })), null));

/** A lab whose runs move when the test says so. */
class FakeLab implements SweepLab {
  arenaActive = false;
  run: { status: RunStatus | 'idle'; active: boolean; record: RunRecord | null } = {
    status: 'idle',
    active: false,
    record: null,
  };
  readonly training = this;
  readonly games = { list: [{ key: 'embedded', hash: 'abc' }] } as unknown as SweepLab['games'];
  records: RunRecord[] | null = [];
  lastFailure: Failure | null = null;
  /** What was asked of it, in order. */
  log: string[] = [];
  queue!: SweepQueue;
  /** Why the next start fails. */
  refusal: Failure | null = null;

  async start(config: RunConfig): Promise<void> {
    this.log.push(`start seed ${config.seed}`);
    const id = `run-${this.records!.length + 1}`;
    const complete = { ...config, data: { ...config.data, manifest: 'abc' } };
    await this.begin({ id, config: complete, step: 0, status: 'preparing' } as RunRecord);
  }
  async resume(record: RunRecord): Promise<void> {
    this.log.push(`resume ${record.id} at ${record.step}`);
    await this.begin(record);
  }
  private async begin(record: RunRecord): Promise<void> {
    this.run = { status: 'preparing', active: true, record: null };
    this.queue.labChanged();
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (this.refusal) {
      this.lastFailure = this.refusal;
      this.refusal = null;
      this.run = { status: 'failed', active: false, record: null };
    } else if (this.run.active) {
      this.records = [record, ...this.records!.filter(({ id }) => id !== record.id)];
      this.run = { status: 'running', active: true, record };
    }
    this.queue.labChanged();
  }
  /** The run comes to rest at a step. */
  async ends(status: RunStatus, step: number, failure: Failure | null = null): Promise<void> {
    const record = { ...this.run.record!, step, status };
    this.records = this.records!.map((run) => (run.id === record.id ? record : run));
    if (failure) this.lastFailure = failure;
    this.run = { status, active: false, record: this.run.record };
    this.queue.labChanged();
    await settle();
  }
  async stop(): Promise<void> {
    this.log.push('stop');
    if (this.run.record === null) this.run = { status: 'idle', active: false, record: null };
    else await this.ends('stopped', 4);
  }
  get notices(): SweepLab['notices'] {
    return { last: this.lastFailure };
  }
  get runs(): SweepLab['runs'] {
    return {
      list: this.records,
      refresh: () => Promise.resolve(),
      dismiss: (id) => void this.log.push(`dismiss ${id}`),
    };
  }
}

class FakeMeasure implements SweepMeasure {
  end: (result: Result<null>) => void = () => {};
  asked: string[] = [];
  assess({ id, config }: RunRecord, _: AssessPlan, onProgress: (progress: Progress) => void): Promise<Result<null>> {
    this.asked.push(`${id} seed ${config.seed}`);
    onProgress({ label: 'Perplexity', share: 0.5 });
    return new Promise((resolve) => (this.end = resolve));
  }
  cancel(): void {
    this.end(fail('cancelled', 'The measurement was stopped.'));
  }
  async done(): Promise<void> {
    this.end(ok(null));
    await settle();
  }
}

function queueOn(
  lab = new FakeLab(),
  stored: { entries: readonly SweepEntry[]; rest: Rest } = { entries: [], rest: '' },
) {
  const measure = new FakeMeasure();
  const saved: { entries: readonly SweepEntry[]; rest: Rest }[] = [];
  const queue = new SweepQueue(lab, measure, stored, {
    change: () => saved.push(structuredClone({ entries: queue.entries, rest: queue.rest })),
    progress: () => {},
    assessed: () => {},
  });
  lab.queue = queue;
  void queue.work();
  let ids = 0;
  const add = async (runs: SweepRun[]) => {
    queue.add(runs, usualAssessPlan, () => `entry-${++ids}`);
    await settle();
  };
  const states = () => queue.entries.map(({ status }) => status).join(' ');
  return { lab, measure, queue, saved, add, states };
}

/** Longer than any chain of promises here. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 15));

test('runs are trained one after another and each is assessed before the next', async () => {
  const { lab, measure, queue, add, states } = queueOn();
  await add(runsOf(1, 2));
  expect(states()).toBe('training waiting');
  await lab.ends('finished', 10);
  expect(states()).toBe('measuring waiting');
  expect(queue.progress).toEqual({ label: 'Perplexity', share: 0.5 });
  expect(lab.log).toEqual(['start seed 1']);
  await measure.done();
  await settle();
  expect(states()).toBe('assessed training');
  await lab.ends('finished', 10);
  await measure.done();
  expect(states()).toBe('assessed assessed');
  expect(lab.log).toEqual(['start seed 1', 'start seed 2']);
  expect(measure.asked).toEqual(['run-1 seed 1', 'run-2 seed 2']);
  queue.clear();
  expect(queue.entries).toEqual([]);
});

test('the queue waits while two models are trained in the arena', async () => {
  const { lab, queue, add, states } = queueOn();
  lab.arenaActive = true;
  await add(runsOf(1));
  expect(states()).toBe('waiting');
  lab.arenaActive = false;
  queue.labChanged();
  await settle();
  expect(states()).toBe('training');
});

test('after a reload the run that was cut off goes on from its checkpoint, and a measurement begins again', async () => {
  const first = queueOn();
  await first.add(runsOf(1, 2));
  const stored = first.saved.at(-1)!;
  expect(stored.entries[0]).toMatchObject({ status: 'training', run: 'run-1' });

  const reloaded = new FakeLab();
  reloaded.records = null;
  const second = queueOn(reloaded, stored);
  await settle();
  expect(reloaded.log).toEqual(['dismiss run-1']);
  reloaded.records = [{ ...first.lab.records![0], step: 6, status: 'interrupted' }];
  second.queue.labChanged();
  await settle();
  expect(reloaded.log).toEqual(['dismiss run-1', 'resume run-1 at 6']);
  await reloaded.ends('finished', 10);
  expect(second.states()).toBe('measuring waiting');

  const again = new FakeLab();
  again.records = reloaded.records;
  const third = queueOn(again, second.saved.at(-1)!);
  await settle();
  expect(again.log).toEqual(['dismiss run-1']);
  expect(third.measure.asked).toEqual(['run-1 seed 1']);
  await third.measure.done();
  await settle();
  expect(again.log).toEqual(['dismiss run-1', 'start seed 2']);
});

test('a run that a person started goes first', async () => {
  const { lab, queue, add, states } = queueOn();
  lab.run = { status: 'running', active: true, record: { id: 'mine', config: {}, step: 0 } as RunRecord };
  await add(runsOf(1));
  expect(states()).toBe('waiting');
  lab.run = { ...lab.run, status: 'stopped', active: false };
  queue.labChanged();
  await settle();
  expect(states()).toBe('training');
});

test('stopping a run by hand rests the queue, and it goes on from there when told', async () => {
  const { lab, queue, add, states } = queueOn();
  await add(runsOf(1, 2));
  await lab.stop();
  await settle();
  expect(states()).toBe('waiting waiting');
  expect(queue.rest).toBe('stopped by hand');
  queue.proceed();
  await settle();
  expect(lab.log.at(-1)).toBe('resume run-1 at 4');
});

test('pause stops at a checkpoint or ends the measurement; taking an entry out lets the others go on', async () => {
  const { lab, measure, queue, add, states } = queueOn();
  await add(runsOf(1, 2, 3));
  await queue.pause();
  await settle();
  expect([states(), queue.rest]).toEqual(['waiting waiting waiting', 'paused']);
  queue.proceed();
  await settle();
  await lab.ends('finished', 10);
  expect(states()).toBe('measuring waiting waiting');
  await queue.pause();
  await settle();
  expect(states()).toBe('waiting waiting waiting');
  queue.proceed();
  await settle();
  expect(measure.asked).toEqual(['run-1 seed 1', 'run-1 seed 1']);
  await queue.remove(queue.entries[0].id);
  await settle();
  expect(states()).toBe('training waiting');
  await queue.remove(queue.entries[0].id);
  await settle();
  expect([states(), queue.rest]).toEqual(['training', '']);
  expect(queue.entries[0].config.seed).toBe(3);
});

test('a run taken out while it is prepared is given up', async () => {
  const { lab, queue } = queueOn();
  queue.add(runsOf(1), usualAssessPlan, () => 'one');
  await Promise.resolve();
  expect(lab.run.status).toBe('preparing');
  await queue.remove('one');
  await settle();
  expect(lab.log).toEqual(['start seed 1', 'stop']);
  expect(lab.run.active).toBe(false);
});

test('a run that fails says why and does not keep the others; it can be tried again', async () => {
  const { lab, measure, queue, add, states } = queueOn();
  lab.refusal = { code: 'no-games', message: 'There are no games.' };
  await add(runsOf(1, 2));
  await settle();
  expect(states()).toBe('failed training');
  expect(queue.entries[0].failure).toBe('There are no games.');
  await lab.ends('failed', 4, { code: 'diverged', message: 'The loss is not a number.' });
  expect(queue.entries[1].failure).toBe('The loss is not a number.');
  queue.retry(queue.entries[0].id);
  await settle();
  await lab.ends('finished', 10);
  measure.end(fail('no-held-out-games', 'Nothing to measure with.'));
  await settle();
  expect(queue.entries[0]).toMatchObject({ status: 'failed', failure: 'Nothing to measure with.' });
});

test('a worker that dies is given one more chance', async () => {
  const { lab, queue, add, states } = queueOn();
  await add(runsOf(1));
  await lab.ends('interrupted', 4, { code: 'worker-crashed', message: 'Training stopped unexpectedly.' });
  await settle();
  expect(lab.log.at(-1)).toBe('resume run-1 at 4');
  await lab.ends('interrupted', 4);
  expect(states()).toBe('failed');
  expect(queue.entries[0].failure).toContain('unexpectedly');
});

test('what is trained already is only assessed, on these games alone; what waits already is not queued twice', async () => {
  const { lab, measure, queue, add, states } = queueOn();
  const [done] = runsOf(1);
  const config = { ...done.config, data: { ...done.config.data, manifest: 'abc' } };
  lab.records = [
    {
      id: 'other-games',
      status: 'finished',
      step: 10,
      config: { ...config, data: { ...config.data, manifest: 'old' } },
    } as RunRecord,
    { id: 'done', status: 'finished', step: 10, config } as RunRecord,
  ];
  await add(runsOf(1));
  expect(states()).toBe('measuring');
  expect(measure.asked).toEqual(['done seed 1']);
  await add(runsOf(1, 2));
  expect(queue.entries.map(({ config }) => config.seed)).toEqual([1, 2]);
  expect(lab.log).toEqual([]);
});
