import { layersOf, modelKindOf } from '../../src/config/model-schema.ts';
import { TAUGHT } from '../../src/config/objectives.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { domainNamed } from '../../src/domains/domains.ts';

/** "4 x 64, rap:15, seed 1"; kinds other than GPT-2 are named, and the game where it has one notation. */
export function runName({ model, domain, notation, questions, objective, seed }: RunConfig): string {
  const kind = model.kind === 'gpt2' ? '' : `${modelKindOf(model).title} `;
  const towards = TAUGHT[objective] === null ? '' : `, ${TAUGHT[objective]}`;
  const game = domainNamed(domain);
  const reads = game.ok && game.value.notations.length > 1 ? notation : domain;
  const asked = questions === null ? '' : ', questions';
  return `${kind}${layersOf(model)} x ${model.width}, ${reads}${asked}${towards}, seed ${seed}`;
}
