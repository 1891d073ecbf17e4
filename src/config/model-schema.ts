import * as v from 'valibot';
import { gpt2 } from './models/gpt2.ts';
import type { KindOfModel } from './models/kind.ts';
import { lfm2 } from './models/lfm2.ts';
import { lstm } from './models/lstm.ts';
import { performer } from './models/performer.ts';
import { qwen3 } from './models/qwen3.ts';
import { reformer } from './models/reformer.ts';

/**
 * The kinds of models, in the order in which the page lists them. Of each, src/models/model.ts lists the shapes,
 * src/engine/runtimes/tfjs/networks/network-of.ts the reference network, src/interchange/huggingface.ts the folder, and, where it is
 * compiled, src/engine/plan/build-plan.ts the plan and src/engine/runtimes/webgpu/trial.ts a small model for trials.
 */
export const MODEL_KINDS = { gpt2, qwen3, lfm2, lstm, reformer, performer } as const;

export type ModelKindName = keyof typeof MODEL_KINDS;
export const modelKinds = Object.keys(MODEL_KINDS) as ModelKindName[];

export const ModelSchema = v.variant(
  'kind',
  Object.values(MODEL_KINDS).map(({ schema }) => schema),
);
export type ModelSettings = v.InferOutput<typeof ModelSchema>;
export type SettingsOf<K extends ModelKindName> = Extract<ModelSettings, { kind: K }>;

/** The entry of a model's kind. */
export const modelKindOf = ({ kind }: { kind: ModelKindName }) => MODEL_KINDS[kind] as KindOfModel;

/** The library that opens a folder of a model's weights, or null. */
export function libraryOf(model: ModelSettings): 'Hugging Face' | 'PyTorch' | null {
  const { library, misfit } = modelKindOf(model);
  return misfit(model) === null ? library : null;
}

/** How many layers a model has. */
export const layersOf = (model: { layers: number } | { pattern: string }): number =>
  'layers' in model ? model.layers : model.pattern.length;

/** What a model's fields, each right by itself, get wrong together; null where they fit. */
export const modelProblemOf = (model: ModelSettings): string | null => modelKindOf(model).problemOf(model);

/** The model as one of another kind: what both have stays, the rest is as usual for the kind. */
export function modelOfKind(model: ModelSettings, kind: ModelKindName): ModelSettings {
  if (model.kind === kind) return model;
  const usual = { heads: usualHeads(model.width), dropout: 0, window: null, start: 'gpt2', tied: true } as const;
  const { width, context, slots } = model;
  const found = { ...usual, ...model } as typeof model & typeof usual;
  const { heads, dropout, window, start, tied } = found;
  const shared = { layers: layersOf(model), width, heads, context, dropout, window, slots, start, tied };
  const { schema, adapted } = MODEL_KINDS[kind] as KindOfModel;
  return v.parse(v.object(schema.entries), { ...shared, ...adapted(shared), kind }) as ModelSettings;
}

/** Heads about 32 wide that divide the width. */
function usualHeads(width: number): number {
  for (let heads = Math.max(1, Math.round(width / 32)); heads > 1; heads--) if (width % heads === 0) return heads;
  return 1;
}
