import { seededRandom } from '../../src/base/random.ts';
import { fail, ok, unwrap, type Result } from '../../src/base/result.ts';
import { parseRunConfig, type RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { notationOf } from '../../src/domains/domains.ts';
import { parsePrompt } from '../../src/domains/chess/prompt.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { ModelConfig } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { answerPrompt } from '../../src/studies/asking/answer-prompt.ts';
import { continueTrace, type ContinuedTrace, type WrittenEvent } from '../../src/studies/asking/continue-trace.ts';
import { playItself } from '../../src/studies/self-play/play-itself.ts';
import type { PromptAnswer } from '../../src/studies/asking/prompt-answer.ts';
import { fitsPrompt } from '../../src/studies/asking/prompting.ts';
import { evaluateRun, makeRunWatch, measuresNothing, panelsOf, type RunWatch } from '../../src/studies/evaluate-run.ts';
import type { Evaluation } from '../../src/studies/live.ts';
import { answerTrace, type TraceReader } from '../../src/studies/splat/asking/answer-trace.ts';
import type { TraceAnswer } from '../../src/studies/splat/asking/trace-answer.ts';
import type { SelfPlayGame } from '../../src/studies/self-play/self-play.ts';
import type { ReadGames } from '../data/games-port.ts';
import type { DataProgress } from '../data/protocol.ts';
import { guarded } from '../guarded.ts';
import { macrotask } from '../macrotask.ts';
import { gamesOfRun } from '../run-games.ts';
import { serve } from '../wire.ts';
import { openFolder } from './open-folder.ts';
import type { AnalyseService, Prepared, TrainingRecord, WeightsSnapshot } from './protocol.ts';
import { readGame, traceReaderOf } from '../../src/studies/splat/asking/trace-reader.ts';

const SELF_PLAY_PLIES = 120;
const SELF_PLAY_TEMPERATURE = 0.7;

/** What the host gives: games, an engine for a model, and a clock in milliseconds. */
export interface AnalyseHost {
  games: ReadGames;
  createEngine(model: ModelConfig, parameters: NamedArrays): Promise<Engine>;
  clock(): number;
  /** A file that ships with the lab; left out where there are none. */
  readShipped?(path: string): Promise<string>;
}

type Role = 'prompt' | 'evaluation' | 'self-play';

/** Everything of one run or of one opened model; the next makes a new one. */
interface Subject {
  model: ModelConfig;
  notation: Notation;
  /** What states are asked for with; null where they cannot be. */
  reader: TraceReader | null;
  /** Null for an opened model, which nobody trains and evaluates. */
  watch: RunWatch | null;
  newest: WeightsSnapshot | null;
  /** One engine a role, each with its own weights: a game or an evaluation must not change models half-way. */
  engines: Map<Role, { engine: Promise<Engine>; step: number }>;
  /** Questions being answered. */
  jobs: number;
  /** Another run has taken its place: what is under way gives up, and the last to leave puts the engines away. */
  retired: boolean;
}

/** Whether prompts and self-play are of this notation: SPLAT's tokens are moves whole, all others write squares. */
function isBoard(notation: Notation): boolean {
  return notation.tokensPer === 'square';
}

const replaced = fail('replaced', 'Something else has been opened meanwhile.');

/** Thrown inside a job of a run that another has replaced. */
class Retired extends Error {}

export function analyseHandlers(host: AnalyseHost): AnalyseService {
  let subject: Subject | null = null;
  /** Counts runs prepared and models opened: one that took long must not take the place of a later one. */
  let turn = 0;

  /** The role's engine with the snapshot's weights. */
  async function engineFor(of: Subject, role: Role, snapshot: WeightsSnapshot): Promise<Engine> {
    const { engines } = of;
    let held = engines.get(role);
    if (!held) {
      held = { engine: host.createEngine(of.model, snapshot.parameters), step: snapshot.step };
      engines.set(role, held);
      // A device that failed once is asked again at the next question.
      held.engine.catch(() => engines.delete(role));
    }
    const engine = await held.engine;
    if (held.step !== snapshot.step) {
      engine.setParameters(snapshot.parameters);
      held.step = snapshot.step;
    }
    return engine;
  }

  async function putAway(of: Subject): Promise<void> {
    if (!of.retired || of.jobs > 0) return;
    const engines = [...of.engines.values()];
    of.engines.clear();
    for (const { engine } of engines) (await engine).dispose();
  }

  /** What is asked about from now on; the one before gives up its work. */
  async function replace(next: Omit<Subject, 'engines' | 'jobs' | 'retired'>): Promise<void> {
    const before = subject;
    subject = { ...next, engines: new Map(), jobs: 0, retired: false };
    if (!before) return;
    before.retired = true;
    await putAway(before);
  }

  /** Does a job on a run's engines; null where another run has taken its place meanwhile. */
  async function job<T>(of: Subject, work: () => Promise<T>): Promise<Result<T | null>> {
    of.jobs++;
    const attempt = async (again: boolean): Promise<Result<T | null>> => {
      const { engines } = of;
      try {
        return ok(await work());
      } catch (error) {
        if (error instanceof Retired) return ok(null);
        if (!(error instanceof Error && error.name === 'DeviceLostError')) throw error;
        // Engines of a lost device never answer again; the next ones, which another job may have made, open another.
        if (of.engines === engines) of.engines = new Map();
        if (!again) throw error;
        return attempt(false);
      }
    };
    const done = await guarded<T | null>(() => attempt(true));
    of.jobs--;
    await putAway(of);
    return done;
  }

  /** Between the parts of a job: answers waiting messages, and gives up where the run was replaced. */
  const pauseOf = (of: Subject) => async (): Promise<void> => {
    await macrotask();
    if (of.retired) throw new Retired();
  };

  /** Asks the newest weights about a game's line; null where there are none, or of another domain or notation. */
  async function aboutGame<T>(
    role: Role,
    domain: string,
    line: string,
    work: (asked: {
      engine: Engine;
      reader: TraceReader;
      trace: Uint16Array;
      step: number;
      pause: () => Promise<void>;
    }) => Promise<Result<T>>,
  ): Promise<Result<T | null>> {
    const of = subject;
    const snapshot = of?.newest;
    if (!of || !snapshot || of.reader?.domain.name !== domain) return ok(null);
    const { reader } = of;
    const trace = readGame(reader, line);
    if (!trace.ok) return trace;
    return job(of, async () => {
      const engine = await engineFor(of, role, snapshot);
      return unwrap(await work({ engine, reader, trace: trace.value, step: snapshot.step, pause: pauseOf(of) }));
    });
  }

  const service: AnalyseService = {
    async prepare(input: RunConfig, onProgress: (progress: DataProgress) => void): Promise<Result<Prepared>> {
      const mine = ++turn;
      const config = parseRunConfig(input);
      if (!config.ok) return config;
      const notation = notationOf(config.value);
      if (!notation.ok) return notation;
      const wanted = { train: config.value.data.limit, dev: null, probe: null };
      const read = await gamesOfRun(host.games, config.value, wanted, { onProgress, cancelled: () => mine !== turn });
      if (mine !== turn) return replaced;
      if (!read.ok) return read;
      const { failures, summary } = read.value;
      const words =
        config.value.questions === null ? 'Choosing the positions to probe' : 'Choosing the questions to ask';
      onProgress({ words, share: null, games: summary.splits.train?.games ?? 0 });
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
      await replace({
        model: modelOf(config.value, { size: notation.value.vocabulary.size, slots: notation.value.slots }),
        notation: notation.value,
        reader: traceReaderOf(config.value, notation.value),
        watch: watch.value,
        newest: null,
      });
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
        await replace({
          model,
          notation,
          reader,
          watch: null,
          newest: { step: record.training.steps, parameters },
        });
        return ok(record);
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
      const evaluation = await job(of, async () => {
        const engine = await engineFor(of, 'evaluation', snapshot);
        return unwrap(await evaluateRun(engine, watch, { step: snapshot.step, pause: pauseOf(of) }));
      });
      if (!evaluation.ok) return evaluation;
      return evaluation.value ? ok(evaluation.value) : fail('replaced', 'Another run has taken the place of this one.');
    },

    async connect(port: MessagePort): Promise<void> {
      serve<AnalyseService>(service, port);
    },

    async ask(text: string): Promise<Result<PromptAnswer | null>> {
      const prompt = parsePrompt(text);
      if (!prompt.ok) return prompt;
      const of = subject;
      const snapshot = of?.newest;
      if (!of || !snapshot || !isBoard(of.notation)) return ok(null);
      if (!fitsPrompt(prompt.value.moves, of.notation, of.model.context))
        return fail(
          'prompt-too-long',
          `This prompt does not fit the model, which reads at most ${of.model.context} tokens; take some plies off its end.`,
        );
      return job(of, async () => {
        const engine = await engineFor(of, 'prompt', snapshot);
        return answerPrompt(engine, of.notation, prompt.value, snapshot.step, () => host.clock());
      });
    },

    async askTrace(domain: string, line: string): Promise<Result<TraceAnswer | null>> {
      return aboutGame('prompt', domain, line, ({ engine, reader, trace }) => answerTrace(engine, reader, trace));
    },

    async selfPlay(seed: number, onPly: (game: SelfPlayGame) => void): Promise<Result<SelfPlayGame | null>> {
      const of = subject;
      const snapshot = of?.newest;
      if (!of || !snapshot || !isBoard(of.notation)) return ok(null);
      return job(of, async () => {
        const engine = await engineFor(of, 'self-play', snapshot);
        return playItself(engine, of.notation, {
          step: snapshot.step,
          plies: SELF_PLAY_PLIES,
          temperature: SELF_PLAY_TEMPERATURE,
          random: seededRandom('self-play', seed, snapshot.step),
          onPly,
          pause: pauseOf(of),
        });
      });
    },

    async continueTrace(
      domain: string,
      line: string,
      { events, seed, temperature }: { events: number; seed: number; temperature: number },
      onEvent: (event: WrittenEvent) => void,
    ): Promise<Result<ContinuedTrace | null>> {
      return aboutGame('self-play', domain, line, ({ engine, reader, trace, step, pause }) =>
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
