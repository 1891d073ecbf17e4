import { layersOf, modelKindOf } from '../../src/config/model-schema.ts';
import { taughtIn } from '../../src/config/objectives.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { domainNamed } from '../../src/domains/domains.ts';

/** "4 x 64, rap:15, seed 1"; kinds other than GPT-2 are named, and the game where it has one notation. */
export function runName(config: RunConfig): string {
  const { model, domain, notation, questions, objective, seed } = config;
  const kind = model.kind === 'gpt2' ? '' : `${modelKindOf(model).title} `;
  const towards = objective === 'next' ? '' : `, ${taughtIn(config)}`;
  const game = domainNamed(domain);
  const reads = game.ok && game.value.notations.length > 1 ? notation : domain;
  const asked = questions === null ? '' : ', questions';
  return `${kind}${layersOf(model)} x ${model.width}, ${reads}${asked}${towards}, seed ${seed}`;
}
