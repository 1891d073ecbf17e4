import { Budget, LIMITS } from '../../src/base/budget.ts';
import { inputError, ok, unwrap } from '../../src/base/result.ts';
import { wholeOf } from '../../src/base/whole-of.ts';
import type { TextTokenizer } from '../../src/base/text-tokenizer.ts';
import { zipMembers } from '../../src/base/zip.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { grammarOf, notationOf } from '../../src/domains/domains.ts';
import type { Notation } from '../../src/domains/domain.ts';
import { askable, finite } from '../../src/interchange/agreement.ts';
import { PRESUMED, withVocabulary } from '../../src/interchange/tokenizers/foreign-vocabulary.ts';
import type { FittedModel } from '../../src/interchange/folder.ts';
import { modelFromFiles, type Files, type ImportedModel } from '../../src/interchange/huggingface.ts';
import { modelVocabulary } from '../../src/interchange/tokenizers/model-vocabulary.ts';
import { storedVocabulary } from '../../src/interchange/tokenizers/stored-vocabulary.ts';
import { readTokenizer } from '../../src/interchange/tokenizers/text-tokenizer.ts';
import { TRAINING_RECORD } from '../../src/interchange/records/training-record.ts';
import { tokenEmbeddingName, type ModelConfig } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { asWholeMoves, type WholeMoves } from '../../src/studies/asking/whole-moves.ts';
import { assessedModel } from '../../src/studies/testbed/assess.ts';
import type { AssessedModel } from '../../src/studies/subject-schema.ts';
import { readSnapshot } from '../../src/training/snapshot-store.ts';
import { newestCheckpoint, type CheckpointStore } from '../../src/training/checkpoint-store.ts';
import { openFolder } from '../analyse/open-folder.ts';
import type { RunList } from '../train/run-list.ts';
import type { MeasuredModel } from './protocol.ts';

export type OpenedModel = OpenedWeights & (OpenedLanguage | OpenedText);

/** A model of games. */
interface OpenedLanguage {
  /** In which it is asked. */
  notation: Notation;
  /** In which it learns, where that is another (asked-in.ts). */
  learned?: Notation;
  config: RunConfig;
}

/** A third-party model, which reads text. */
interface OpenedText {
  tokenizer: TextTokenizer;
}

interface OpenedWeights {
  model: ModelConfig;
  parameters: NamedArrays;
  about: AssessedModel;
  /** The run it comes from; null for models that are none. */
  run: string | null;
  /** Steps of training behind the weights. */
  step: number;
  /** What a run starts from where it is not the model itself. */
  learnable?: FittedModel['learnable'];
}

/** Fails as InputError. A run needs no lock to be read: its newest checkpoint is whole before the one before it goes. */
export function openModel(
  wanted: MeasuredModel,
  { runs, checkpoints, clock }: { runs: RunList; checkpoints: CheckpointStore; clock: () => number },
): Promise<OpenedModel> {
  return wanted.kind === 'run' ? openRun(wanted, runs, checkpoints) : openFiles(wanted.name, wanted.files, clock);
}

async function openRun(
  { id, trainGames = null, step: past = null }: Extract<MeasuredModel, { kind: 'run' }>,
  runs: RunList,
  checkpoints: CheckpointStore,
): Promise<OpenedModel> {
  const record = await runs.get(id);
  if (!record) throw inputError('no-run', 'This run is no longer in the list; choose another model.');
  const found = unwrap(await newestCheckpoint(checkpoints, id));
  if (!found)
    throw inputError('no-checkpoint', `${record.name} has no checkpoint yet; train until the first is written.`);
  const { config, tokensSeen, kept, step: taken, tokenizer, parameters: newest } = found.checkpoint;
  const parameters = unwrap(past === null ? finite(newest, record.name) : await readSnapshot(checkpoints, id, past));
  const step = past ?? kept ?? taken;
  const [rows] = parameters.get(tokenEmbeddingName(config.model.kind))!.shape;
  const language = languageOf(config, new Map(tokenizer), rows);
  const { vocabulary, slots } = language.learned ?? language.notation;
  const model = modelOf(config, { size: vocabulary.size, slots });
  const tokens = past === null ? tokensSeen : null;
  const facts = { name: record.name, notation: config.notation, config, steps: step, tokens, trainGames };
  const about = assessedModel(model, facts);
  return { model, parameters, ...language, about, run: id, step };
}

