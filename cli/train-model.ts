import { InputError, ok, unwrap } from '../src/base/result.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import type { Notation } from '../src/domains/domain.ts';
import type { Engine } from '../src/engine/engine.ts';
import { modelFolder } from '../src/interchange/huggingface.ts';
import type { TrainingBatches } from '../src/studies/splat/fine-tuning/training-batches.ts';
import { perplexityUnit } from '../src/studies/asking/held-out-perplexity.ts';
import { evaluateRun, livePanels, type RunWatch } from '../src/studies/evaluate-run.ts';
import type { Evaluation } from '../src/studies/live.ts';
import { summaryLine } from '../src/studies/score-summary.ts';
import { evaluationsOf } from '../src/studies/stored-evaluation.ts';
import { encodeCheckpoint, type Checkpoint } from '../src/training/checkpoint.ts';
import { checkpointOf, saveCheckpoint } from '../src/training/checkpoint-store.ts';
import { Curve } from '../src/training/curve.ts';
import { Trainer, type StepEvent } from '../src/training/loop.ts';
import { folderStore } from './folder-store.ts';
import { removeModelBefore, writeModel } from './model-files.ts';
import { report, writeResult } from './node-io.ts';

/** Takes a run's steps, writes its checkpoints and at last its model, prints what came of it, and ends the process. */
export async function trainModel(
  config: RunConfig,
  engine: Engine,
  notation: Notation,
  batches: TrainingBatches,
  watch: RunWatch,
  checkpoint: Checkpoint | null,
  out: string,
): Promise<void> {
  const curve = checkpoint?.curve ?? new Curve();
  let onDisk = checkpoint?.step ?? null;
  let last: StepEvent | null = null;
  let reportedAt = 0;
  const state = async (): Promise<Checkpoint> => ({
    config,
    step: trainer.step,
    tokensSeen: trainer.tokensSeen,
    curve,
    parameters: await engine.parameters(),
    optimizer: await engine.optimizerState(),
    kept: trainer.kept,
    ...(notation.brought ? { tokenizer: notation.brought.files } : {}),
  });
  const score = async (step: number): Promise<void> => {
    const scores = await evaluateRun(engine, watch, { step });
    if (!scores.ok) {
      report(scores.error.message);
      return;
    }
    curve.addEvaluation(scores.value);
    report(evaluationLine(scores.value, config, notation));
  };
  const trainer: Trainer = new Trainer({
    engine,
    batches,
    config,
    curve,
    startStep: checkpoint?.step ?? 0,
    tokensSeen: checkpoint?.tokensSeen ?? 0,
    kept: checkpoint?.kept ?? null,
    clock: () => performance.now(),
    onStep: (event) => {
      last = event;
      if (performance.now() - reportedAt < 5000 && event.step !== config.schedule.steps) return;
      reportedAt = performance.now();
      const left = event.secondsLeft === null ? '' : `, ${timeLeft(event.secondsLeft)} left`;
      report(
        `step ${event.step} of ${config.schedule.steps}, loss ${event.loss.toFixed(3)}, ${event.tokensPerSecond.toFixed(0)} tokens/s${left}`,
      );
    },
    onEvaluate: score,
    saveCheckpoint: async () => {
      const bytes = encodeCheckpoint(await state());
      const saved = await saveCheckpoint(folderStore, out, trainer.step, bytes, trainer.best);
      if (!saved.ok) {
        report(saved.error.message);
        return saved;
      }
      await removeModelBefore(out, trainer.step);
      onDisk = trainer.step;
      return saved;
    },
    restore: async (step) => {
      const best = await checkpointOf(folderStore, out, step);
      if (!best.ok) {
        report(`The weights of step ${step} could not be taken up: ${best.error.message} The last ones are kept.`);
        return best;
      }
      engine.setParameters(best.value.parameters);
      engine.setOptimizerState(best.value.optimizer);
      return ok(undefined);
    },
    yieldToHost: () => new Promise((resolve) => setImmediate(resolve)),
  });
  process.on('SIGINT', () => {
    report('Stopping after this step; go on later with --resume.');
    trainer.stop();
  });
  const end = await trainer.run();
  // A run that diverged has spoilt weights: its checkpoints, which are sound, stay the model of this folder.
  if (end.failure) throw new InputError(end.failure);
  if (end.why !== null) report(`The run is over: ${end.why}.`);
  const step = trainer.kept ?? trainer.step;
  const record = { tokens: notation.vocabulary.tokens, step, evaluations: evaluationsOf(curve) };
  const files = modelFolder(config, await engine.parameters(), record, notation);
  unwrap(await writeModel(out, files, { step, onDisk }));
  const scores = curve.evaluationOf(step);
  if (scores === undefined)
    report(`No perplexity was measured at step ${step}; "blindfold perplexity --model ${out}" measures it.`);
  const finished: StepEvent | null = last;
  writeResult({
    steps: trainer.step,
    tokens: trainer.tokensSeen,
    tokensPerSecond: (finished as StepEvent | null)?.tokensPerSecond ?? null,
    loss: (finished as StepEvent | null)?.loss ?? curve.losses().at(-1) ?? null,
    devPerplexity: scores?.devPerplexity ?? null,
    engine: engine.name,
    device: `${engine.device.backend} (${engine.device.adapter})`,
    ...(trainer.kept === null || trainer.kept === trainer.step ? {} : { kept: trainer.kept }),
  });
  process.exit(0);
}

/** "step 100: dev perplexity 12.3 a move; End legal 60% short, 40% long". */
function evaluationLine(evaluation: Evaluation, config: RunConfig, notation: Notation): string {
  const unit = perplexityUnit(notation.asked ?? notation);
  const perplexity = evaluation.devPerplexity.toFixed(unit === 'move' ? 1 : 2);
  const scores = summaryLine(livePanels(config, null), evaluation);
  return `step ${evaluation.step}: dev perplexity ${perplexity} a ${unit}${scores && `; ${scores}`}`;
}

const timeLeft = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
