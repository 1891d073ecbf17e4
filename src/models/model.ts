import type { Random } from '../base/random.ts';
import type { ModelKindName } from '../config/model-schema.ts';
import { gpt2 } from './gpt.ts';
import type { ConfigOf, ModelKind } from './kind.ts';
import { lfm2Layout } from './lfm2.ts';
import { lstm } from './lstm.ts';
import { modernKind } from './modern.ts';
import { countOf, drawParameters, mismatchOf, sizeOf } from './parameters.ts';
import type { MatrixBlock, NamedArrays, ParameterShape } from './parameters.ts';
import { performer } from './performer.ts';
import { qwen3Layout } from './qwen3.ts';
import { reformer } from './reformer.ts';

/** Every kind of model that an engine runs. */
export type ModelConfig = { [K in ModelKindName]: ConfigOf<K> }[ModelKindName];

const registry = {
  gpt2,
  qwen3: modernKind(qwen3Layout),
  lfm2: modernKind(lfm2Layout),
  lstm,
  reformer,
  performer,
} as const satisfies { [K in ModelKindName]: ModelKind<ConfigOf<K>> };

/** The kinds that the compiled engines (wasm, webgpu) have; the reference engine runs every one. */
export type CompiledKind = {
  [K in ModelKindName]: (typeof registry)[K]['compiled'] extends true ? K : never;
}[ModelKindName];

const kindOf = (config: ModelConfig) => registry[config.kind] as ModelKind<ModelConfig>;

/** The name of a kind's token embedding [vocabulary, width]. */
export function tokenEmbeddingName(kind: ModelKindName): string {
  return registry[kind].embedding;
}

export function isCompiled(kind: ModelKindName): kind is CompiledKind {
  return registry[kind].compiled;
}

/** A letter a layer, c or a; null for kinds that no layers can be added to. */
export function layerPattern(config: ModelConfig): string | null {
  return kindOf(config).pattern?.(config) ?? null;
}

/** Every parameter with its shape and start, in the order of the library it exports to. */
export function parameterShapes(config: ModelConfig): ParameterShape[] {
  return kindOf(config).shapes(config);
}

/** The matrices that Muon updates where it is the optimiser; AdamW has the rest. */
export function muonMatrices(config: ModelConfig): MatrixBlock[] {
  return kindOf(config).matrices(config);
}

/** Number of trainable parameters, a tied head counted once and what is drawn but not learned left out. */
export function parameterCount(config: ModelConfig): number {
  return countOf(parameterShapes(config).filter((parameter) => !parameter.fixed));
}

export function initialParameters(config: ModelConfig, random: Random): NamedArrays {
  return drawParameters(parameterShapes(config), random);
}

/** What is wrong with the names or shapes of `parameters` for this model, in words; null when nothing is. */
export function parameterMismatch(config: ModelConfig, parameters: NamedArrays): string | null {
  return mismatchOf(parameterShapes(config), parameters);
}

/** Floating-point operations of forward and backward for one token in rows of `columns` tokens. */
export function trainingFlopsPerToken(config: ModelConfig, columns: number = config.context): number {
  return kindOf(config).flops(config, columns);
}

/**
 * Bytes that one training step on `rows` x `columns` tokens needs at its peak in the reference engine, to about a fifth:
 * parameters, two moments and gradients, and either the activations or, for a large model on few tokens, the twelve copies
 * of the largest parameter that its update passes through.
 */
export function estimateMemory(config: ModelConfig, rows: number, columns: number): number {
  const shapes = parameterShapes(config);
  const largest = Math.max(...shapes.map(({ shape }) => sizeOf(shape)));
  return 4 * (4 * countOf(shapes) + Math.max(kindOf(config).activations(config, rows, columns), 12 * largest));
}
