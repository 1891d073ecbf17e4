import * as v from 'valibot';
import { modelKinds } from '../config/model-schema.ts';
import { OBJECTIVES } from '../config/objectives.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));

/** An AssessedModel (src/studies/testbed/assessment.ts) as it comes from a file. */
export const SubjectSchema = v.object({
  name: v.string(),
  kind: v.picklist(modelKinds),
  layers: whole,
  width: whole,
  parameters: whole,
  heads: v.optional(whole),
  dropout: v.optional(v.number()),
  window: v.nullable(whole),
  notation: v.string(),
  objective: v.picklist(OBJECTIVES),
  pieceWeight: v.optional(v.number()),
  legalWeight: v.optional(v.number()),
  games: v.string(),
  trainGames: v.nullable(whole),
  steps: whole,
  planned: v.optional(v.nullable(whole)),
  tokens: v.nullable(whole),
  seed: whole,
  fineTuning: v.optional(
    v.nullable(
      v.object({
        start: v.picklist(['pre-trained weights', 'random weights']),
        base: v.nullable(v.object({ id: v.string(), name: v.string() })),
        goals: v.picklist(['released', 'corrected']),
      }),
    ),
  ),
  vocabulary: v.optional(v.object({ matched: whole, missing: v.array(v.string()), foreign: whole })),
});
