import type { Failure, Result } from '../../src/base/result.ts';
import type { Progress } from '../../src/studies/asking/measuring.ts';
import type { Study, Stored } from '../../src/studies/study.ts';
import type { AssessedModel } from '../../src/studies/subject-schema.ts';
import { sink, type Cloneable, type Clones } from '../wire.ts';

/** Which model is measured. */
export type MeasuredModel =
  /**
   * A run of this device, at its newest checkpoint or after a step whose snapshot is stored; `trainGames`: how many games
   * it learns from, where known.
   */
  | { kind: 'run'; id: string; trainGames?: number | null; step?: number | null }
  /** A model from the files of its folder, packed in a .zip or not: the shipped one, or one dropped on the page. */
  | { kind: 'files'; name: string; files: Map<string, Uint8Array> };

/** What is asked: the study's settings, and the key of a set of games where it needs some. */
export interface StudyRequest {
  settings: Cloneable;
  games: string | null;
  /** Whether these must still be the games that the opened run was trained on. */
  sameGames?: boolean;
}

/** What came of it. Where the study's answers are kept, `stored` is what this device keeps. */
export interface StudyOutcome {
  answer: Cloneable;
  stored: StoredRecord | null;
  /** Why it could not be kept, where it could not; it is whole all the same. */
  notStored: Failure | null;
}

/** A Stored assessment as it crosses threads; its study says what is in it. */
export interface StoredRecord {
  id: string;
  study: string;
  run: string | null;
  createdAt: number;
  asked: { games: string };
  assessment: { subject: AssessedModel };
  /** Told by the record of a shipped model: measured when the model was made, and not stored on this device. */
  recorded?: boolean;
}

/**
 * Studies of one model at a time, in a worker of their own so that neither prompts nor training wait. A study that
 * `cancel` ends gives the failure `cancelled`; one that is begun beside another is refused (`busy`), while brief ones are
 * asked at any time. The next `open` ends what is under way.
 */
export interface MeasureService {
  /** The game that a model's files are of, as their record says; null where they say nothing. */
  domainOf(files: Map<string, Uint8Array>): Promise<string | null>;
  open(model: MeasuredModel): Promise<Result<AssessedModel>>;
  run(study: string, request: StudyRequest, onProgress: (progress: Progress) => void): Promise<Result<StudyOutcome>>;
  /** What a study's tables tell of a set of games (its `stored.games`); null where they tell nothing of it. */
  count(study: string, games: string): Promise<Result<Cloneable>>;
  /** What this device keeps of a study, newest first. */
  list(study: string): Promise<StoredRecord[]>;
  /** What the record of a shipped model tells, of every study. `name`: as tables name the model. */
  readRecord(name: string, record: Uint8Array): Promise<Result<StoredRecord[]>>;
  remove(study: string, id: string): Promise<void>;
  /** Stores an assessment that was made elsewhere. Fails where its study cannot read it. */
  store(study: string, assessment: Cloneable): Promise<Result<StoredRecord>>;
  cancel(): Promise<void>;
}

/** What a study gave, with its own types. */
export interface Outcome<Assessment> {
  answer: Assessment;
  stored: Stored | null;
  notStored: Failure | null;
}

/** `Study` where its settings and assessments can cross threads, else nothing that can be given. */
export type CrossingStudy<Settings extends object, Assessment> = Study<Settings, Assessment> &
  (Clones<Settings> extends true ? (Clones<Assessment> extends true ? unknown : never) : never);

/** Asks a study of the opened model; callers take a CrossingStudy. */
export async function runStudy<Settings extends object, Assessment>(
  service: Pick<MeasureService, 'run'>,
  study: Study<Settings, Assessment>,
  settings: Partial<Settings>,
  games: string | null,
  onProgress: (progress: Progress) => void = () => {},
  { sameGames = false }: Pick<StudyRequest, 'sameGames'> = {},
): Promise<Result<Outcome<Assessment>>> {
  const request = { settings: settings as Cloneable, games, sameGames };
  const outcome = await service.run(study.name, request, sink(onProgress));
  return outcome as unknown as Result<Outcome<Assessment>>;
}
