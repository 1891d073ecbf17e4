import * as v from 'valibot';
import type { Study } from '../study.ts';
import { readsSquares } from '../testbed/reads-squares.ts';
import { whatIf as ask, type WhatIfReport } from './what-if.ts';

const square = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(63));
const settings = v.object({
  prompt: v.optional(v.string(), ''),
  edit: v.optional(
    v.variant('kind', [
      v.object({ kind: v.literal('remove'), square }),
      v.object({ kind: v.literal('move'), from: square, to: square }),
      v.object({ kind: v.literal('add'), square, piece: v.pipe(v.number(), v.integer()) }),
      v.object({ kind: v.literal('instead'), plies: v.pipe(v.number(), v.integer()), line: v.nullable(v.string()) }),
    ]),
    { kind: 'instead', plies: 1, line: null },
  ),
  legality: v.optional(v.picklist(['rules', 'tokens']), 'rules'),
  seed: v.optional(v.number(), 1),
});

/** A move sequence and the same with one thing changed: both boards, and how the model's answers differ. */
export const whatIf: Study<v.InferOutput<typeof settings>, WhatIfReport> = {
  name: 'what-if',
  title: 'What if',
  source: 'Counterfactual prompts; section 5 of Balogh and Jelasity 2026 gives the reason',
  description:
    'The same game with one piece elsewhere: a model that keeps a board answers differently where the rules do, and nowhere else.',
  appliesTo: readsSquares,
  refusal: 'What if is asked of models that write chess moves square by square; choose another model.',
  settings,
  games: null,
  assess: (engine, { notation, about }, _games, request, measuring) =>
    ask(engine, notation, request, { ...measuring, step: about.steps }, (label, share) =>
      measuring.onProgress?.({ label, share }),
    ),
  stored: null,
};
