import type { Study } from '../study.ts';
import { readsSquares } from '../testbed/reads-squares.ts';
import { whatIf as ask, whatIfSettings, type WhatIfReport, type WhatIfRequest } from './what-if.ts';

/** A move sequence and the same with one thing changed: both boards, and how the model's answers differ. */
export const whatIf: Study<WhatIfRequest, WhatIfReport> = {
  name: 'what-if',
  title: 'What if',
  source: 'Counterfactual prompts; section 5 of Balogh and Jelasity 2026 gives the reason',
  description:
    'The same game with one piece elsewhere: a model that keeps a board answers differently where the rules do, and nowhere else.',
  appliesTo: readsSquares,
  refusal: 'What if is asked of models that write chess moves square by square; choose another model.',
  settings: whatIfSettings,
  games: null,
  assess: (engine, { notation, about }, _games, request, measuring) =>
    ask(engine, notation, request, { ...measuring, step: about.steps }),
  stored: null,
};
