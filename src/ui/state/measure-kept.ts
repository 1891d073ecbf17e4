/** Assessments of one model that this device keeps, to open again or to delete. */
export interface Kept {
  /** Newest first, each told in one line. */
  readonly list: readonly { id: string; words: string }[];
  /** The one that is looked at. */
  readonly shown: { id: string } | null;
  open(id: string): void;
  remove(id: string): Promise<void>;
}
