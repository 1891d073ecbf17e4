import { adamw, common, gpt2, toTheEnd } from './preset-parts.ts';
import type { RunConfig } from './run-config.ts';

/**
 * How a model that has read text learns questions where nobody says otherwise; the model is its own. Demeter and Downey
 * (2021, section 5.2) fine-tune for 25 passes and give neither rate nor batch for GPT-2: the rate is what is usual for
 * fine-tuning it (Radford and Narasimhan 2018, section 4.1: 6.25e-5, warm-up over 0.2% of the steps), the batch small
 * enough for the logits of its vocabulary. A beginning for Legal Verbs takes some twenty passes of the model, so few are
 * asked.
 */
export const TEXT_TUNING: RunConfig = {
  ...common,
  notation: 'text',
  model: { ...gpt2, layers: 12, width: 768, heads: 12, context: 1024, dropout: 0.1 },
  optimizer: { ...adamw, learningRate: 6.25e-5 },
  schedule: { ...toTheEnd, epochs: 25, steps: 20_000, warmup: 0.002, floor: 0 },
  batch: 8,
  evaluation: { every: 500, games: 5, instances: 10 },
  checkpointEvery: 500,
};

/**
 * How a model whose tokens are whole moves goes on learning games where nobody says otherwise: the rate as for text, the
 * batch larger, since a game is as many tokens as it has moves.
 */
export const MOVES_TUNING: RunConfig = {
  ...TEXT_TUNING,
  notation: 'moves',
  schedule: { ...TEXT_TUNING.schedule, epochs: 1 },
  batch: 32,
  evaluation: { every: 500, games: 50, instances: 100 },
};
