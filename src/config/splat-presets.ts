import { adamw, common, gpt2, muon, quickest, qwen3, toTheEnd, type Preset } from './preset-parts.ts';

/** One token a verb, as SPLAT spells a game; the longest games of baseball have nearly a thousand. */
const splat = { ...common, notation: 'splat' } as const;
const context = 1024;
/** Demeter and Downey say neither rates nor batches; these are as usual for the size. */
const papers = {
  ...splat,
  schedule: { ...toTheEnd, steps: 20_000, warmup: 0.05, floor: 0.01 },
  batch: 32,
  // A checkpoint of these models is some hundred megabytes.
  checkpointEvery: 500,
  evaluation: { every: 500, games: 50, instances: 200 },
} as const;

/** The models of SPLAT (Demeter and Downey 2021, section 5), and three of their kind for a lesson. */
export const splatPresets: readonly Preset[] = [
  {
    name: 'splat-nano',
    title: 'SPLAT, quickest: 4 layers of 64',
    description:
      'Learns whole moves, one token each, and then questions about them. In baseball it takes a few minutes to learn what may follow, and a few more to learn most answers. Built as Qwen3 is, at half the width of the small one.',
    config: {
      ...splat,
      ...quickest,
      optimizer: muon,
      model: { ...qwen3, width: 64, mlp: 176, context },
      schedule: { ...quickest.schedule, steps: 800, warmup: 0.05 },
      batch: 4,
      evaluation: { every: 100, games: 20, instances: 100 },
    },
  },
  {
    name: 'splat-tlm-small',
    title: 'SPLAT, quick: a transformer, 4 layers of 128',
    description:
      'Learns whole moves, one token each, and then questions about them, in minutes rather than days. Built as Qwen3 is, with rows long enough for any of the games.',
    config: { ...splat, ...quickest, optimizer: muon, model: { ...qwen3, context } },
  },
  {
    name: 'splat-lstm-small',
    title: 'SPLAT, quick: an LSTM, 2 layers of 128',
    description:
      'A recurrent network of the same width: it reads one token after another and must keep the whole game in one state. Learning looks back over 30 tokens at a time, as in the paper.',
    config: {
      ...splat,
      ...quickest,
      model: { kind: 'lstm', layers: 2, width: 128, context, dropout: 0, slots: true, truncation: 30 },
      optimizer: { ...adamw, weightDecay: 0, learningRate: 3e-3, clipNorm: 2 },
    },
  },
  {
    name: 'splat-tlm',
    title: "SPLAT's transformer, 6 layers of 512",
    description:
      'Demeter and Downey: 8 heads, dropout 0.1, read from the moves alone. The paper calls input and output tied, but its 23.4 million parameters count both; so they are apart here (23.9 million with positions and biases). For a graphics card.',
    config: {
      ...papers,
      model: { ...gpt2, layers: 6, width: 512, heads: 8, context, dropout: 0.1, tied: false },
      optimizer: { ...adamw, learningRate: 5e-4 },
    },
  },
  {
    name: 'splat-lstm',
    title: "SPLAT's LSTM, 2 layers of 512",
    description:
      'Demeter and Downey: dropout 0.5, gradients no longer than 2, and learning that looks back over 30 tokens at a time, though the state itself is carried through the whole game. 8.7 million parameters. For a graphics card.',
    config: {
      ...papers,
      model: { kind: 'lstm', layers: 2, width: 512, context, dropout: 0.5, slots: false, truncation: 30 },
      optimizer: { ...adamw, weightDecay: 0, learningRate: 1e-3, clipNorm: 2 },
    },
  },
];
