import { vocabularyOf } from '../../vocabulary.ts';
import { SQUARES } from '../rules/squares.ts';

/**
 * The testbed's 77 tokens (Toshniwal et al. 2022, section 3): three special ones, the six piece names,
 * 64 squares, four promotions. The authors number squares by first appearance in their data; here they
 * run from a1 to h8, so that a square's token is SQUARE_TOKEN + square.
 */
const TOKENS = ['<pad>', '<s>', '</s>', 'P', 'N', 'R', 'B', 'Q', 'K', ...SQUARES, 'q', 'r', 'b', 'n'];

export const PAD_TOKEN = 0;
export const BEGIN_TOKEN = 1;
export const END_TOKEN = 2;
/** Token of square 0; the others follow. */
export const SQUARE_TOKEN = 9;
/** Token of each piece kind (P N B R Q K = 1..6); index 0 is unused. */
export const KIND_TOKENS = [-1, 3, 4, 6, 5, 7, 8] as const;
/** Token of each promotion kind (N B R Q = 2..5). */
export const PROMOTION_TOKENS = [-1, -1, 76, 75, 74, 73] as const;

export const vocabulary = vocabularyOf(TOKENS, { pad: PAD_TOKEN, begin: BEGIN_TOKEN, end: END_TOKEN });
