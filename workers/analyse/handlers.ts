import type { ModelVocabulary } from '../../src/base/text-tokenizer.ts';
import { seededRandom } from '../../src/base/random.ts';
import { fail, inputError, ok, unwrap, type Result } from '../../src/base/result.ts';
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
import { continueTrace } from '../../src/studies/asking/continue-trace.ts';
import { playItself } from '../../src/studies/self-play/play-itself.ts';
import { fitsPrompt } from '../../src/studies/asking/prompting.ts';
import { evaluateRun, makeRunWatch, measuresNothing, panelsOf } from '../../src/studies/evaluate-run.ts';
import { answerTrace, type TraceReader } from '../../src/studies/splat/asking/answer-trace.ts';
import { vocabularyIn } from '../../src/training/checkpoint.ts';
import { newestCheckpoint, type CheckpointStore } from '../../src/training/checkpoint-store.ts';
import type { ReadGames } from '../data/games-port.ts';
import { guarded } from '../guarded.ts';
import { gamesOfRun } from '../run-games.ts';
import { serve } from '../wire.ts';
import { openFolder } from './open-folder.ts';
import { PastWeights } from './past-weights.ts';
import type { AnalyseService, PastStep } from './protocol.ts';
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

  /** The tokens of a run's model where it brings them, from their files or from the checkpoint of a run. Fails as InputError. */
  async function broughtBy(
    config: RunConfig,
    tokens: Map<string, Uint8Array> | string | undefined,
  ): Promise<ModelVocabulary | null> {
    if (typeof tokens !== 'string')
      return unwrap(modelVocabulary(config, tokens ?? new Map(), startOf(config)?.rows ?? 0));
    if (!bringsTokens(config)) return null;
    const found = unwrap(await newestCheckpoint(host.checkpoints, tokens));
    if (!found)
      throw inputError('no-checkpoint', 'The run has no checkpoint, which would have the tokens that its model reads.');
    return unwrap(vocabularyIn(found.checkpoint));
  }

  const service: AnalyseService = {
    async prepare(input, onProgress, tokens) {
      const mine = ++turn;
      return guarded(async () => {
        const config = unwrap(parseRunConfig(input));
        const notation = unwrap(notationOf(config, await broughtBy(config, tokens)));
        const wanted = { train: config.data.limit, dev: null, probe: null };
        const read = await gamesOfRun(host.games, config, wanted, { onProgress, cancelled: () => mine !== turn });
        if (mine !== turn) return replaced;
        const { failures, summary, ...splits } = unwrap(read);
        const label = config.questions === null ? 'Choosing the positions to probe' : 'Choosing the questions to ask';
        onProgress({ label, share: null, games: summary.splits.train?.games ?? 0 });
        const [train, dev, probe] = [splits.train, splits.dev, splits.probe].map((one) => Corpus.of(one));
        const watch = unwrap(await makeRunWatch(config, notation, { train, dev, probe }, host.readShipped));
        if (mine !== turn) return replaced;
        if (measuresNothing(watch))
          return fail(
            'no-held-out-games',
            'These games leave none to measure with; take a set with at least a hundred games, or a longer context.',
          );
        await replace({ ...readBy(config, notation), watch, newest: null });
        return ok({ panels: panelsOf(watch), failures });
      });
    },

    async cancel() {
      turn++;
    },

    async open(files) {
      const mine = ++turn;
      return guarded(async () => {
        const { model, notation, parameters, record } = await openFolder(files);
        if (mine !== turn) return replaced;
        const reader = traceReaderOf(record.config, notation);
        await replace({ model, notation, reader, watch: null, newest: { step: record.training.steps, parameters } });
        return ok(record);
      });
    },

    async openRun(id) {
      const mine = ++turn;
      return guarded(async () => {
        const found = unwrap(await newestCheckpoint(host.checkpoints, id));
        if (!found) return fail('no-checkpoint', 'This run has no checkpoint, so that it cannot be asked.');
        const { config, parameters, step, kept } = found.checkpoint;
        const notation = unwrap(notationOf(config, unwrap(vocabularyIn(found.checkpoint))));
        if (mine !== turn) return replaced;
        await replace({ ...readBy(config, notation), watch: null, newest: { step: kept ?? step, parameters } });
        return ok(null);
      });
    },

    async update(snapshot) {
      // The last weights of a run may come after another model was opened in its place.
      if (subject?.watch) subject.newest = snapshot;
    },

    async evaluate(snapshot) {
      const of = subject;
      const watch = of?.watch;
      if (!of || !watch) return fail('not-prepared', 'No run has been prepared for evaluation.');
      of.newest = snapshot;
      const evaluation = await of.job(async () => {
        const engine = await of.engineFor('evaluation', snapshot);
        const asked = { ...watch, notation: of.notation };
        return unwrap(await evaluateRun(engine, asked, { step: snapshot.step, pause: () => of.pause() }));
      });
      if (!evaluation.ok) return evaluation;
      return evaluation.value ? ok(evaluation.value) : fail('replaced', 'Another run has taken the place of this one.');
    },

    async connect(port) {
      serve<AnalyseService>(service, port);
    },

    async readGame(domain, text) {
      const found = domainNamed(domain);
      if (!found.ok) return found;
      const { play, title } = found.value;
      return play?.read(text) ?? fail('not-played', `${title} is not played by two sides that move in turn.`);
    },

    async ask(text, at = null) {
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

    askTrace: (domain, line, at = null) =>
      aboutGame({ role: 'prompt', domain, line, at }, ({ engine, reader, trace }) =>
        answerTrace(engine, reader, trace),
      ),

    async selfPlay(seed, onPly, at = null) {
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

    continueTrace: (domain, line, { events, seed, temperature }, onEvent, at = null) =>
      aboutGame({ role: 'self-play', domain, line, at }, ({ engine, reader, trace, step, pause }) => {
        const random = seededRandom('continue-trace', seed, step);
        return continueTrace(engine, reader, trace, { events, temperature, random, onEvent, pause });
      }),
  };
  return service;
}
