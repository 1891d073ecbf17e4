import { paperPresets } from './paper-presets.ts';
import { adamw, common, gpt2, muon, quickest, qwen3, toTheEnd, type Preset } from './preset-parts.ts';
import { splatPresets } from './splat-presets.ts';

export type { Preset } from './preset-parts.ts';

/** What keeps better track of the pieces than more steps do (docs/log.md, Learning). */
const named = { notation: 'rap:40', pieceWeight: 0.5 };

const nano = {
  ...quickest,
  ...named,
  model: { ...quickest.model, width: 64, heads: 2, mlp: 64 },
  // A narrower model bears larger steps, and more of them.
  optimizer: { ...quickest.optimizer, learningRate: 0.02, matrixRate: 0.02 },
  schedule: { ...quickest.schedule, steps: 3000 },
  batch: 4,
  evaluation: { ...quickest.evaluation, every: 200 },
  checkpointEvery: 100,
};

export const presets: readonly Preset[] = [
  {
    name: 'nano',
    title: 'Nano, 6 layers of 64',
    description:
      'Within some two minutes it finds most of the pieces after an opening. A transformer as they are built today, with a layer in front that reads only the tokens right before (LFM2’s layout). For each token it also receives the kind of token and whose move it belongs to (slot embedding): spelling, nothing about the board.',
    config: { ...common, ...nano },
  },
  {
    name: 'rules',
    title: 'Nano, taught by the rules',
    description:
      'The same model with a teacher: at each place it learns towards every token that the rules allow, instead of the one that was played, and the piece is named before half of the moves. In the same two minutes it finds more of the pieces, and it guesses worse what people play. It was told the rules, so its knowledge of them is no evidence of what moves alone can teach.',
    config: { ...common, ...nano, notation: 'rap:50', pieceWeight: 0, objective: 'valid' },
  },
  {
    name: 'tiny',
    title: 'Tiny, 6 layers of 128',
    description:
      'The same at twice the width, and twice the games a step: a step takes six times as long and teaches more. For ten minutes and not for two.',
    config: { ...common, ...quickest, ...named },
  },
  {
    name: 'deep',
    title: 'Deep, 8 layers of 128',
    description:
      'Two layers more than the tiny one, each of which can follow a piece one move further back, on a schedule for an hour and not for two minutes.',
    config: {
      ...common,
      ...quickest,
      notation: 'rap:25',
      pieceWeight: named.pieceWeight,
      model: { ...quickest.model, pattern: 'caaaaaaa' },
      // As of a model of 13 layers of 96 that learned as fast as any here over 11 M tokens (docs/log.md).
      optimizer: { ...quickest.optimizer, learningRate: 7e-3, matrixRate: 8e-3 },
      schedule: { ...quickest.schedule, steps: 18000, warmup: 0.002 },
      evaluation: { every: 500, games: 50, instances: 300 },
    },
  },
  {
    name: 'qwen3-tiny',
    title: 'Qwen3, 4 layers of 128',
    description:
      'As the tiny one without the layer in front: it finds out by itself how to look at the tokens right before.',
    config: { ...common, ...quickest, model: qwen3, optimizer: muon },
  },
  {
    name: 'plain',
    title: 'Plain GPT-2, 4 layers of 128',
    description:
      'Nothing but the moves, trained as GPT-2 is: no slot embedding, AdamW. It needs tens of times as many tokens before it scores above a model without a board.',
    config: {
      ...common,
      model: { ...gpt2, layers: 4, width: 128, heads: 4, context: 352, dropout: 0 },
      optimizer: { ...adamw, learningRate: 2e-3 },
      schedule: { ...toTheEnd, steps: 8000, warmup: 0.05, floor: 0.01 },
      batch: 8,
      evaluation: { every: 100, games: 20, instances: 100 },
    },
  },
  {
    name: 'gpt2-slots',
    title: 'GPT-2 with slots, 4 layers of 128',
    description:
      'The same training with GPT-2’s layout: positions are learned one by one, so that late moves are learned last.',
    config: {
      ...common,
      ...quickest,
      optimizer: muon,
      model: { ...gpt2, slots: true, start: 'zero-out', layers: 4, width: 128, heads: 4, context: 352, dropout: 0 },
    },
  },
  {
    name: 'lstm',
    title: 'LSTM, 2 layers of 256',
    description: 'A recurrent network, without attention: all that it knows of the game must fit into its state.',
    config: {
      ...common,
      ...quickest,
      model: { kind: 'lstm', layers: 2, width: 256, context: 352, dropout: 0, slots: true, truncation: null },
      optimizer: { ...adamw, weightDecay: 0, learningRate: 3e-3 },
    },
  },
  {
    name: 'reformer-tiny',
    title: 'Reformer, 4 layers of 128',
    description:
      'Every token sees only its neighbours or, in the third layer, tokens whose vectors are alike. The reference engine runs it, several times slower than a GPT-2 of its size.',
    config: {
      ...common,
      ...quickest,
      optimizer: muon,
      model: {
        ...{ kind: 'reformer', layers: 4, width: 128, heads: 4, context: 352, dropout: 0 },
        ...{ pattern: 'local,local,lsh,local', chunk: 50, buckets: 8, rounds: 1 },
        ...{ positions: 'axial', axialRows: null, axialWidth: null, slots: true, start: 'zero-out' },
      },
    },
  },
  {
    name: 'performer-tiny',
    title: 'Performer, 4 layers of 128',
    description:
      'Attention by random features, at a cost that grows with the length of a game and not with its square. The reference engine runs it, several times slower than a GPT-2 of its size.',
    config: {
      ...common,
      ...quickest,
      optimizer: muon,
      model: {
        ...{ kind: 'performer', layers: 4, width: 128, heads: 4, context: 352, dropout: 0 },
        ...{ kernel: 'softmax', features: null, redraw: 1000, localHeads: 0, localWindow: 50 },
        ...{ slots: true, start: 'zero-out' },
      },
    },
  },
  {
    name: 'small',
    title: 'Small, 6 layers of 256',
    description: 'For a graphics card: about five million parameters.',
    config: {
      ...common,
      model: { ...gpt2, layers: 6, width: 256, heads: 8, context: 512, dropout: 0.1 },
      optimizer: { ...adamw, learningRate: 1e-3 },
      schedule: { ...toTheEnd, steps: 20000, warmup: 0.1, floor: 0 },
      batch: 16,
      evaluation: { every: 250, games: 50, instances: 200 },
    },
  },
  ...paperPresets,
  ...splatPresets,
];

/** Names that presets had before. */
const FORMER: Readonly<Record<string, string>> = { 'lfm2-tiny': 'tiny' };

export function presetNamed(name: string): Preset | undefined {
  const wanted = Object.hasOwn(FORMER, name) ? FORMER[name] : name;
  return presets.find((preset) => preset.name === wanted);
}

export const defaultPreset: Preset = presets[0];
