/** What a model of SPLAT tokens says after the events of a game so far. */
export interface TraceAnswer {
  /** The events in the domain's own text, as they were asked about. */
  line: string;
  /** Tokens that may come next, likeliest first, at most twelve. */
  next: NextToken[];
  /** Share of the probability that lies on tokens which the rules allow. */
  legalMass: number;
  /**
   * The likeliest next events, whole: each token given those before it, with the chance of the whole; at most six. For
   * games with a token an event these are the first of `next`.
   */
  events: NextEvent[];
  /** One for each state variable that can be asked for; null where the model has never been asked questions. */
  belief: VariableBelief[] | null;
}

export interface NextToken {
  token: string;
  probability: number;
  legal: boolean;
}

export interface NextEvent {
  /** Its tokens, "<advance> (plate) (first)". */
  text: string;
  probability: number;
  legal: boolean;
}

/** What the model answers when asked for one variable of the state. */
export interface VariableBelief {
  /** "outs", "e4". */
  variable: string;
  truth: string;
  /** Likeliest first, at most four; shares of all candidates. */
  values: { value: string; probability: number }[];
  /** What the truth gets. */
  truthProbability: number;
}
