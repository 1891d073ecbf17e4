/** What the authors' fine-tuned TLM scores in a game, as shares (Demeter and Downey 2021, Table 3). */
export interface PublishedScores {
  /** Null where the paper's count other tokens than those that may come next (next-tokens.ts of baseball). */
  legalVerbs: number | null;
  questions: Readonly<Record<string, number>>;
}

const TABLE_3: Readonly<Record<string, PublishedScores>> = {
  chess: { legalVerbs: 0.731, questions: { assignment: 0.976, winning: 0.908 } },
  baseball: { legalVerbs: null, questions: { assignment: 0.798, winning: 0.904 } },
};

/** Null for games that the paper has not. */
export function publishedScores(domain: string): PublishedScores | null {
  return TABLE_3[domain] ?? null;
}

/** What each question of the paper asks, for the title of its chart. */
const ASKED: Readonly<Record<string, string>> = {
  assignment: 'what is the state of play?',
  winning: 'who is ahead?',
  goal: 'which five words lead there?',
};

/** "Assignment: what is the state of play?"; of a question that somebody added, its name. */
export function questionTitle(name: string): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return name in ASKED ? `${title}: ${ASKED[name]}` : title;
}
