/**
 * What a model learns at each place: "next", the token that was played; "legal", that token, and that all probability
 * belongs to what the rules allow there, by the semantic loss of Xu et al. (2018); "valid", all tokens that the rules allow
 * there alike (Balogh and Jelasity 2026).
 */
export const OBJECTIVES = ['next', 'legal', 'valid'] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** Weight of the semantic loss beside the next token's where a config of the objective "legal" does not say it. */
export const LEGAL_WEIGHT = 3;

const TAUGHT: Readonly<Record<Objective, string | null>> = {
  next: null,
  legal: 'taught what is legal',
  valid: 'trained towards all valid tokens',
};

/** What of a config, or of a model's description, says what its model learns beside moves. */
interface Targets {
  objective: Objective;
  notation: string;
  pieceWeight?: number;
}

/** Whether a model learns behind each start square which kind of piece moves: one that reads names before some moves. */
export const learnsPieces = ({ objective, notation, pieceWeight = 0 }: Targets): boolean =>
  objective === 'next' && /^rap:[1-9]/.test(notation) && pieceWeight > 0;

/** The last part of a run, in which the second target loses its weight. */
const FADING = 0.1;

/**
 * The share of a config's `pieceWeight` that a step has, counted from 0: all of it, then over the last tenth of the run ever
 * less. Names take probability behind each start square that a reader of moves has no use for; in the end the model gives
 * nearly all of it back, and its scores stay what they were (docs/log.md).
 */
export const pieceShareAt = ({ steps }: { steps: number }, step: number): number =>
  Math.min(1, (steps - step) / (FADING * steps));

/** What is said of a model that learned more than moves, wherever it is named; null where it saw games and nothing else. */
export const taughtIn = (targets: Targets): string | null =>
  learnsPieces(targets) ? 'told which piece moves' : TAUGHT[targets.objective];
