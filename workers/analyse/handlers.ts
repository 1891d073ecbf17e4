import type { ModelVocabulary } from '../../src/base/text-tokenizer.ts';
import { seededRandom } from '../../src/base/random.ts';
import { fail, ok, unwrap, type Result } from '../../src/base/result.ts';
import { bringsTokens } from '../../src/config/brought-tokens.ts';
import { parseRunConfig, startOf, type RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { domainNamed, notationOf } from '../../src/domains/domains.ts';
import { parsePrompt } from '../../src/domains/chess/prompt.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { modelVocabulary } from '../../src/interchange/tokenizers/model-vocabulary.ts';
import type { ModelConfig } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { answerPrompt } from '../../src/studies/asking/answer-prompt.ts';
import { continueTrace, type ContinuedTrace, type WrittenEvent } from '../../src/studies/asking/continue-trace.ts';
import { playItself } from '../../src/studies/self-play/play-itself.ts';
import type { PromptAnswer } from '../../src/studies/asking/prompt-answer.ts';
import { fitsPrompt } from '../../src/studies/asking/prompting.ts';
import { evaluateRun, makeRunWatch, measuresNothing, panelsOf } from '../../src/studies/evaluate-run.ts';
import type { Evaluation } from '../../src/studies/live.ts';
import { answerTrace, type TraceReader } from '../../src/studies/splat/asking/answer-trace.ts';
import type { TraceAnswer } from '../../src/studies/splat/asking/trace-answer.ts';
import type { SelfPlayGame } from '../../src/studies/self-play/self-play.ts';
import { vocabularyIn } from '../../src/training/checkpoint.ts';
import { newestCheckpoint, type CheckpointStore } from '../../src/training/checkpoint-store.ts';
import type { ReadGames } from '../data/games-port.ts';
import { guarded } from '../guarded.ts';
import { gamesOfRun } from '../run-games.ts';
import { serve } from '../wire.ts';
import { openFolder } from './open-folder.ts';
import { PastWeights } from './past-weights.ts';
import type { AnalyseService, PastStep, Prepared, TrainingRecord, WeightsSnapshot } from './protocol.ts';
import { Retired, Subject, type Role, type SubjectParts } from './subject.ts';
import { readGame, traceReaderOf } from '../../src/studies/splat/asking/trace-reader.ts';

const SELF_PLAY_PLIES = 120;
const SELF_PLAY_TEMPERATURE = 0.7;

/** What the host gives: games, an engine for a model, and a clock in milliseconds. */
export interface AnalyseHost {
  games: ReadGames;
  createEngine(model: ModelConfig, parameters: NamedArrays): Promise<Engine>;
  clock(): number;
  /** Where the snapshots of runs lie. */
  checkpoints: CheckpointStore;
  /** A file that ships with the lab; left out where there are none. */
  readShipped?(path: string): Promise<string>;
}

/** Whether prompts and self-play are of this notation: SPLAT's tokens are moves whole, all others write squares. */
function isBoard(notation: Notation): boolean {
  return notation.tokensPer === 'square';
}

/** The model of a run over its notation, and what it is asked in. */
function readBy(config: RunConfig, notation: Notation): Pick<SubjectParts, 'model' | 'notation' | 'reader'> {
  return {
    model: modelOf(config, { size: notation.vocabulary.size, slots: notation.slots }),
    notation,
    reader: traceReaderOf(config, notation.asked ?? notation),
  };
}

const replaced = fail('replaced', 'Something else has been opened meanwhile.');

export function analyseHandlers(host: AnalyseHost): AnalyseService {
  let subject: Subject | null = null;
  /** Counts runs prepared and models opened: one that took long must not take the place of a later one. */
  let turn = 0;
  /** Counts games that the model plays: a later one ends the one before. */
  let games = 0;
  const past = new PastWeights(host.checkpoints);

  /** What is asked about from now on; the one before gives up its work. */
  async function replace(next: SubjectParts): Promise<void> {
    const before = subject;
    subject = new Subject(next, (model, parameters) => host.createEngine(model, parameters));
    await before?.retire();
  }

  /** Has a question answered by the newest weights, or by those of an earlier step; null where there are none. */
  async function asked<T>(
    of: Subject,
    role: 'prompt' | 'self-play',
    at: PastStep | null,
    work: (engine: Engine, step: number) => Promise<T>,
  ): Promise<Result<T | null>> {
    const found = at === null ? ok(of.newest) : await past.of(at, of.model);
    if (!found.ok) return found;
    const weights = found.value;
    if (weights === null) return ok(null);
    const answer = (as: Role) => of.job(async () => work(await of.engineFor(as, weights), weights.step));
    if (at === null) return answer(role);
    return role === 'prompt' ? of.inTurn(() => answer('past prompt')) : answer('past self-play');
  }

  /** Asks about a game's line; null where there are no weights, or of another domain or notation. */
  async function aboutGame<T>(
    asking: { role: 'prompt' | 'self-play'; domain: string; line: string; at: PastStep | null },
    work: (asked: {
      engine: Engine;
      reader: TraceReader;
      trace: Uint16Array;
      step: number;
      pause: () => Promise<void>;
    }) => Promise<Result<T>>,
  ): Promise<Result<T | null>> {
    const of = subject;
    const reader = of?.reader;
    if (!of || !reader || (asking.at === null && !of.newest) || reader.domain.name !== asking.domain) return ok(null);
    const trace = readGame(reader, asking.line);
    if (!trace.ok) return trace;
    return asked(of, asking.role, asking.at, async (engine, step) =>
      unwrap(await work({ engine, reader, trace: trace.value, step, pause: () => of.pause() })),
    );
  }

  /** The tokens of a run's model where it brings them, from their files or from the checkpoint of a run. */
  async function broughtBy(
    config: RunConfig,
    tokens: Map<string, Uint8Array> | string | undefined,
  ): Promise<Result<ModelVocabulary | null>> {
    if (typeof tokens !== 'string') return modelVocabulary(config, tokens ?? new Map(), startOf(config)?.rows ?? 0);
    if (!bringsTokens(config)) return ok(null);
    const found = await newestCheckpoint(host.checkpoints, tokens);
    if (!found.ok) return found;
    return found.value
      ? vocabularyIn(found.value.checkpoint)
      : fail('no-checkpoint', 'The run has no checkpoint, which would have the tokens that its model reads.');
  }

  const service: AnalyseService = {
    async prepare(input, onProgress, tokens): Promise<Result<Prepared>> {
      const mine = ++turn;
      const config = parseRunConfig(input);
      if (!config.ok) return config;
      const brought = await broughtBy(config.value, tokens);
      if (!brought.ok) return brought;
      const notation = notationOf(config.value, brought.value);
      if (!notation.ok) return notation;
      const wanted = { train: config.value.data.limit, dev: null, probe: null };
      const read = await gamesOfRun(host.games, config.value, wanted, { onProgress, cancelled: () => mine !== turn });
      if (mine !== turn) return replaced;
      if (!read.ok) return read;
      const { failures, summary } = read.value;
      const label =
        config.value.questions === null ? 'Choosing the positions to probe' : 'Choosing the questions to ask';
      onProgress({ label, share: null, games: summary.splits.train?.games ?? 0 });
      const [train, dev, probe] = [read.value.train, read.value.dev, read.value.probe].map((one) => Corpus.of(one));
      const games = { train, dev, probe };
      const watch = await makeRunWatch(config.value, notation.value, games, host.readShipped);
      if (!watch.ok) return watch;
      if (mine !== turn) return replaced;
      if (measuresNothing(watch.value))
        return fail(
          'no-held-out-games',
          'These games leave none to measure with; take a set with at least a hundred games, or a longer context.',
        );
      await replace({ ...readBy(config.value, notation.value), watch: watch.value, newest: null });
      return ok({ panels: panelsOf(watch.value), failures });
    },

    async cancel(): Promise<void> {
      turn++;
    },

    async open(files: Map<string, Uint8Array>): Promise<Result<TrainingRecord>> {
      const mine = ++turn;
      return guarded(async () => {
        const opened = await openFolder(files);
        if (!opened.ok) return opened;
        if (mine !== turn) return replaced;
        const { model, notation, parameters, record } = opened.value;
        const reader = traceReaderOf(record.config, notation);
        await replace({ model, notation, reader, watch: null, newest: { step: record.training.steps, parameters } });
        return ok(record);
      });
    },

    async openRun(id: string): Promise<Result<null>> {
      const mine = ++turn;
      return guarded(async () => {
        const found = await newestCheckpoint(host.checkpoints, id);
        if (!found.ok) return found;
        if (!found.value) return fail('no-checkpoint', 'This run has no checkpoint, so that it cannot be asked.');
        const { config, parameters, step, kept } = found.value.checkpoint;
        const brought = vocabularyIn(found.value.checkpoint);
        if (!brought.ok) return brought;
        const notation = notationOf(config, brought.value);
        if (!notation.ok) return notation;
        if (mine !== turn) return replaced;
        await replace({ ...readBy(config, notation.value), watch: null, newest: { step: kept ?? step, parameters } });
        return ok(null);
      });
    },

    async update(snapshot: WeightsSnapshot): Promise<void> {
      // The last weights of a run may come after another model was opened in its place.
      if (subject?.watch) subject.newest = snapshot;
    },

    async evaluate(snapshot: WeightsSnapshot): Promise<Result<Evaluation>> {
      const of = subject;
      const watch = of?.watch;
      if (!of || !watch) return fail('not-prepared', 'No run has been prepared for evaluation.');
      of.newest = snapshot;
      const evaluation = await of.job(async () => {
        const engine = await of.engineFor('evaluation', snapshot);
        return unwrap(
          await evaluateRun(
            engine,
            { ...watch, notation: of.notation },
            { step: snapshot.step, pause: () => of.pause() },
          ),
        );
      });
      if (!evaluation.ok) return evaluation;
      return evaluation.value ? ok(evaluation.value) : fail('replaced', 'Another run has taken the place of this one.');
    },

    async connect(port: MessagePort): Promise<void> {
      serve<AnalyseService>(service, port);
    },

    async readGame(domain: string, text: string): Promise<Result<Uint16Array>> {
      const found = domainNamed(domain);
      if (!found.ok) return found;
      const { play, title } = found.value;
      return play?.read(text) ?? fail('not-played', `${title} is not played by two sides that move in turn.`);
    },

    async ask(text: string, at: PastStep | null = null): Promise<Result<PromptAnswer | null>> {
      const prompt = parsePrompt(text);
      if (!prompt.ok) return prompt;
      const of = subject;
      if (!of || (at === null && !of.newest) || !isBoard(of.notation)) return ok(null);
      if (!fitsPrompt(prompt.value.moves, of.notation, of.context))
        return fail(
          'prompt-too-long',
          `This prompt does not fit the model, which reads at most ${of.context} tokens; take some plies off its end.`,
        );
      return asked(of, 'prompt', at, (engine, step) =>
        answerPrompt(engine, of.notation, prompt.value, step, () => host.clock()),
      );
    },

    async askTrace(domain: string, line: string, at: PastStep | null = null): Promise<Result<TraceAnswer | null>> {
      return aboutGame({ role: 'prompt', domain, line, at }, ({ engine, reader, trace }) =>
        answerTrace(engine, reader, trace),
      );
    },

    async selfPlay(
      seed: number,
      onPly: (game: SelfPlayGame) => void,
      at: PastStep | null = null,
    ): Promise<Result<SelfPlayGame | null>> {
      const of = subject;
      if (!of || !isBoard(of.notation)) return ok(null);
      const mine = ++games;
      return asked(of, 'self-play', at, (engine, step) =>
        playItself(engine, of.notation, {
          step,
          plies: SELF_PLAY_PLIES,
          temperature: SELF_PLAY_TEMPERATURE,
          random: seededRandom('self-play', seed, step),
          onPly,
          pause: async () => {
            await of.pause();
            if (mine !== games) throw new Retired();
          },
        }),
      );
    },

    async continueTrace(
      domain: string,
      line: string,
      { events, seed, temperature }: { events: number; seed: number; temperature: number },
      onEvent: (event: WrittenEvent) => void,
      at: PastStep | null = null,
    ): Promise<Result<ContinuedTrace | null>> {
      return aboutGame({ role: 'self-play', domain, line, at }, ({ engine, reader, trace, step, pause }) =>
        continueTrace(engine, reader, trace, {
          events,
          temperature,
          random: seededRandom('continue-trace', seed, step),
          onEvent,
          pause,
        }),
      );
    },
  };
  return service;
}
