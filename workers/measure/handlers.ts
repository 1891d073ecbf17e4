import * as v from 'valibot';
import { fail, failureOf, ok, unwrap, type Failure, type Result } from '../../src/base/result.ts';
import { noticeOf } from '../../src/config/notice.ts';
import { Corpus } from '../../src/data/corpus.ts';
import type { Measuring, Progress } from '../../src/studies/asking/measuring.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { readSettings } from '../../src/studies/setting-fields.ts';
import { studyNamed } from '../../src/studies/studies.ts';
import type { AnyStudy, StudyGames } from '../../src/studies/study.ts';
import type { CheckpointStore } from '../../src/training/checkpoint-store.ts';
import type { ReadGames } from '../data/games-port.ts';
import type { GamesRead } from '../data/protocol.ts';
import { guarded } from '../guarded.ts';
import { otherGames } from '../run-games.ts';
import type { RunList } from '../train/run-list.ts';
import type { AssessmentLists } from './assessment-list.ts';
import { domainOfFiles } from './domain-of-files.ts';
import { openModel, type OpenedModel } from './open-model.ts';
import type { MeasureService, StoredRecord, StudyOutcome, StudyRequest } from './protocol.ts';
import { recordedAssessments } from './recorded-assessments.ts';
import { Session, type SessionHost } from './session.ts';
import type { Cloneable } from '../wire.ts';

/** What the host gives: games, engines, storage and time. */
export interface MeasureHost extends SessionHost {
  games: ReadGames;
  checkpoints: CheckpointStore;
  runs: RunList;
  assessments: AssessmentLists;
  /** Milliseconds since 1970. */
  clock(): number;
  newId(): string;
  /** A file that ships with the lab; left out where there are none. */
  readShipped?: Measuring['readShipped'];
}

/** The page hears of progress at most this often, milliseconds. */
const REPORTED_EVERY = 100;
const ALL = { train: null, dev: null, test: null, probe: null };
/** Longer texts are files; the assessment tells what was read of them. */
const LONGEST_SETTING = 1000;

