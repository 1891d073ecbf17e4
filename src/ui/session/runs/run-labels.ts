import type { RunRecord } from '../../../../workers/train/protocol.ts';
import { layersOf, modelKindOf } from '../../../config/model-schema.ts';
import { OPTIMIZERS } from '../../../config/optimizers.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { count } from '../../kit/format.ts';

/** "GPT-2 with 4 layers of 64". */
export function modelLabel({ model }: RunConfig): string {
  const layers = layersOf(model);
  return `${modelKindOf(model).longTitle} with ${layers === 1 ? 'one layer' : `${layers} layers`} of ${model.width}`;
}

/** "GPT-2, Muon": what kind of run it is. */
export function runKindLabel({ model, optimizer }: RunConfig): string {
  return `${modelKindOf(model).longTitle}, ${OPTIMIZERS[optimizer.kind].title}`;
}

/** What became of a run that was cut off, after its name: what is kept, and what is lost. */
export function interruptionText({ step, config }: Pick<RunRecord, 'step' | 'config'>): string {
  return step > 0
    ? `was interrupted. Resume goes on from its checkpoint of step ${count(step)} of ${count(config.schedule.steps)}; what it had learned after that is lost.`
    : 'was interrupted before its first checkpoint, so nothing of it is kept. It can only be started again.';
}

/** What the list has to say of a run besides its status; empty where there is nothing. */
export function statusNote({ status, step, ending, restored }: RunRecord): string {
  if (status === 'lost')
    return 'its checkpoints are gone from this browser’s storage, so it cannot go on, be asked or exported';
  if (step === 0 && (status === 'interrupted' || status === 'stopped' || status === 'failed'))
    return 'before its first checkpoint, so nothing of it is kept';
  if (restored) return 'its row was lost or damaged and was made again from its newest checkpoint';
  return ending ?? '';
}
