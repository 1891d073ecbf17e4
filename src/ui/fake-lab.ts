import type { AnalyseService } from '../../workers/analyse/protocol.ts';
import type { DataService, GamesSummary } from '../../workers/data/protocol.ts';
import type { RunRecord, TrainEvent, TrainService } from '../../workers/train/protocol.ts';
import { proportion } from '../base/statistics.ts';
import { ok } from '../base/result.ts';
import { presets } from '../config/presets.ts';
import { explainIllegal } from '../domains/chess/explain.ts';
import { Position } from '../domains/chess/position.ts';
import { parsePrompt } from '../domains/chess/prompt.ts';
import { squareName } from '../domains/chess/squares.ts';
import { uciOf } from '../domains/chess/uci.ts';
import type { Candidate, PromptAnswer } from '../probes/prompt-answer.ts';
import type { Evaluation } from '../probes/scores.ts';
import type { SelfPlayGame } from '../probes/self-play.ts';
import { parameterCount } from './state/estimate.ts';
import { legalSquares, PIECES } from './state/reading.ts';
import type { Services } from './state/workers.ts';

/** Invented answers, in development only, so that the page can be looked at without a model. */
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const noise = (i: number): number => Math.sin(i * 12.9898) * 0.5 + Math.sin(i * 4.1414) * 0.5;

const embedded: GamesSummary = {
  key: 'embedded',
  title: 'Self-play',
  words: 'Invented figures: a stand-in for the games played by an engine for this lab.',
  source: 'fake-lab.ts',
  licence: 'none',
  hash: '0'.repeat(64),
  splits: {
    train: { games: 20000, plies: 1600000 },
    dev: { games: 500, plies: 40000 },
    probe: { games: 2000, plies: 160000 },
  },
  lengths: [0, 5, 40, 160, 320, 500, 640, 700, 650, 560, 440, 320, 220, 150, 90],
};

function evaluation(step: number, n = 100): Evaluation {
  const rise = (low: number, high: number, at: number): number =>
    Math.round(n * (low + (high - low) / (1 + Math.exp(-(step - at) / 220)) + 0.02 * noise(step)));
  const scores = (lower: number): Evaluation['long'] => ({
    endActual: { legal: proportion(rise(0.3, 0.86 - lower, 800), n), exact: proportion(rise(0.08, 0.3, 900), n) },
    startActual: {
      legal: proportion(rise(0.05, 0.85 - lower, 1000), n),
      exact: proportion(rise(0.04, 0.7 - lower, 1100), n),
    },
  });
  return {
    step,
    devPerplexity: 12 + 900 * Math.exp(-step / 120) + 30 * Math.exp(-step / 700),
    short: scores(0),
    long: scores(0.08),
  };
}

export class FakeLab implements Services {
  #step = 0;
  #steps = 2000;
  #going = false;
  #onEvent: (event: TrainEvent) => void = () => undefined;
  #record: RunRecord | null = null;
  #others: RunRecord[] = new URLSearchParams(location.search).has('kept')
    ? [
        {
          id: 'b',
          name: 'Nano, piece names 15%',
          config: presets[0].config,
          status: 'interrupted',
          step: 1250,
          parameters: 127_000,
          backend: 'wasm',
          createdAt: 1.76e12,
          updatedAt: 1.763e12,
          loss: 1.62,
          evaluation: evaluation(1250),
        },
        {
          id: 'a',
          name: 'Tiny, UCI',
          config: { ...presets[1].config, notation: 'uci' },
          status: 'finished',
          step: 8000,
          parameters: 845_000,
          backend: 'webgpu',
          createdAt: 1.75e12,
          updatedAt: 1.76e12,
          loss: 1.31,
          evaluation: evaluation(8000),
        },
      ]
    : [];

  guard<T>(promise: Promise<T>): Promise<T> {
    return promise;
  }

