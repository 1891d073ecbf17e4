import { trainingSizes } from './tables.ts';

/** The testbed's tables of counts (Toshniwal et al. 2022, appendices D to F); null where a value cannot be read. */

/** Table 9: games and moves (a move is one side's) of each split. */
export const dataRows = [
  { split: 'Train-S', games: trainingSizes.S, moves: 1_100_000 },
  { split: 'Train-M', games: trainingSizes.M, moves: 3_700_000 },
  { split: 'Train-L', games: trainingSizes.L, moves: 15_000_000 },
  { split: 'Dev', games: 15_000, moves: 1_100_000 },
  { split: 'Test', games: 15_000, moves: 1_100_000 },
] as const;

/** Table 10: prompts of each piece in 1000: End and Start-Actual, End-Other, Start-Other. */
export const pieceRows = {
  R: [358, 273, 197],
  N: [144, 136, 126],
  B: [164, 170, 161],
  Q: [204, 103, 129],
  K: [130, 318, 387],
} as const;

/** Table 13, errors and prompts: End-Actual, then End-Other. Prompts with an error of another class are not in it. */
export const pseudoLegalRows = [
  { name: 'In check, the king moves', inCheck: true, king: true, values: [1, 27, 2, 20] },
  { name: 'In check, another piece moves', inCheck: true, king: false, values: [7, 26, 16, 33] },
  { name: 'Not in check, the king moves', inCheck: false, king: true, values: [4, 101, 31, 296] },
  { name: 'Not in check, another piece moves', inCheck: false, king: false, values: [0, 835, 0, 619] },
  { name: 'Total', inCheck: null, king: null, values: [12, 989, 49, 968] },
] as const;

/**
 * Table 14, errors and prompts: End-Actual, then End-Other. The text we have of the table prints stray digits; the
 * prompts of End-Other follow from Table 10 and their sum, but which of R, B and Q has ten errors more than the digit
 * that can be read does not, so these three are left out.
 */
export const obstructionRows = [
  { piece: 'R', name: 'Rook', values: [3, 355, null, 267] },
  { piece: 'N', name: 'Knight', values: [1, 144, 1, 131] },
  { piece: 'B', name: 'Bishop', values: [1, 162, null, 164] },
  { piece: 'Q', name: 'Queen', values: [4, 202, null, 99] },
  { piece: 'K', name: 'King', values: [1, 124, 1, 284] },
  { piece: null, name: 'Total', values: [10, 987, 26, 945] },
] as const;

const twelveLayers = { layers: '12', heads: '12', embedding: '768', hidden: '768' };

/**
 * Table 11, its rows turned into columns. The print marks the chosen of several values in bold, which the text we have
 * has lost; the LSTM's parameter counts fit only embeddings of 768 with a hidden layer of 1024.
 */
export const hyperParameterRows = [
  { name: 'GPT2', ...twelveLayers, dropout: '0.1', parameters: 85, more: '' },
  {
    ...{ name: 'LSTM', layers: '3 (S), 4 (M, L)', heads: '', embedding: '768', hidden: '1024' },
    ...{ dropout: '0, 0.1, 0.2 or 0.5', parameters: null },
    more: '24 million parameters (S), 32 million (M, L)',
  },
  {
    ...{ name: 'Reformer', ...twelveLayers, dropout: '0.05 (0 for LSH attention)', parameters: 83 },
    more: '8 hash buckets; rounds of hashing 1 (L), 2 (S), 4 (M); axial positions [14, 25] of [256, 512]; chunks of 50',
  },
  {
    ...{ name: 'Performer', ...twelveLayers, dropout: '0.1', parameters: 86 },
    more: 'generalized attention yes or no; features redrawn every 1000; local heads 0 (M, L), 6 (S); local window 50',
  },
] as const;
