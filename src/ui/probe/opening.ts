import type { MeasuredModel, MeasureService } from '../../../workers/measure/protocol.ts';
import { fail, type Result } from '../../base/result.ts';
import type { AssessedModel } from '../../studies/subject-schema.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { runIdOf, runOf, savedStepOf, type DroppedModel, type ModelChoice } from './model-choice.ts';
import { isShipped } from '../../config/shipped-ids.ts';
import { fetchShippedFiles, SHIPPED_NAMES } from '../session/shipped-files.ts';

/** What is to be opened; `turn` counts the page's choices. */
interface Wanted {
  lab: Lab;
  chosen: ModelChoice;
  turn: number;
  domain: string;
  dropped: DroppedModel | null;
  /** The stored step of a run; null for its newest checkpoint. */
  step?: number | null;
}

interface Opened {
  service: MeasureService;
  key: string;
  turn: number;
  opening: Promise<Result<AssessedModel>>;
}

/** The model in the measuring worker: opened once for each choice, and anew when there is a newer checkpoint to measure. */
export class Opening {
  #opened: Opened | null = null;
  readonly #took: (turn: number, opened: Result<AssessedModel> | null) => void;

  constructor(took: (turn: number, opened: Result<AssessedModel> | null) => void) {
    this.#took = took;
  }

  /** The worker, and the model on its way into it. `fresh`: of a run in training, its newest checkpoint. */
  open(wanted: Wanted, fresh: boolean): { service: MeasureService; opening: Promise<Result<AssessedModel>> } {
    const service = wanted.lab.workers.measure;
    const held = this.#opened;
    const key = keyOf(wanted);
    const current = held !== null && held.service === service && held.turn === wanted.turn;
    if (current && !(fresh && held.key !== key)) return held;
    const opening = measuredModel(wanted).then(async (model) => {
      // The worker keeps what it was asked for last, so files that load slowly must not be asked for after a later choice.
      const result =
        this.#opened === mine ? await wanted.lab.workers.guard(service.open(model), 'measure') : superseded;
      return !result.ok && result.error.code === superseded.error.code ? (this.#opened?.opening ?? result) : result;
    });
    const mine: Opened = (this.#opened = { service, key, turn: wanted.turn, opening });
    const took = (opened: Result<AssessedModel> | null): void => {
      if (this.#opened !== mine) return;
      if (!opened?.ok) this.#opened = null;
      this.#took(mine.turn, opened);
    };
    opening.then(took, () => took(null));
    return mine;
  }
}

/** As the worker says it of a model that was asked for before another. */
const superseded = fail('replaced', 'Another model has been opened meanwhile.');

/** Changes with each checkpoint of a run. */
function keyOf({ lab, chosen, step }: Wanted): string {
  const run = runOf(lab, chosen);
  return run === null ? chosen : `${chosen}@${step ?? savedStepOf(lab, run)}`;
}

/** A chosen model as the measuring worker opens it. */
export async function measuredModel({
  lab,
  chosen,
  domain,
  dropped,
  step = null,
}: Omit<Wanted, 'turn'>): Promise<MeasuredModel> {
  const run = runIdOf(chosen);
  if (run !== null) return { kind: 'run', id: run, trainGames: trainGamesOf(lab, chosen), step };
  if (chosen === 'files' && dropped !== null) return { kind: 'files', name: dropped.name, files: dropped.files };
  const id = isShipped(chosen) ? chosen : 'shipped';
  return { kind: 'files', name: SHIPPED_NAMES[id], files: await fetchShippedFiles(domain, id) };
}

/** How many games the run learns from, where its set is still on this device. */
function trainGamesOf(lab: Lab, chosen: ModelChoice): number | null {
  const data = runOf(lab, chosen)?.config.data;
  const games = lab.games.named(data?.games)?.splits.train?.games;
  return games === undefined ? null : Math.min(games, data?.limit ?? games);
}
