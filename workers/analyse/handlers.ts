import { seededRandom } from '../../src/base/random.ts';
import { fail, failureOf, ok, type Result } from '../../src/base/result.ts';
import { parseRunConfig, type RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { chess } from '../../src/domains/chess/chess.ts';
import { parsePrompt } from '../../src/domains/chess/prompt.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { GptConfig } from '../../src/models/gpt.ts';
import { answerPrompt } from '../../src/probes/answer-prompt.ts';
import { countBigram } from '../../src/probes/bigram.ts';
import { evaluate, referenceScores, type Watch } from '../../src/probes/evaluate.ts';
import { makeInstances } from '../../src/probes/instances.ts';
import { playItself } from '../../src/probes/play-itself.ts';
import type { PromptAnswer } from '../../src/probes/prompt-answer.ts';
import { prefixRanges, type Evaluation, type ReferenceScores } from '../../src/probes/scores.ts';
import type { SelfPlayGame } from '../../src/probes/self-play.ts';
import type { CorpusBuffers } from '../data/protocol.ts';
import { macrotask } from '../macrotask.ts';
import { serve } from '../wire.ts';
import type { AnalyseService, WeightsSnapshot } from './protocol.ts';

/** The authors' seed of instance choice. */
const INSTANCE_SEED = 42;
const SELF_PLAY_PLIES = 120;
const SELF_PLAY_TEMPERATURE = 0.7;

/** What the host gives: an engine for a model, and a clock in milliseconds. */
export interface AnalyseHost {
  createEngine(model: GptConfig): Promise<Engine>;
  clock(): number;
}

type Role = 'prompt' | 'evaluation' | 'self-play';

/** Everything of one run; a new run makes a new one. */
interface Subject {
  model: GptConfig;
  notation: Notation;
  watch: Watch;
  newest: WeightsSnapshot | null;
  /** One engine a role, each with its own weights: a game or an evaluation must not change models half-way. */
  engines: Map<Role, { engine: Engine; step: number }>;
}

export function analyseHandlers(host: AnalyseHost): AnalyseService {
  let subject: Subject | null = null;

  /** The role's engine with the snapshot's weights. */
  async function engineFor(of: Subject, role: Role, snapshot: WeightsSnapshot): Promise<Engine> {
    let held = of.engines.get(role);
    if (!held) {
      held = { engine: await host.createEngine(of.model), step: -1 };
      of.engines.set(role, held);
    }
    if (held.step !== snapshot.step) {
      held.engine.setParameters(snapshot.parameters);
      held.step = snapshot.step;
    }
    return held.engine;
  }

  const service: AnalyseService = {
    async prepare(
      input: RunConfig,
      corpora: { train: CorpusBuffers; dev: CorpusBuffers; probe: CorpusBuffers },
    ): Promise<Result<ReferenceScores>> {
      const config = parseRunConfig(input);
      if (!config.ok) return config;
      const notation = chess.notation(config.value.notation);
      if (!notation.ok) return notation;
      for (const { engine } of subject?.engines.values() ?? []) engine.dispose();
      const { evaluation } = config.value;
      const [train, dev, probe] = [corpora.train, corpora.dev, corpora.probe].map(
        (buffers) => new Corpus(buffers.moves, buffers.offsets),
      );
      const watch: Watch = { dev: [...dev].slice(0, evaluation.games), instances: { short: [], long: [] } };
      for (const range of ['short', 'long'] as const)
        watch.instances[range] = await makeInstances(probe, {
          range: prefixRanges[range],
          n: evaluation.instances,
          seed: INSTANCE_SEED,
          avoid: train,
        });
      if (watch.dev.length === 0 || watch.instances.short.length === 0)
        return fail(
          'no-held-out-games',
          'These games leave none to measure with; take a set with at least a hundred games.',
        );
      subject = {
        model: { ...config.value.model, vocabulary: notation.value.vocabulary.size },
        notation: notation.value,
        watch,
        newest: null,
        engines: new Map(),
      };
      return ok(referenceScores(watch.instances, countBigram(train)));
    },

    async update(snapshot: WeightsSnapshot): Promise<void> {
      if (subject) subject.newest = snapshot;
    },

    async evaluate(snapshot: WeightsSnapshot): Promise<Result<Evaluation>> {
      const of = subject;
      if (!of) return fail('not-prepared', 'No run has been prepared for evaluation.');
      of.newest = snapshot;
      return guarded(async () => {
        const engine = await engineFor(of, 'evaluation', snapshot);
        return evaluate(engine, of.notation, of.watch, { step: snapshot.step, pause: macrotask });
      });
    },

    async connect(port: MessagePort): Promise<void> {
      serve<AnalyseService>(service, port);
    },

    async ask(text: string): Promise<Result<PromptAnswer | null>> {
      const prompt = parsePrompt(text);
      if (!prompt.ok) return prompt;
      const of = subject;
      const snapshot = of?.newest;
      if (!of || !snapshot) return ok(null);
      const tokens = of.notation.maxTokens(prompt.value.moves.length);
      if (tokens + 1 > of.model.context)
        return fail(
          'prompt-too-long',
          `The model reads ${of.model.context} tokens and this prompt needs up to ${tokens + 1}; take some plies off its end.`,
        );
      return guarded(async () => {
        const engine = await engineFor(of, 'prompt', snapshot);
        return ok(await answerPrompt(engine, of.notation, prompt.value, snapshot.step, () => host.clock()));
      });
    },

    async selfPlay(seed: number, onPly: (game: SelfPlayGame) => void): Promise<Result<SelfPlayGame | null>> {
      const of = subject;
      const snapshot = of?.newest;
      if (!of || !snapshot) return ok(null);
      return guarded(async () => {
        const engine = await engineFor(of, 'self-play', snapshot);
        return ok(
          await playItself(engine, of.notation, {
            step: snapshot.step,
            plies: SELF_PLAY_PLIES,
            temperature: SELF_PLAY_TEMPERATURE,
            random: seededRandom('self-play', seed, snapshot.step),
            onPly,
            pause: macrotask,
          }),
        );
      });
    },
  };
  return service;
}

/** Turns an exception into a value that crosses the edge whole. */
async function guarded<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}
