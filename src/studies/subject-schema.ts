import * as v from 'valibot';
import { modelKinds } from '../config/model-schema.ts';
import { OBJECTIVES } from '../config/objectives.ts';
import { whole } from './stored-numbers.ts';

/** Which model was assessed, as the tables name it. */
export const SubjectSchema = v.object({
  /** "tiny 2", "the shipped model". */
  name: v.string(),
  kind: v.picklist(modelKinds),
  layers: whole,
  width: whole,
  parameters: whole,
  /** Missing in older assessments and where a kind has none. */
  heads: v.optional(whole),
  dropout: v.optional(v.number()),
  /** Tokens that a token sees, itself included; null sees all before it. */
  window: v.nullable(whole),
  /** "uci", "rap:15", "ap". */
  notation: v.string(),
  objective: v.picklist(OBJECTIVES),
  /** With which it learned what piece moves; missing where it did not. */
  pieceWeight: v.optional(v.number()),
  /** Of what is legal, where it is not the usual one. */
  legalWeight: v.optional(v.number()),
  /** Name of the games it was trained on, and how many there were; null where unknown. */
  games: v.string(),
  trainGames: v.nullable(whole),
  steps: whole,
  /**
   * Most steps of a run that may end sooner, or end with an earlier step's weights, by its scores: seeds of one
   * configuration then differ in `steps`. Null for other runs; absent from assessments made before it was kept.
   */
  planned: v.optional(v.nullable(whole)),
  tokens: v.nullable(whole),
  seed: whole,
  /** How it was fine-tuned on questions (SPLAT); null or missing for models that read games alone. */
  fineTuning: v.optional(
    v.nullable(
      v.object({
        start: v.picklist(['pre-trained weights', 'random weights']),
        /** The model that the weights came from, as the run's config names it; null for random weights. */
        base: v.nullable(v.object({ id: v.string(), name: v.string() })),
        /** How goal questions continue baseball games (src/studies/splat/questions/question.ts). */
        goals: v.picklist(['released', 'corrected']),
      }),
    ),
  ),
  /**
   * How the tokens of a third-party model were matched with its notation's: how many it has, those that it does not
   * have, and how many of its own mean nothing here. Missing for models of the lab.
   */
  vocabulary: v.optional(v.object({ matched: whole, missing: v.array(v.string()), foreign: whole })),
});
export type AssessedModel = v.InferOutput<typeof SubjectSchema>;
