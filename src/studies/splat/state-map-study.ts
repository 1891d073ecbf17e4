import * as v from 'valibot';
import { fail } from '../../base/result.ts';
import { numberSetting } from '../setting-fields.ts';
import type { Study } from '../study.ts';
import { traceReaderOf } from './asking/trace-reader.ts';
import { mapStates, type StateMap } from './state-map.ts';
import { splat } from './study.ts';

const settings = v.object({
  line: v.optional(v.string(), ''),
  from: numberSetting(null, 0, { min: 0, max: 1e6 }),
  to: numberSetting(null, 0, { min: 0, max: 1e6 }),
});

/** Asks for every state variable after each of the events `from` .. `to` of a game in the domain's own text. */
export const stateMap: Study<v.InferOutput<typeof settings>, StateMap> = {
  name: 'state-map',
  title: 'State, event by event',
  source: 'Demeter and Downey 2021, section 5.4',
  description: 'What the model believes of every part of the state, event by event, beside the truth.',
  appliesTo: (model) => splat.appliesTo(model),
  refusal: splat.refusal,
  settings,
  games: null,
  async assess(engine, { config, notation }, _games, request, measuring) {
    const reader = traceReaderOf(config, notation);
    return reader === null ? fail('not-splat', splat.refusal) : mapStates(engine, reader, request, measuring);
  },
  stored: null,
};
