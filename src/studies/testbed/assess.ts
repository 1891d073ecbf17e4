import { LEGAL_WEIGHT, learnsPieces } from '../../config/objectives.ts';
import { ok, type Result } from '../../base/result.ts';
import { layersOf } from '../../config/model-schema.ts';
import type { QuestionsConfig } from '../../config/questions-schema.ts';
import type { RunConfig } from '../../config/run-config.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { parameterCount, type ModelConfig } from '../../models/model.ts';
import type { AssessedModel } from '../subject-schema.ts';
import type { AssessedSet, Assessment, PerplexityFigure } from './assessment.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import type { Measuring } from '../asking/measuring.ts';
import type { Material } from './material.ts';
import { perplexity } from '../asking/perplexity.ts';
import { prefixRanges } from './prefix-ranges.ts';
import { askTasks, fitsContext, tasksFor } from './tasks.ts';

/**
 * All that the testbed's tables need of one model: perplexity on the held-out games, and its answers to every task that
 * its notation allows, on each set of instances. Instances that its context cannot hold are left out of the sets that
 * come back, so that answers and instances always belong together; a perplexity is null where there are no games that
 * fit. Fails with `cancelled`.
 */
export function assess(
  engine: Engine,
  notation: Notation,
  material: Material,
  options: Measuring & { rowsPerBatch?: number } = {},
): Promise<Result<Pick<Assessment, 'perplexity' | 'sets'>>> {
  const rowsPerBatch = options.rowsPerBatch ?? 8;
  const pause = pauseOf(options);
  const sets = material.sets.map((set) => ({
    ...set,
    instances: set.instances.filter((instance) => fitsContext(instance, notation, engine.model.context)),
  }));
  // A game and an instance cost about one pass each.
  const work = material.dev.length + material.test.length + sets.reduce((sum, set) => sum + set.instances.length, 0);
  let before = 0;
  const tell = (label: string, done: number): void =>
    options.onProgress?.({ label, share: work === 0 ? 1 : (before + done) / work });

  const figureOf = async (games: readonly Uint16Array[]): Promise<PerplexityFigure | null> => {
    const report = await perplexity(engine, games, notation, {
      rowsPerBatch,
      pause,
      onGames: (done) => tell('Perplexity on held-out games', done),
    });
    before += games.length;
    if (!report.ok) return null;
    const { games: fitting, moves, perplexity: value } = report.value;
    return { games: fitting, moves, perplexity: value };
  };

  return endedEarly(async () => {
    await pause();
    const figures = { dev: await figureOf(material.dev), test: await figureOf(material.test) };
    const assessed: AssessedSet[] = [];
    for (const set of sets) {
      const expected = labelOf(set);
      tell(expected, 0);
      const answers = await askTasks(engine, notation, set.instances, {
        tasks: tasksFor(notation),
        rowsPerBatch,
        pause,
        onInstances: (done) => tell(expected, done),
      });
      before += set.instances.length;
      assessed.push({ ...set, answers });
    }
    return ok({ perplexity: figures, sets: assessed });
  });
}

function labelOf({ range, source }: Pick<AssessedSet, 'range' | 'source'>): string {
  const [least, most] = prefixRanges[range];
  const where = source === 'games' ? '' : ' of random play';
  return `Start and end squares after ${least} to ${most} plies${where}`;
}

/** What is known of a model beside its shape. */
export interface ModelFacts {
  /** As tables name it: "tiny 2", "the shipped model". */
  name: string;
  /** The notation that it is asked in. */
  notation: string;
  /** The run it comes from; null for models that do not tell. */
  config: RunConfig | null;
  steps: number;
  /** Tokens read in training, each row's first apart. */
  tokens: number | null;
  /** Games in its training split; null where unknown, unless the config limits them. */
  trainGames: number | null;
}

/** How tables name a model, from its description and what is known of its run. */
export function assessedModel(model: ModelConfig, facts: ModelFacts): AssessedModel {
  const { config } = facts;
  const schedule = config?.schedule;
  return {
    name: facts.name,
    kind: model.kind,
    layers: layersOf(model),
    width: model.width,
    parameters: parameterCount(model),
    ...('heads' in model ? { heads: model.heads } : {}),
    ...('dropout' in model ? { dropout: model.dropout } : {}),
    window: 'window' in model ? model.window : null,
    notation: facts.notation,
    objective: config?.objective ?? 'next',
    ...(config ? weightsOf(config) : {}),
    games: config?.data.games ?? '',
    trainGames: facts.trainGames ?? config?.data.limit ?? null,
    steps: facts.steps,
    planned: schedule && (schedule.patience !== null || schedule.keep === 'best') ? schedule.steps : null,
    tokens: facts.tokens,
    seed: config?.seed ?? 0,
    ...(config?.questions ? { fineTuning: fineTuningOf(config.questions) } : {}),
  };
}

/** The weights of its targets, where they are not the usual ones. */
function weightsOf(config: RunConfig): Pick<AssessedModel, 'pieceWeight' | 'legalWeight'> {
  const { objective, pieceWeight, legalWeight } = config;
  if (learnsPieces(config)) return { pieceWeight };
  return objective === 'legal' && legalWeight !== LEGAL_WEIGHT ? { legalWeight } : {};
}

function fineTuningOf({ from, goals }: QuestionsConfig): AssessedModel['fineTuning'] {
  return { start: from === null ? 'random weights' : 'pre-trained weights', base: from, goals };
}