  readonly data: DataService = {
    list: async () => [embedded],
    open: async (_key, onProgress) => {
      for (let i = 0; i < 5; i++) {
        onProgress({ words: `Reading shard ${i + 1} of 5`, share: i / 5, games: i * 4000 });
        await wait(60);
      }
      const corpus = () => ({ moves: new Uint16Array(4), offsets: new Uint32Array(2) });
      return ok({ summary: embedded, train: corpus(), dev: corpus(), probe: corpus(), failures: [] });
    },
    import: async (files, onProgress) => {
      onProgress({ words: 'Reading the first file', share: 0.4, games: 1200 });
      await wait(800);
      return ok({
        summary: { ...embedded, key: 'mine', title: files[0]?.name ?? 'games' },
        read: 1500,
        kept: 1340,
        dropped: { 'shorter than 10 plies': 90, duplicate: 68 },
        failures: [
          {
            code: 'illegal-move',
            message: 'Ply 23, White to move: the bishop on f1 is blocked by the pawn on e2',
            where: { file: files[0]?.name, line: 312, ply: 23 },
          },
        ],
      });
    },
    importUrl: async () => ({
      ok: false,
      error: { code: 'fetch', message: 'The address did not answer. Check it, or download the file and drop it here.' },
    }),
    cancel: async () => undefined,
    remove: async () => ok(null),
  };

