import { ok, type Result } from '../../src/base/result.ts';
import { notationOf } from '../../src/domains/domains.ts';
import { parseTrainingRecord } from '../../src/interchange/records/training-record.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { storedStudies } from '../../src/studies/studies.ts';
import { assessedModel } from '../../src/studies/testbed/assess.ts';
import type { StoredRecord } from './protocol.ts';

/**
 * What the record of a shipped model tells of it, as assessments of the studies that its scores are of, made on the day of
 * the record. `name`: as tables name the model.
 */
export function recordedAssessments(name: string, bytes: Uint8Array): Result<StoredRecord[]> {
  const read = parseTrainingRecord(bytes);
  if (!read.ok) return read;
  const { config, training, data, date } = read.value;
  const notation = notationOf(config);
  if (!notation.ok) return notation;
  const { vocabulary, slots } = notation.value;
  const subject = assessedModel(modelOf(config, { size: vocabulary.size, slots }), {
    ...{ name, notation: config.notation, config },
    ...{ steps: training.steps, tokens: training.tokens, trainGames: data.games },
  });
  return ok(
    storedStudies().flatMap((study) => {
      const assessment = study.stored.recorded?.(subject, read.value) as StoredRecord['assessment'] | null | undefined;
      if (!assessment) return [];
      const id = `record of ${config.domain}, ${name}`;
      return [
        {
          ...{ id, study: study.name, run: null, createdAt: Date.parse(date) },
          ...{ asked: { games: '' }, assessment, recorded: true },
        },
      ];
    }),
  );
}
