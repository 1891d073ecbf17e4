import type { Random } from '../base/random.ts';
import { gptMatrices, gptMemory, gptShapes, gptTrainingFlops, tokenEmbedding, type GptConfig } from './gpt.ts';
import {
  lstmMatrices,
  lstmMemory,
  lstmShapes,
  lstmTokenEmbedding,
  lstmTrainingFlops,
  type LstmConfig,
} from './lstm.ts';
import {
  countOf,
  drawParameters,
  mismatchOf,
  sizeOf,
  type MatrixBlock,
  type NamedArrays,
  type ParameterShape,
} from './parameters.ts';
import {
  qwen3Matrices,
  qwen3Memory,
  qwen3Shapes,
  qwen3TrainingFlops,
  qwenTokenEmbedding,
  type Qwen3Config,
} from './qwen3.ts';

/** Every kind of model that an engine runs. */
export type ModelConfig = GptConfig | Qwen3Config | LstmConfig;

/** The name of a kind's token embedding [vocabulary, width]. */
export function tokenEmbeddingName(kind: ModelConfig['kind']): string {
  return { gpt2: tokenEmbedding, qwen3: qwenTokenEmbedding, lstm: lstmTokenEmbedding }[kind];
}

/** Every parameter with its shape and start, in the order of the library it exports to. */
export function parameterShapes(config: ModelConfig): ParameterShape[] {
  if (config.kind === 'gpt2') return gptShapes(config);
  if (config.kind === 'qwen3') return qwen3Shapes(config);
  return lstmShapes(config);
}

/** The matrices that Muon updates where it is the optimiser; AdamW has the rest. */
export function muonMatrices(config: ModelConfig): MatrixBlock[] {
  if (config.kind === 'gpt2') return gptMatrices(config);
  if (config.kind === 'qwen3') return qwen3Matrices(config);
  return lstmMatrices(config);
}

/** Number of trainable parameters, a tied head counted once. */
export function parameterCount(config: ModelConfig): number {
  return countOf(parameterShapes(config));
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
  if (config.kind === 'gpt2') return gptTrainingFlops(config, columns);
  if (config.kind === 'qwen3') return qwen3TrainingFlops(config, columns);
  return lstmTrainingFlops(config);
}

/** Bytes that one training step on `rows` x `columns` tokens needs at its peak in the reference engine, to about a fifth. */
export function estimateMemory(config: ModelConfig, rows: number, columns: number): number {
  const shapes = parameterShapes(config);
  const parameters = countOf(shapes);
  const largest = Math.max(...shapes.map(({ shape }) => sizeOf(shape)));
  if (config.kind === 'gpt2') return gptMemory(config, rows, columns, parameters, largest);
  if (config.kind === 'qwen3') return qwen3Memory(config, rows, columns, parameters, largest);
  return lstmMemory(config, rows, columns, parameters, largest);
}
