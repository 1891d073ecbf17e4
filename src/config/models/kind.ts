import type * as v from 'valibot';

/** What a model of any kind may be turned into another with (modelOfKind). */
export interface SharedSettings {
  layers: number;
  width: number;
  heads: number;
  context: number;
  dropout: number;
  window: number | null;
  slots: boolean;
  start: 'gpt2' | 'zero-out';
  tied: boolean;
}

type SettingsSchema = v.GenericSchema<unknown, { kind: string }> & { entries: v.ObjectEntries };

/** A kind of model as a config describes it: its settings with bounds, defaults and form, and what people call it. */
export interface KindOfModel<Schema extends SettingsSchema = SettingsSchema> {
  /** "LFM2" */
  title: string;
  /** For lists from which a person chooses who may not know the name. */
  longTitle: string;
  description: string;
  /** Attention to all tokens before, a state that is carried from token to token, or attention made cheaper. */
  family: 'transformer' | 'recurrent' | 'approximate transformer';
  schema: Schema;
  /** Which library opens a folder of its weights; null where none has the kind. */
  library: 'Hugging Face' | 'PyTorch' | null;
  /** The setting by which that library does not compute this model, though it has the kind; null where it does. */
  misfit(model: v.InferOutput<Schema>): { setting: string; why: string } | null;
  /** What the settings, each right by itself, get wrong together; null where they fit. */
  problemOf(model: v.InferOutput<Schema>): string | null;
  /** What a model that is turned into this kind has instead of what it had. */
  adapted(shared: SharedSettings): Partial<v.InferInput<Schema>>;
}

type Entry<Schema extends SettingsSchema> = Pick<KindOfModel<Schema>, 'title' | 'description' | 'family' | 'library'> &
  Partial<KindOfModel<Schema>>;

/** An entry of the list of kinds (model-schema.ts). */
export function kindOfModel<Schema extends SettingsSchema>(schema: Schema, entry: Entry<Schema>): KindOfModel<Schema> {
  return {
    schema,
    longTitle: entry.title,
    misfit: () => null,
    problemOf: () => null,
    adapted: () => ({}),
    ...entry,
  };
}
