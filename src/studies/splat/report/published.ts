/**
 * The numbers of SPLAT as published (Demeter and Downey, "Who's on First?: Probing the Learning and Representation
 * Capabilities of Language Models on Deterministic Closed Domains", CoNLL 2021). Percent unless said; null where the
 * paper has nothing. Figure 2 is a picture: of it only what the text says is told.
 */

export type SplatPaperGame = 'chess' | 'baseball';
export const PAPER_GAMES: readonly SplatPaperGame[] = ['chess', 'baseball'];

/** How a model came to answer: it read games alone, or learned questions from one kind of weights or the other. */
export type Start = 'games alone' | 'pre-trained weights' | 'random weights';

export interface SplatPaperRow {
  name: string;
  /** The family of our kinds that the row is of; null for the paper's GPT-2, which has read the web. */
  family: 'transformer' | 'lstm' | null;
  start: Start;
  /** Parameters in millions, Legal Verbs (R-precision), Variable Assignment, Who's Winning, Goal State. */
  values: Record<SplatPaperGame, readonly (number | null)[]>;
}

const NOTHING = [null, null, null, null, null];

/** Table 3. The text of the paper at hand has its columns scrambled; the counts leave only this order. */
export const probingRows: readonly SplatPaperRow[] = [
  {
    name: 'TLM Pretrained',
    family: 'transformer',
    start: 'games alone',
    values: { chess: [23.4, 75.8, null, null, null], baseball: [19.1, 50.7, null, null, null] },
  },
  {
    name: 'TLM Finetuned',
    family: 'transformer',
    start: 'pre-trained weights',
    values: { chess: [23.4, 73.1, 97.6, 90.8, 74.5], baseball: [19.1, 48.7, 79.8, 90.4, 28.7] },
  },
  {
    name: 'TLM Randomized',
    family: 'transformer',
    start: 'random weights',
    values: { chess: [23.4, 66.1, 97.2, 79.4, 68.2], baseball: [19.1, 54.5, 82.9, 90.4, 20.8] },
  },
  {
    name: 'LSTM Finetuned',
    family: 'lstm',
    start: 'pre-trained weights',
    values: { chess: [8.7, 55.2, 62.9, 40.3, 14.6], baseball: [4.4, 53.2, 68.3, 45.6, 6.6] },
  },
  {
    name: 'LSTM Randomized',
    family: 'lstm',
    start: 'random weights',
    values: { chess: [8.7, 47.9, 63.8, 63.7, 15.9], baseball: [4.4, 52.8, 74.3, 49.4, 10.9] },
  },
  {
    name: 'GPT-2 Pretrained (on the web)',
    family: null,
    start: 'games alone',
    values: { chess: [115, 5.0, 2.0, 23.3, null], baseball: NOTHING },
  },
  {
    name: 'GPT-2 Finetuned',
    family: null,
    start: 'pre-trained weights',
    values: { chess: [115, 23.3, 69.2, 76.0, null], baseball: NOTHING },
  },
];

/** The last row of Table 3. */
export const randomRow: Record<SplatPaperGame, readonly (number | null)[]> = {
  chess: [null, 0.8, 39.1, 35.2, 1.0],
  baseball: [null, 11.8, 36.1, 37.5, 0.4],
};

/** Table 4, chess: R-precision, and the mass on in-pattern, legal and blocked moves. */
export const massRows: readonly (Pick<SplatPaperRow, 'name' | 'family' | 'start'> & { values: readonly number[] })[] = [
  { name: 'TLM Pretrained', family: 'transformer', start: 'games alone', values: [75.8, 97.8, 95.8, 2.0] },
  { name: 'TLM Finetuned', family: 'transformer', start: 'pre-trained weights', values: [73.1, 93.7, 91.9, 1.7] },
  { name: 'LSTM Finetuned', family: 'lstm', start: 'pre-trained weights', values: [55.2, 57.5, 46.2, 11.3] },
  { name: 'GPT-2 Finetuned', family: null, start: 'pre-trained weights', values: [23.3, 30.0, 25.4, 4.6] },
];

/** What forgetting is told of (section 5.4): R-precision before and after, then legal mass before and after. */
export const forgettingRows: readonly { game: SplatPaperGame; name: string; values: readonly (number | null)[] }[] = [
  { game: 'chess', name: 'TLM', values: [75.8, 73.1, -2.7, 95.8, 91.9, -3.9] },
  { game: 'baseball', name: 'TLM', values: [50.7, 48.7, -2.0, null, null, null] },
];

/** Table 2. Tokens and games are as the paper rounds them. */
export const dataRows = {
  games: { chess: 850_000, baseball: 32_000 },
  pretrainGames: { chess: 400_000, baseball: 15_000 },
  tokensPerGame: { chess: 73.5, baseball: 704.2 },
  pretrainTokens: { chess: 29_400_000, baseball: 10_600_000 },
  questions: { chess: 300_000, baseball: 73_000 },
  vocabulary: { chess: 4390, baseball: 144 },
  transformerPerplexity: { chess: 6.8, baseball: 2.0 },
  lstmPerplexity: { chess: 13.4, baseball: 1.9 },
} as const;
