import { fail, ok, type Result } from '../../src/base/result.ts';
import { Corpus } from '../../src/data/corpus.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { TraceReader } from '../../src/studies/splat/asking/answer-trace.ts';
import { assessSplat, type SplatPace } from '../../src/studies/splat/assess-splat.ts';
import type { SplatAssessment } from '../../src/studies/splat/splat-assessment.ts';
import { traceReaderOf } from '../analyse/trace-reader.ts';
import type { CorpusBuffers } from '../data/protocol.ts';
import type { OpenedModel } from './open-model.ts';
import type { SplatRequest } from './protocol.ts';

/**
 * What an opened model is asked SPLAT's questions with, its own among them. Fails with `not-splat` for models of another
 * notation, and of games without questions.
 */
export function readerOf({ config, notation }: OpenedModel): Result<TraceReader> {
  const reader = traceReaderOf(config, notation);
  if (reader) return ok(reader);
  return fail(
    'not-splat',
    notation.name === 'splat'
      ? 'There are no questions about this game; choose a model of another.'
      : `This model reads ${notation.name.startsWith('rap') ? 'UCI with piece names' : notation.name.toUpperCase()}; SPLAT's questions are asked in its own tokens. Choose a model that was trained with the notation "splat".`,
  );
}

/**
 * The games that distances were asked to but are not these, as the config names them; undefined where nothing is missed:
 * distances to questions of games that a model never learned from say nothing.
 */
export function missedGames(
  config: OpenedModel['config'],
  { distances, manifest }: Pick<SplatRequest, 'distances' | 'manifest'>,
): string | undefined {
  if (!distances || !config?.questions || config.data.manifest === manifest) return undefined;
  return config.data.games;
}

/** SPLAT's assessment of an opened model, with distances only to the games it learned from. Fails with `not-splat`, `not-learned`, and as `assessSplat` does. */
export async function measureSplat(
  engine: Engine,
  { config, about, ...opened }: OpenedModel,
  request: SplatRequest,
  pace: SplatPace,
): Promise<Result<SplatAssessment>> {
  const reader = readerOf({ config, about, ...opened });
  if (!reader.ok) return reader;
  const { domain, notation, questions } = reader.value;
  const strange = request.own.find(({ name }) => !questions.forms.some((form) => form.name === name));
  if (strange)
    return fail(
      'not-learned',
      `This model has never learned the question "${strange.name}"; fine-tune one on it first.`,
    );
  const { train, dev, test } = request.games;
  const distances = request.distances && !missedGames(config, request);
  const asked = { ...request, distances, games: { train: corpusOf(train), dev: corpusOf(dev), test: corpusOf(test) } };
  return assessSplat(engine, { domain, notation, questions, about, config }, asked, pace);
}

const corpusOf = ({ moves, offsets }: CorpusBuffers): Corpus => new Corpus(moves, offsets);
