import { trainSubsets, type TrainSubset } from '../../../data/testbed-split.ts';

/**
 * The numbers of the chess testbed as published (Toshniwal et al., "Chess as a Testbed for Language Model State
 * Tracking", AAAI 2022, and its arXiv version with appendices A to F). Percent unless said; null where the published
 * value cannot be right or cannot be read. Figures 2, 3, 4 and 8 are pictures: of them only what the text says is here.
 */

/** The paper's three training sets, by their number of games. */
export const trainingSizes = trainSubsets;
export type TrainingSize = TrainSubset;

export type NotationFamily = 'uci' | 'rap' | 'ap';

/** A model of the paper, by what rows are matched with. */
export interface PaperModel {
  size: TrainingSize;
  kind: 'gpt2' | 'lstm' | 'reformer' | 'performer';
  notation: NotationFamily;
  /** The tokens before itself that a token sees; null sees all. */
  window: 50 | null;
  /** Where the row is about the size of the model. */
  shape: { layers: number; width: number } | null;
}

export interface PaperRow {
  model: PaperModel;
  /** As the paper's row is called. */
  name: string;
  values: readonly (number | null)[];
}

const sizes = ['S', 'M', 'L'] as const;
const base = { kind: 'gpt2', notation: 'uci', window: null, shape: null } as const;

/** Rows of one table: for each training size the same models in the same order. */
function rows(
  models: readonly (Partial<PaperModel> & { name: string })[],
  values: readonly (readonly (number | null)[])[],
): PaperRow[] {
  return values.map((row, at) => {
    const { name, ...model } = models[at % models.length];
    return { name, model: { ...base, ...model, size: sizes[Math.floor(at / models.length)] }, values: row };
  });
}

const notations = [
  { name: 'UCI', notation: 'uci' },
  { name: 'UCI + RAP', notation: 'rap' },
  { name: 'UCI + AP', notation: 'ap' },
] as const;

/** Table 4: canonical perplexity, dev and test. */
export const perplexityRows = rows(notations, [
  [23.6, 23.6],
  [15.9, 15.9],
  [16.1, 16.2],
  [11.6, 11.6],
  [10.4, 10.4],
  [10.1, 10.0],
  [7.7, 7.7],
  [7.4, 7.4],
  [7.2, 7.2],
]);

/** The text's best share of named pieces for each training set (section 4, "Model Details"). */
export const bestRap: Record<TrainingSize, number> = { S: 25, M: 25, L: 15 };

/** Table 5: starting squares; Actual accuracy and R-precision, Other accuracy and R-precision, exact move. */
export const startRows = rows(notations.slice(1), [
  [91.3, 90.2, 89.3, 89.2, 78.8],
  [99.2, 99.1, 98.8, 98.8, 86.9],
  [98.2, 98.0, 98.6, 98.7, 88.0],
  [99.9, 99.8, 100, 100, 90.2],
  [100, 100, 99.6, 99.5, 91.8],
  [99.9, 99.9, 99.7, 99.7, 91.1],
]);

/** Expected exact-move accuracy of a random legal answer (last rows of Tables 5 and 6). */
export const randomLegal = { start: 86.0, end: 19.6 } as const;

const S_UCI = [74.0, 61.1, 65.5, 57.7, 26.7];
const M_UCI = [92.9, 80.6, 85.8, 78.5, 42.2];
const L_UCI = [97.7, 85.6, 91.9, 83.8, 52.0];

/** Table 6: ending squares, columns as in Table 5. */
export const endRows = rows(notations, [
  S_UCI,
  [88.4, 75.5, 80.4, 72.1, 33.3],
  [87.0, 77.0, 78.8, 72.3, 36.1],
  M_UCI,
  [94.9, 82.2, 87.9, 78.0, 45.9],
  [94.7, 82.4, 88.3, 79.1, 47.3],
  L_UCI,
  [97.0, 86.1, 93.1, 83.9, 54.7],
  [98.2, 87.3, 95.2, 86.3, 56.7],
]);

/**
 * Table 7: architectures, columns as in Table 6. The last GPT2 (w=50) row is printed with the very numbers of the
 * Performer below it. Table 12 proves the Performer's (8 + 18 + 16 errors of 1000 are its 95.8), so the other is left out.
 */
export const architectureRows = rows(
  [
    { name: 'GPT2' },
    { name: 'GPT2 (w=50)', window: 50 },
    { name: 'Reformer', kind: 'reformer' },
    { name: 'Performer', kind: 'performer' },
    { name: 'LSTM', kind: 'lstm' },
    { name: 'LSTM + RAP', kind: 'lstm', notation: 'rap' },
  ],
  [
    S_UCI,
    [69.5, 57.4, 60.4, 53.2, 23.1],
    [71.0, 57.2, 61.5, 53.5, 24.8],
    [65.4, 54.3, 57.9, 49.5, 20.5],
    [60.2, 51.0, 52.5, 46.4, 20.9],
    [59.5, 50.5, 52.4, 46.0, 21.9],
    M_UCI,
    [86.0, 74.9, 80.9, 71.3, 35.8],
    [86.4, 73.2, 76.6, 68.6, 32.4],
    [89.2, 76.3, 80.5, 71.5, 36.0],
    [73.8, 61.6, 67.2, 59.8, 32.0],
    [77.5, 64.9, 69.7, 61.7, 32.1],
    L_UCI,
    [null, null, null, null, null],
    [88.0, 74.9, 77.0, 68.1, 33.5],
    [95.8, 84.5, 90.5, 82.7, 51.6],
    [93.4, 79.5, 86.1, 76.0, 45.2],
    [92.8, 80.4, 87.3, 77.1, 46.0],
  ],
);

/** Table 8: sizes of the model, columns as in Table 6. */
export const modelSizeRows = rows(
  [
    { name: 'GPT2-small', shape: { layers: 12, width: 768 } },
    { name: 'GPT2-intermediate', shape: { layers: 16, width: 768 } },
    { name: 'GPT2-medium', shape: { layers: 24, width: 1024 } },
  ],
  [
    S_UCI,
    [72.3, 60.7, 64.5, 58.6, 24.8],
    [67.8, 58.2, 62.5, 55.7, 24.5],
    M_UCI,
    [92.9, 81.8, 84.8, 77.8, 41.5],
    [93.7, 81.8, 86.2, 77.1, 41.7],
    L_UCI,
    [97.5, 86.6, 94.7, 85.2, 54.0],
    [98.2, 87.4, 94.6, 85.8, 57.0],
  ],
);

/** Table 12: errors in 1000 prompts; Actual syntax, path obstruction, pseudo legal, then Other. */
export const errorRows = rows(
  [...notations, { name: 'Performer', kind: 'performer' }],
  [
    [168, 48, 40, 173, 90, 80],
    [20, 58, 38, 17, 96, 81],
    [1, 99, 29, 3, 126, 81],
    [235, 56, 53, 243, 70, 106],
    [16, 30, 25, 15, 54, 72],
    [3, 30, 18, 7, 56, 55],
    [0, 36, 17, 3, 59, 53],
    [41, 27, 40, 42, 45, 108],
    [1, 10, 12, 4, 26, 49],
    [0, 19, 11, 3, 29, 36],
    [0, 13, 5, 3, 13, 31],
    [8, 18, 16, 9, 23, 63],
  ],
);

/** Tables 13 and 14 are of this model alone. */
export const analysedModel: PaperModel = { ...base, size: 'L' };
