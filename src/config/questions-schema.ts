import * as v from 'valibot';
import { count } from './fields.ts';

/** A question that somebody has added to those of a game, asked by one of the vocabulary's spare tokens. */
export const CustomQuestionSchema = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(/^[a-z][a-z0-9 -]{0,39}$/, 'a name has small letters, digits, spaces and dashes, 40 at most'),
  ),
  /** "Q9": a spare indicator of the game's vocabulary. */
  indicator: v.pipe(v.string(), v.regex(/^Q\d{1,3}$/, 'an indicator is Q and a number')),
  /** A function of the state, in the language of src/studies/splat/custom. */
  expression: v.pipe(v.string(), v.minLength(1), v.maxLength(500)),
});
export type CustomQuestion = v.InferOutput<typeof CustomQuestionSchema>;

/** As many as a config holds. */
export const MOST_CUSTOM = 16;
export const CustomQuestionsSchema = v.pipe(
  v.array(CustomQuestionSchema),
  v.maxLength(MOST_CUSTOM, `there may be at most ${MOST_CUSTOM} custom questions`),
);

/**
 * A model whose weights a run begins with: `id` finds it (a run of this device, "shipped", "files:" and a hash of files
 * that were opened, or a folder on the command line), `name` is for people, `rows` are the tokens of a model that brings
 * its own, where the page must know how many before the model is there.
 */
export const StartSchema = v.strictObject({ id: v.string(), name: v.string(), rows: v.optional(count(1, 1_000_000)) });

/** How a model is fine-tuned on questions (Demeter and Downey 2021, sections 4.3 and 5.1). */
export const QuestionsSchema = v.strictObject({
  /** The pre-trained model whose weights it starts from; null: random weights. */
  from: v.nullable(StartSchema),
  /** Questions asked of each game in one pass over the games. */
  perGame: v.optional(count(1, 64), 1),
  /**
   * Questions about the same moment in one line, one behind the other: the authors ask one. A line costs what its verbs
   * cost, so that eight teach nearly eight times as much in the same time.
   */
  perLine: v.optional(count(1, 16), 1),
  /** As the authors' lines continue baseball games in goal questions, or as the games went on. */
  goals: v.optional(v.picklist(['released', 'corrected']), 'released'),
  /** What of a line is learned: every token, as the authors do, or the answer alone. */
  learn: v.optional(v.picklist(['line', 'answer']), 'line'),
  /** Custom questions, beside those of the game. */
  own: v.optional(CustomQuestionsSchema, []),
});
export type QuestionsConfig = v.InferOutput<typeof QuestionsSchema>;