  readonly train: TrainService = {
    device: async (wanted) => ({
      backend: wanted ?? 'wasm',
      adapter: 'SIMD, 2 threads',
      reason: 'No graphics card is offered here, so the processor is used',
      available: [
        { backend: 'wasm', note: 'the processor, compiled code' },
        { backend: 'cpu', note: 'the processor, plain JavaScript; slow' },
      ],
    }),
    connectAnalyser: async () => undefined,
    start: async (config, _train, wanted, onEvent) => {
      this.#steps = config.schedule.steps;
      this.#step = 0;
      this.#onEvent = onEvent;
      this.#record = {
        id: 'c',
        name: 'Nano, piece names 15%',
        config,
        status: 'running',
        step: 0,
        parameters: parameterCount(config),
        backend: wanted ?? 'wasm',
        createdAt: Date.now(),
        updatedAt: Date.now(),
        loss: null,
        evaluation: null,
      };
      this.#going = true;
      void this.#loop(config.evaluation.every);
      const device = await this.train.device(wanted);
      return ok({ record: this.#record, device, losses: new Float32Array(), evaluations: [] });
    },
    resume: async (_id, train, wanted, onEvent) => this.train.start(presets[0].config, train, wanted, onEvent),
    pause: async () => this.#tell('paused'),
    step: async () => this.#advance(1),
    continue: async () => this.#tell('running'),
    stop: async () => this.#tell('stopped'),
    runs: async () => [...(this.#record ? [this.#record] : []), ...this.#others],
    remove: async (id) => {
      this.#others = this.#others.filter((run) => run.id !== id);
      return ok(null);
    },
    export: async () => ok({ name: 'model.zip', bytes: new Uint8Array(10) }),
  };

  readonly analyse: AnalyseService = {
    prepare: async () =>
      ok({
        randomLegal: { short: { endExact: 0.24, startExact: 0.84 }, long: { endExact: 0.196, startExact: 0.86 } },
        bigram: { short: { endExact: 0.2, endLegal: 0.52 }, long: { endExact: 0.12, endLegal: 0.43 } },
        instances: { short: 100, long: 100 },
      }),
    update: async () => undefined,
    evaluate: async (snapshot) => ok(evaluation(snapshot.step)),
    connect: async () => undefined,
    ask: async (text) => ok(this.#step === 0 ? null : answer(text, this.#step, this.#step / this.#steps)),
    selfPlay: async (seed, onPly) => {
      if (this.#step === 0) return ok(null);
      const position = Position.initial();
      const game: SelfPlayGame = { step: this.#step, plies: [], legalPlies: 0, ending: '' };
      for (let i = 0; i < 40; i++) {
        const legal = position.legalMoves();
        if (legal.length === 0) break;
        const move = legal[Math.floor(Math.abs(noise(seed * 31 + i)) * legal.length) % legal.length];
        const wrong = (seed * 7 + i * 5) % 13 === 0;
        const word = uciOf(move);
        game.plies.push({
          wrote: wrong ? 'd1h5' : word,
          legal: !wrong,
          words: wrong ? explainIllegal(position, 3, 39).words : null,
          played: word,
        });
        if (!wrong) game.legalPlies++;
        position.play(move);
        onPly(structuredClone(game));
        await wait(50);
      }
      return ok({ ...game, ending: 'Stopped after 40 plies' });
    },
  };

  #tell(status: 'paused' | 'running' | 'stopped' | 'finished'): void {
    this.#going = status === 'running';
    if (status === 'running') void this.#loop(50);
    this.#onEvent({ kind: 'status', status, words: status, failure: null });
  }

  #advance(by: number): void {
    const losses = Float32Array.from(
      { length: by },
      (_, i) => 1.35 + 2.9 * Math.exp(-(this.#step + i) / 260) + 0.12 * noise(this.#step + i),
    );
    const firstStep = this.#step + 1;
    this.#step += by;
    this.#onEvent({
      kind: 'progress',
      step: this.#step,
      steps: this.#steps,
      firstStep,
      losses,
      tokens: this.#step * 640,
      tokensPerSecond: 9840,
      secondsLeft: (this.#steps - this.#step) / 14,
      learningRate: 1e-3,
      gradientNorm: 0.6,
    });
  }

  async #loop(every: number): Promise<void> {
    while (this.#going && this.#step < this.#steps) {
      await wait(60);
      if (!this.#going) return;
      this.#advance(10);
      if (this.#step % every === 0) {
        this.#onEvent({ kind: 'evaluation', evaluation: evaluation(this.#step) });
        this.#onEvent({ kind: 'checkpoint', step: this.#step });
      }
    }
    if (this.#step >= this.#steps) this.#tell('finished');
  }
}

function answer(text: string, step: number, skill: number): PromptAnswer | null {
  const parsed = parsePrompt(text);
  if (!parsed.ok) return null;
  const prompt = parsed.value;
  const legal = legalSquares(prompt);
  const squares = Float32Array.from({ length: 64 }, (_, square) =>
    Math.exp((legal.includes(square) ? 3 + 3 * skill : 0.6 * skill) + 1.7 * noise(square + step / 900)),
  );
  const sum = squares.reduce((a, b) => a + b, 0);
  for (let i = 0; i < 64; i++) squares[i] /= sum;
  const order = Array.from(squares.keys()).sort((a, b) => squares[b] - squares[a]);
  const from = prompt.query.kind === 'end' ? prompt.query.from : 0;
  const candidates = order.slice(0, 10).map((square): Candidate => {
    const isLegal = legal.includes(square);
    const why = explainIllegal(prompt.position, from, square);
    return {
      token: squareName(square),
      square,
      probability: squares[square],
      legal: isLegal,
      error: isLegal ? null : why.blockers.length ? 'path obstruction' : 'syntax',
      words: isLegal ? null : why.words,
      blockers: why.blockers,
      checkLines: why.checkLines,
    };
  });
  const pieces = Object.fromEntries(
    PIECES.map((piece, i) => {
      const heat = Float32Array.from(
        { length: 64 },
        (_, square) =>
          (prompt.position.pieceAt(square) === ((i + 1) | (prompt.position.turn << 3)) ? skill : 0) * 0.4 +
          0.02 * Math.abs(noise(square * (i + 2))),
      );
      return [piece, heat];
    }),
  ) as PromptAnswer['pieces'];
  return {
    canonical: prompt.canonical,
    step,
    candidates,
    squares,
    legal,
    legalMass: legal.reduce((total, square) => total + squares[square], 0),
    pieces,
    knowsPieceNames: true,
    milliseconds: 12,
  };
}