/** A model from its files, which may be in an archive. Fails as InputError. */
export async function openFiles(
  name: string,
  given: Map<string, Uint8Array>,
  clock: () => number,
): Promise<OpenedModel> {
  const files = await unpacked(given, clock);
  if (files.has(TRAINING_RECORD)) {
    const { model, parameters, learnable, notation, record } = await openFolder(files);
    const { config, training, data } = record;
    const facts = { name, notation: notation.name, config, tokens: training.tokens, trainGames: data.games };
    const about = assessedModel(learnable?.model ?? model, { ...facts, steps: training.steps });
    return { model, parameters, learnable, notation, config, about, run: null, step: training.steps };
  }
  const imported = unwrap(modelFromFiles(files, grammarOf));
  if (imported.config !== null) return fromImport(name, imported, files);
  const vocabulary = unwrap(storedVocabulary(files));
  const known = unwrap(notationOf(PRESUMED));
  const game = withVocabulary(imported, vocabulary, {
    ...PRESUMED,
    tokens: known.vocabulary.tokens,
    spare: known.mutedInEvaluation,
  });
  if (game.ok) {
    const opened = fromImport(name, game.value.model, files);
    const { report } = game.value;
    return { ...opened, about: { ...opened.about, vocabulary: { ...report, foreign: report.foreign.length } } };
  }
  const whole = unwrap(asWholeMoves(imported, vocabulary));
  if (whole !== null) return ofWholeMoves(name, imported, whole, files);
  // Where text cannot be cut into its tokens either, what is missing of the game's says more.
  const read = readTokenizer(files);
  const tokenizer = unwrap(!read.ok && read.error.code === 'no-tokenizer' ? game : read);
  const { model, parameters } = imported;
  const facts = { name, notation: 'text', config: null, steps: 0, tokens: null, trainGames: null };
  return { model, parameters, tokenizer, about: assessedModel(model, facts), run: null, step: 0 };
}

/** A config's notation as a model with these files and so many rows learns it, and as it is asked. */
function languageOf(config: RunConfig, files: Files, rows: number): OpenedLanguage {
  const learned = unwrap(notationOf(config, unwrap(modelVocabulary(config, files, rows))));
  return { config, ...(learned.asked ? { notation: learned.asked, learned } : { notation: learned }) };
}

function ofWholeMoves(
  name: string,
  { model, parameters }: ImportedModel,
  { config, report }: WholeMoves,
  files: Files,
): OpenedModel {
  const language = languageOf(config, files, model.vocabulary);
  const facts = { name, notation: config.notation, config, steps: 0, tokens: null, trainGames: null };
  const vocabulary = { ...report, foreign: report.foreign.length };
  const about = { ...assessedModel(model, facts), vocabulary };
  return { model, parameters, ...language, about, run: null, step: 0 };
}

/** A folder that the Runs page exported, or one checkpoint file. */
function fromImport(name: string, imported: ImportedModel, files: Files): OpenedModel {
  const { model, parameters, learnable, record, tokenizerFiles } = imported;
  const language = languageOf(imported.config!, tokenizerFiles ?? files, model.vocabulary);
  const { tokens } = (language.learned ?? language.notation).vocabulary;
  const config = unwrap(askable(imported, () => ok(tokens)));
  const steps = Number.isSafeInteger(record?.step) ? record!.step : 0;
  const facts = { name, notation: config.notation, config, tokens: null, trainGames: null };
  const about = assessedModel(learnable?.model ?? model, { ...facts, steps });
  return { model, parameters, learnable, ...language, about, run: null, step: steps };
}

/** An archive of a model is in memory twice, packed and unpacked. */
const MODEL_LIMITS = { ...LIMITS, whole: 512e6, unpacked: 512e6 };

/** The files by their last names, those in .zip archives among them. @throws InputError for a damaged archive */
async function unpacked(files: Map<string, Uint8Array>, clock: () => number): Promise<Map<string, Uint8Array>> {
  const all = new Map<string, Uint8Array>();
  for (const [name, bytes] of files) {
    if (!name.toLowerCase().endsWith('.zip')) all.set(lastName(name), bytes);
    else {
      const budget = new Budget(name, MODEL_LIMITS, { clock });
      budget.read(bytes.length);
      for await (const member of zipMembers(once(bytes), name, budget))
        all.set(lastName(member.name), await wholeOf(member.bytes, budget, `${name}: ${member.name}`));
    }
  }
  return all;
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
