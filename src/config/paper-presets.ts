import { adamw, common, gpt2, type Preset } from './preset-parts.ts';

/** GPT2-small and how the authors trained everything: batches of 60, ten epochs, stopped by the first that is no better. */
const small = { ...gpt2, layers: 12, width: 768, heads: 12, context: 512, dropout: 0.1 } as const;
const authors = {
  ...common,
  optimizer: { ...adamw, learningRate: 5e-4 },
  schedule: { steps: 2500, warmup: 0.1, floor: 0, epochs: 10, patience: 1, keep: 'best' },
  batch: 60,
  // A checkpoint of these models is a gigabyte, and each pass ends with one anyway.
  checkpointEvery: 1000,
  evaluation: { every: 1_000_000, games: 15_000, instances: 1000 },
} as const;
/** Tables 7 and 8 compare models that read nothing but the moves. */
const inTables = { ...authors, notation: 'uci' } as const;

/** The models of the chess testbed (Toshniwal et al. 2022, tables 6 to 8 and 11), with the settings of its runs. */
export const paperPresets: readonly Preset[] = [
  {
    name: 'gpt2-small',
    title: "The paper's GPT2-small, 12 layers of 768",
    description:
      'Toshniwal et al.: 85 million parameters, batches of 60 games, at most ten passes over them, ended by the first that does not improve. Hours on a strong graphics card.',
    config: { ...authors, notation: 'rap:25', model: small },
  },
  {
    name: 'gpt2-intermediate',
    title: "The paper's GPT2-intermediate, 16 layers of 768",
    description: 'Table 8: does a deeper GPT-2 know more of the board? 114 million parameters, on the moves alone.',
    config: { ...inTables, model: { ...small, layers: 16 } },
  },
  {
    name: 'gpt2-medium',
    title: "The paper's GPT2-medium, 24 layers of 1024",
    description:
      'Table 8: the largest model that the paper trained. 303 million parameters; a day on a strong graphics card.',
    config: { ...inTables, model: { ...small, layers: 24, width: 1024, heads: 16 } },
  },
  {
    name: 'gpt2-window',
    title: "The paper's GPT2 with a window of 50",
    description:
      'Table 7: each token sees only those near it. The authors count 50 tokens before a token and not the token itself; the window here counts it, so it is 51.',
    config: { ...inTables, model: { ...small, window: 51 } },
  },
  {
    name: 'reformer',
    title: "The paper's Reformer, 12 layers of 768",
    description:
      "Table 7, with table 11's settings for 15,000 games: chunks of 50, 8 buckets, two rounds of hashing (four for 50,000 games, one for 200,000). The rate falls in a straight line here; the authors let it fall with the root of the steps.",
    config: {
      ...inTables,
      model: {
        ...{ kind: 'reformer', layers: 12, width: 768, heads: 12, context: 350, dropout: 0.05 },
        ...{ pattern: 'local,local,lsh,local', chunk: 50, buckets: 8, rounds: 2 },
        ...{ positions: 'axial', axialRows: 14, axialWidth: 256, slots: false, start: 'gpt2' },
      },
    },
  },
  {
    name: 'performer',
    title: "The paper's Performer, 12 layers of 768",
    description:
      "Table 7, with table 11's settings for 15,000 games: six of the heads see a window of 50 and the others all by random features, drawn anew every 1,000 steps (no such heads for more games). The paper tried both kinds of features and does not say which it kept.",
    config: {
      ...inTables,
      model: {
        ...{ kind: 'performer', layers: 12, width: 768, heads: 12, context: 512, dropout: 0.1 },
        ...{ kernel: 'softmax', features: null, redraw: 1000, localHeads: 6, localWindow: 50 },
        ...{ slots: false, start: 'gpt2' },
      },
    },
  },
  {
    name: 'lstm-paper',
    title: "The paper's LSTM, nearly: 3 layers of 1024",
    description:
      'Table 7, for 15,000 games (four layers for more). The paper embeds tokens in 768 numbers and keeps a state of 1,024; the LSTM here has one width for both, so its embedding is wider: 25.3 million parameters where the paper has 24.3.',
    config: {
      ...inTables,
      model: { kind: 'lstm', layers: 3, width: 1024, context: 512, dropout: 0.2, slots: false, truncation: null },
    },
  },
];
