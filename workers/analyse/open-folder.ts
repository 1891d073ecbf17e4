import { sha256 } from '../../src/base/bytes.ts';
import { inputError, unwrap } from '../../src/base/result.ts';
import { grammarOf, notationOf, tokensOf } from '../../src/domains/domains.ts';
import type { Notation } from '../../src/domains/domain.ts';
import { askable } from '../../src/interchange/agreement.ts';
import { modelFromFiles, WEIGHTS, type ImportedModel } from '../../src/interchange/huggingface.ts';
import {
  parseTrainingRecord,
  TRAINING_RECORD,
  type TrainingRecord,
} from '../../src/interchange/records/training-record.ts';

export interface OpenedFolder extends Pick<ImportedModel, 'model' | 'parameters' | 'learnable'> {
  notation: Notation;
  record: TrainingRecord;
}

/**
 * A shipped model from the files of its folder. Fails as InputError where a file is missing or damaged, and where the weights are
 * not those that the record tells of, as when a cache keeps one of two that belong together.
 */
export async function openFolder(files: Map<string, Uint8Array>): Promise<OpenedFolder> {
  const missing = [WEIGHTS, TRAINING_RECORD].find((name) => !files.has(name));
  if (missing !== undefined) throw inputError('file-missing', `${missing} is missing.`, { file: missing });
  const record = unwrap(parseTrainingRecord(files.get(TRAINING_RECORD)!));
  const imported = unwrap(modelFromFiles(files, grammarOf));
  const notation = unwrap(notationOf(unwrap(askable(imported, tokensOf))));
  if ((await sha256(files.get(WEIGHTS)!)) !== record.weights.sha256)
    throw inputError(
      'weights-changed',
      `${WEIGHTS} does not hold the weights that ${TRAINING_RECORD} tells of; load the page anew without its cache.`,
      { file: WEIGHTS },
    );
  const { model, parameters, learnable } = imported;
  return { model, parameters, learnable, notation, record };
}
