import type { SlotGrammar } from '../base/slot-grammar.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { ModelConfig } from './model.ts';

/**
 * The model that a run's config describes, over the vocabulary and the grammar of its notation.
 * @throws where the config wants slots and the notation has no grammar.
 */
export function modelOf(
  { model }: Pick<RunConfig, 'model'>,
  { size, slots }: { size: number; slots: SlotGrammar | null },
): ModelConfig {
  if (model.slots && slots === null) throw new Error('modelOf: a model with slots needs a grammar');
  return { ...model, vocabulary: size, slots: model.slots ? slots : null };
}