export function measureHandlers(host: MeasureHost): MeasureService {
  let session: Session | null = null;
  /** Counts models asked for: one that opens slowly must not take the place of a later one. */
  let turn = 0;

  return {
    domainOf: (files) => domainOfFiles(files, host.clock),

    async open(model) {
      const mine = ++turn;
      session?.cancel();
      const read = await guarded(async () => ok(await openModel(model, host)));
      if (!read.ok) return read;
      if (mine !== turn) return fail('replaced', 'Another model has been opened meanwhile.');
      const before = session;
      session = new Session(read.value, host);
      await before?.retire();
      return ok(read.value.about);
    },

    async run(name, request, onProgress) {
      const study = studyNamed(name);
      if (!study.ok) return study;
      const of = session;
      if (!of) return fail('not-open', 'No model has been opened to measure.');
      const applies =
        'tokenizer' in of.opened
          ? study.value.assessText !== undefined
          : study.value.appliesTo({ domain: of.opened.config.domain, notation: of.opened.notation.name });
      if (!applies) return fail('does-not-apply', study.value.refusal);
      return answered(of, study.value, request, throttled(onProgress));
    },

    count: (name, key) =>
      guarded(async () => {
        const study = unwrap(studyNamed(name));
        const games = unwrap(await host.games({ key, splits: ALL }));
        return ok((study.stored?.games?.count(studyGames(games)) ?? null) as Cloneable);
      }),

    list: async (name) => (await listOf(name)).all(),
    readRecord: (name, record) => guarded(async () => recordedAssessments(name, record)),
    remove: async (name, id) => (await listOf(name)).remove(id),

    store: (name, assessment) =>
      guarded(async () => {
        const study = unwrap(studyNamed(name));
        const read = v.safeParse(study.stored?.schema ?? v.never(), assessment);
        if (!read.success) return fail('bad-assessment', `These are not answers of ${study.title}.`);
        const stored = recordOf(study, null, { games: '' }, read.output as StoredRecord['assessment']);
        const failure = await keep(stored);
        return failure === null ? ok(stored) : { ok: false, error: failure };
      }),

    async cancel() {
      session?.cancel();
    },
  };

  async function answered(
    of: Session,
    study: AnyStudy,
    { settings: given, games, sameGames = false }: StudyRequest,
    onProgress: (progress: Progress) => void,
  ): Promise<Result<StudyOutcome>> {
    const settings = readSettings<object>(study.settings, given);
    if (!settings.ok) return settings;
    if (study.games !== null && games === null)
      return fail('no-games', `${study.title} asks about games; choose a set of them.`);
    const { opened } = of;
    const clock = () => host.clock();
    if (study.brief)
      return of.ask(async (engine) => {
        const answer = unwrap(await assessed(study, engine, opened, null, settings.value, { clock }));
        return ok({ answer, stored: null, notStored: null });
      });
    return of.measure<StudyOutcome>(async (engine, pace) => {
      if (games !== null) onProgress({ label: 'Opening the games', share: 0 });
      const read = games === null ? null : unwrap(await host.games({ key: games, splits: ALL }, pace));
      if (sameGames && read && 'config' in opened) {
        const others = otherGames(opened.config, read, 'there is nothing to measure it with');
        if (others !== null) return others;
      }
      const sets = read && studyGames(read);
      const measuring = { ...pace, clock, onProgress, readShipped: host.readShipped };
      const answer = unwrap(await assessed(study, engine, opened, sets, settings.value, measuring));
      if (study.stored === null) return ok({ answer, stored: null, notStored: null });
      const asked = { ...shortSettings(settings.value), games: sets?.name ?? '' };
      const stored = recordOf(study, opened.run, asked, answer);
      return ok({ answer, stored, notStored: await keep(stored) });
    });
  }

  function recordOf(
    { name }: AnyStudy,
    run: string | null,
    asked: StoredRecord['asked'],
    assessment: StoredRecord['assessment'],
  ): StoredRecord {
    return { id: host.newId(), study: name, run, createdAt: host.clock(), asked, assessment };
  }

  async function listOf(name: string) {
    return host.assessments(unwrap(studyNamed(name)).name);
  }

  /** Tells the first word, the last, and what lies between no more often than the page can draw. */
  function throttled(onProgress: (progress: Progress) => void): (progress: Progress) => void {
    let reportedAt = -Infinity;
    return (progress) => {
      const now = host.clock();
      if (now - reportedAt < REPORTED_EVERY && progress.share < 1) return;
      reportedAt = now;
      onProgress(progress);
    };
  }

  /** Why the assessment could not be kept, or null: a full disk must not cost what took minutes to measure. */
  async function keep(stored: StoredRecord): Promise<Failure | null> {
    try {
      await host.assessments(stored.study).put(stored);
      return null;
    } catch (error) {
      const full = error instanceof Error && error.name === 'QuotaExceededError';
      const why = full ? 'the storage is full; delete old runs, games or assessments' : failureOf(error).message;
      return {
        code: 'not-stored',
        message: `These scores are shown but could not be kept on this device (${why}). Save them as files before you leave.`,
      };
    }
  }
}

/** What a study finds of an opened model that it applies to. */
function assessed(
  study: AnyStudy,
  engine: Engine,
  opened: OpenedModel,
  games: StudyGames | null,
  settings: object,
  measuring: Measuring,
): ReturnType<AnyStudy['assess']> {
  return 'tokenizer' in opened
    ? study.assessText!(engine, opened, settings, measuring)
    : study.assess(engine, opened, games, settings, measuring);
}

/** What was asked, without the text of whole files. */
function shortSettings(settings: object): object {
  const isShort = (value: unknown): boolean => typeof value !== 'string' || value.length <= LONGEST_SETTING;
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => isShort(value)));
}

function studyGames({ summary, manifest, train, dev, test, probe }: GamesRead): StudyGames {
  return {
    ...{ name: summary.title, domain: summary.domain, manifest, ...noticeOf(summary.notice) },
    ...{ train: Corpus.of(train), dev: Corpus.of(dev), test: Corpus.of(test), probe: Corpus.of(probe) },
  };
}
