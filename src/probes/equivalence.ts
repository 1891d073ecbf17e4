/**
 * Does a model treat different move orders to one position alike, and different positions differently (Vafa et al. 2024,
 * "Evaluating the World Model Implicit in a Generative Model")?
 */
export interface EquivalenceReport {
  /** Two orders to one position: all suffixes likely after one are accepted after the other. */
  compression: { precision: number; n: number; ci95: [number, number] };
  /** Two positions: of the suffixes that tell them apart, which share does the model tell apart, and the reverse. */
  distinction: {
    precision: number;
    recall: number;
    n: number;
    ci95: { precision: [number, number]; recall: [number, number] };
  };
  /** A few pairs that failed, for the gallery: two prompts, and the move accepted after one alone. */
  examples: { first: string; second: string; suffix: string }[];
}
