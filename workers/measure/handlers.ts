import { fail, failureOf, ok, type Failure, type Result } from '../../src/base/result.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { parsePrompt } from '../../src/domains/chess/prompt.ts';
import { answerPrompt } from '../../src/studies/asking/answer-prompt.ts';
import { assess } from '../../src/studies/testbed/assess.ts';
import type { AssessedModel } from '../../src/studies/testbed/assessment.ts';
import { bigbench } from '../../src/studies/bigbench/bigbench.ts';
import { parseBigbench } from '../../src/studies/bigbench/bigbench-task.ts';
import { equivalence } from '../../src/studies/equivalence/equivalence.ts';
import { mapEnds, mapGame } from '../../src/studies/board-map/game-map.ts';
import { legalGames } from '../../src/studies/self-play/legal-games.ts';
import { makeMaterial } from '../../src/studies/testbed/material.ts';
import type { PromptAnswer } from '../../src/studies/asking/prompt-answer.ts';
import { fitsPrompt } from '../../src/studies/asking/prompting.ts';
import { soundness } from '../../src/studies/soundness/soundness.ts';
import type { CheckpointStore } from '../../src/training/checkpoint-store.ts';
import type { CorpusBuffers } from '../data/protocol.ts';
import { guarded } from '../guarded.ts';
import type { RunList } from '../train/run-list.ts';
import type { AssessmentList, SplatList } from './assessment-list.ts';
import { openModel, type OpenedModel } from './open-model.ts';
import { mapStates } from './map-states.ts';
import type { MeasureProgress, MeasureService, StoredAssessment, StoredSplat } from './protocol.ts';
import { Session, type SessionHost } from './session.ts';
import { measureSplat, missedGames } from './splat.ts';
import { whatIf } from './what-if.ts';

/** What the host gives: engines, storage and time. */
export interface MeasureHost extends SessionHost {
  checkpoints: CheckpointStore;
  runs: RunList;
  assessments: AssessmentList;
  splats: SplatList;
  /** Milliseconds since 1970. */
  clock(): number;
  newId(): string;
}

/** The page hears of progress at most this often, milliseconds. */
const TOLD_EVERY = 100;

