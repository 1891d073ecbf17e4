import type { AssessedModel } from '../testbed/assessment.ts';

/**
 * Everything that SPLAT's tables and figures (Demeter and Downey 2021) are computed from, for one model: what it was
 * asked and what it answered. Plain JSON; tables and figures are pure functions of a list of these (src/report).
 */
export interface SplatAssessment {
  version: 1;
  subject: AssessedModel;
  /** "chess", "baseball". */
  domain: string;
  /** A token, on held-out games; null where none was measured. */
  perplexity: { games: number; tokens: number; perplexity: number } | null;
  legalVerbs: LegalVerbsAnswer[];
  /** What a model's record tells in place of `legalVerbs`; missing where answers are here. */
  recorded?: RecordedLegalVerbs;
  /** The beginning of a game before each of `legalVerbs`, in the domain's own text; missing in older assessments. */
  prefixes?: string[];
  /** The lines asked, in tokens, gold answers included; empty for a model that only reads games. */
  lines: string[];
  answers: SplatAnswer[];
  /** What random answers score on the same lines and prefixes. */
  random: { legalVerbs: number; spelling?: number; questions: Record<string, number> };
  /**
   * Fine-tuning lines that distances were measured to, and those of the whole run; null or missing where distances were
   * not looked for.
   */
  fineTuningStates?: { compared: number; learned: number } | null;
  /** The games that distances would have needed, where others were given; left out where none were missed. */
  distancesNeed?: string;
  /** What must be said wherever these games are quoted (the manifest's notice); left out where there is nothing. */
  notice?: string;
}

/** Legal Verbs after `n` prefixes, without the answers (src/interchange/records/training-record.ts). */
export interface RecordedLegalVerbs {
  n: number;
  rPrecision: number;
  ci95: [number, number];
  legalMass: number;
}

/** Legal Verbs after one prefix (section 5.1), and where the probability lies (section 6.1, Table 4). */
export interface LegalVerbsAnswer {
  /** Events before. */
  events: number;
  /** Tokens that the rules allow. */
  legal: number;
  /** Share of the `legal` likeliest tokens of the whole vocabulary that are legal. */
  rPrecision: number;
  /** The same for all tokens that legal verbs are spelt with, arguments and all; missing in older assessments. */
  spelling?: { tokens: number; rPrecision: number };
  legalMass: number;
  /** On tokens that a piece could make alone on an empty board; null where the game has no such notion. */
  inPatternMass: number | null;
}

/** One question answered. */
export interface SplatAnswer {
  /** Index into `lines`. */
  line: number;
  /** "assignment", "winning", "goal", or the name of a custom question. */
  form: string;
  /** Events before [sep]. */
  events: number;
  args: string[];
  /** The right answer; for goals the verbs of the line, one of many ways. */
  gold: string;
  /** The model's: the likeliest of the candidates, or for goals the verbs that it wrote. */
  answered: string;
  correct: boolean;
  /** Share of the gold answer among the candidates; null for goals. */
  goldProbability: number | null;
  /** State variables in which the nearest state of the fine-tuning lines differs; null where it was not looked for. */
  distance: number | null;
}