export function measureHandlers(host: MeasureHost): MeasureService {
  let session: Session | null = null;
  /** Counts models asked for: one that opens slowly must not take the place of a later one. */
  let turn = 0;

  /** Every service but `open` begins so. */
  function opened<T>(work: (session: Session) => Promise<Result<T>>): Promise<Result<T>> {
    if (!session) return Promise.resolve(fail('not-open', 'No model has been opened to measure.'));
    return work(session);
  }

  /** What asks with a board begins so: models that read moves square by square are asked, others are refused. */
  function onBoard<T>(work: (session: Session) => Promise<Result<T>>): Promise<Result<T>> {
    return opened((of) => {
      if (of.opened.notation.name !== 'splat') return work(of);
      const words =
        'This model reads whole verbs as single tokens (SPLAT), and here moves are asked for square by square.';
      return Promise.resolve(fail('not-board', `${words} Ask it SPLAT's questions, or choose another model.`));
    });
  }

  /** Tells the first word, the last, and what lies between no more often than the page can draw. */
  function seldom(onProgress: (progress: MeasureProgress) => void): (progress: MeasureProgress) => void {
    let toldAt = -Infinity;
    return (progress) => {
      const now = host.clock();
      if (now - toldAt < TOLD_EVERY && progress.share < 1) return;
      toldAt = now;
      onProgress(progress);
    };
  }

  const corpusOf = ({ moves, offsets }: CorpusBuffers): Corpus => new Corpus(moves, offsets);

  return {
    async open(model): Promise<Result<AssessedModel>> {
      const mine = ++turn;
      session?.cancel();
      const read = await guarded<OpenedModel>(() => openModel(model, host));
      if (!read.ok) return read;
      if (mine !== turn) return fail('replaced', 'Another model has been opened meanwhile.');
      const before = session;
      session = new Session(read.value, host);
      await before?.retire();
      return ok(read.value.about);
    },

    assess: (request, gamesName, onProgress) =>
      onBoard((of) =>
        of.measure<StoredAssessment>(async (engine, pace) => {
          const { ranges, instances, perplexityGames, randomPlay, seed } = request;
          const tell = seldom(onProgress);
          tell({ words: 'Choosing the positions to probe', share: 0 });
          const games = {
            train: corpusOf(request.games.train),
            dev: corpusOf(request.games.dev),
            test: corpusOf(request.games.test),
            probe: corpusOf(request.games.probe),
          };
          const asked = { ranges, instances, perplexityGames, randomPlay, seed };
          const material = await makeMaterial(games, { ...asked, ...pace });
          if (!material.ok) return material;
          if (material.value.sets.every((set) => set.instances.length === 0))
            return fail(
              'no-held-out-games',
              'These games leave none to probe with: every one is too short, or its opening is among the training games. Take a set with at least a hundred games.',
            );
          const { notation, about, run } = of.opened;
          const scores = await assess(engine, notation, material.value, { ...pace, onProgress: tell });
          if (!scores.ok) return scores;
          const stored: StoredAssessment = {
            id: host.newId(),
            run,
            createdAt: host.clock(),
            asked: { ...asked, games: gamesName },
            assessment: { version: 1, subject: about, ...scores.value },
          };
          const notKept = await keep(() => host.assessments.put(stored));
          return ok(notKept ? { ...stored, notKept } : stored);
        }),
      ),

    bigbench: (text, name, onProgress) =>
      onBoard((of) =>
        of.measure(async (engine, pace) => {
          const task = parseBigbench(text, name);
          if (!task.ok) return task;
          const tell = seldom(onProgress);
          const words = `Asking the ${task.value.examples.length} examples of ${task.value.name}`;
          const onShare = (share: number): void => tell({ words, share });
          return bigbench(engine, of.opened.notation, task.value, { ...pace, onShare });
        }),
      ),

    mapGame: (game, onProgress) =>
      onBoard(async (of) => {
        const prompt = parsePrompt(game);
        if (!prompt.ok) return prompt;
        if (prompt.value.moves.length === 0)
          return fail('no-moves', 'There are no moves here; write a game, such as e2e4 e7e5 g1f3, or paste one.');
        return of.measure((engine, pace) =>
          mapGame(engine, of.opened.notation, prompt.value.moves, { ...pace, onProgress: seldom(onProgress) }),
        );
      }),

    mapEnds: (text) =>
      onBoard(async (of) => {
        const prompt = parsePrompt(text);
        return prompt.ok ? of.ask((engine) => mapEnds(engine, of.opened.notation, prompt.value)) : prompt;
      }),

    whatIf: (request, onProgress) =>
      onBoard((of) =>
        of.measure((engine, pace) => {
          const tell = seldom(onProgress);
          const { notation, step } = of.opened;
          const asking = { ...pace, step, clock: () => host.clock() };
          return whatIf(engine, notation, request, asking, (words, share) => tell({ words, share }));
        }),
      ),

    legalGames: (request, onProgress) =>
      onBoard((of) =>
        of.measure((engine, pace) => {
          const asked = { ...request, games: corpusOf(request.games) };
          return legalGames(engine, of.opened.notation, asked, { ...pace, onProgress: seldom(onProgress) });
        }),
      ),

    soundness: (request, onProgress) =>
      onBoard((of) =>
        of.measure((engine, pace) => {
          const asked = { ...request, games: corpusOf(request.games) };
          return soundness(engine, of.opened.notation, asked, { ...pace, onProgress: seldom(onProgress) });
        }),
      ),

    equivalence: (request, onProgress) =>
      onBoard((of) =>
        of.measure((engine, pace) => {
          const asked = { ...request, games: corpusOf(request.games) };
          return equivalence(engine, of.opened.notation, asked, { ...pace, onProgress: seldom(onProgress) });
        }),
      ),

    async answer(prompts) {
      const answers: Result<PromptAnswer>[] = [];
      for (const prompt of prompts) answers.push(await onBoard((of) => answerOne(of, prompt)));
      return answers;
    },

    async cancel() {
      session?.cancel();
    },

    assessments: () => host.assessments.all(),
    removeAssessment: (id) => host.assessments.remove(id),

    splat: (request, gamesName, onProgress) =>
      opened((of) =>
        of.measure<StoredSplat>(async (engine, pace) => {
          const told = { ...pace, onProgress: seldom(onProgress) };
          const assessment = await measureSplat(engine, of.opened, request, told);
          if (!assessment.ok) return assessment;
          const { questions, perplexityGames, goals, own, distances, seed } = request;
          const distancesNeed = missedGames(of.opened.config, request);
          const stored: StoredSplat = {
            id: host.newId(),
            run: of.opened.run,
            createdAt: host.clock(),
            asked: { questions, perplexityGames, goals, own, distances, seed, games: gamesName },
            assessment: assessment.value,
            ...(distancesNeed === undefined ? {} : { distancesNeed }),
          };
          const notKept = await keep(() => host.splats.put(stored));
          return ok(notKept ? { ...stored, notKept } : stored);
        }),
      ),

    mapStates: (request, onProgress) =>
      opened((of) =>
        of.measure((engine, pace) =>
          mapStates(engine, of.opened, request, { ...pace, onProgress: seldom(onProgress) }),
        ),
      ),

    splats: () => host.splats.all(),
    removeSplat: (id) => host.splats.remove(id),
  };

  async function answerOne(of: Session, text: string): Promise<Result<PromptAnswer>> {
    const prompt = parsePrompt(text);
    if (!prompt.ok) return prompt;
    const { notation, model, step } = of.opened;
    if (!fitsPrompt(prompt.value.moves, notation, model.context))
      return fail(
        'prompt-too-long',
        `This prompt does not fit the model, which reads at most ${model.context} tokens; take some plies off its end.`,
      );
    return of.ask(async (engine) => ok(await answerPrompt(engine, notation, prompt.value, step, () => host.clock())));
  }

  /** Why the assessment could not be kept, or null: a full disk must not cost what took minutes to measure. */
  async function keep(put: () => Promise<void>): Promise<Failure | null> {
    try {
      await put();
      return null;
    } catch (error) {
      const full = error instanceof Error && error.name === 'QuotaExceededError';
      const why = full ? 'the storage is full; delete old runs, games or assessments' : failureOf(error).message;
      return {
        code: 'not-kept',
        message: `These scores are shown but could not be kept on this device (${why}). Save them as files before you leave.`,
      };
    }
  }
}
