import { batchOf, type Batch } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import type { QuestionsConfig } from '../../../config/questions-schema.ts';
import { epochOrder } from '../../../data/batches.ts';
import type { Corpus } from '../../../data/corpus.ts';
import type { Notation } from '../../../domains/domain.ts';
import { askableEvents } from '../questions/askable-events.ts';
import { GOAL_TRIES } from '../questions/make.ts';
import type { QuestionLine } from '../questions/question.ts';
import type { Questions } from '../questions/questions.ts';

export interface QuestionBatchOptions extends Pick<QuestionsConfig, 'perGame' | 'perLine' | 'goals' | 'learn'> {
  /** Lines in a batch. */
  games: number;
  seed: number;
  /** Most tokens in a row. Of longer games only so much is asked about as leaves room for the question. */
  context: number;
}

/**
 * Question lines in batches (Demeter and Downey 2021, section 5.1), a pure function of (seed, step). In each epoch every
 * game is asked `perGame` new questions, each form equally likely among those that the game is long enough for; games
 * too short for any are left out. Question i of a game draws from its own stream ("questions", seed, epoch, game, i).
 * Where `perLine` is more than one, a line that asks for
 * something of the state goes on with other such questions about the same moment, "[sep] Q arguments answer [end]" each,
 * as far as they differ and fit; a goal stays alone, since its answer plays on.
 */
export class QuestionBatches {
  readonly stepsPerEpoch: number;
  /** Numbers of the games that can be asked about, and [games] of how many of its events. */
  private readonly games: Uint32Array;
  private readonly events: Uint16Array;
  private epoch = -1;
  private order: Uint32Array = new Uint32Array(0);

  constructor(
    private readonly corpus: Corpus,
    private readonly notation: Notation,
    private readonly questions: Questions,
    private readonly options: QuestionBatchOptions,
  ) {
    const eventsOf = askableEvents(questions, notation, options.context);
    this.events = Uint16Array.from({ length: corpus.length }, (_, game) => eventsOf(corpus.trace(game)));
    // A form that a state answers can always be asked, a goal only where something leads to one.
    const random = seededRandom('questions', 'askable');
    this.games = Uint32Array.from({ length: corpus.length }, (_, game) => game).filter(
      (game) => questions.drawPoint(this.events[game], { random, only: 'state' }) !== null,
    );
    this.stepsPerEpoch = Math.ceil((this.games.length * options.perGame) / options.games);
  }

  batch(step: number): Batch {
    const epoch = this.epochOf(step);
    const rows = Array.from(this.rowsOf(step), (row) => this.tokensOf(epoch, row));
    const batch = batchOf(rows.map(({ tokens }) => tokens));
    if (this.options.learn === 'line') return batch;
    const learn = new Uint8Array(batch.tokens.length);
    rows.forEach(({ answers }, row) => {
      for (const [from, to] of answers) learn.fill(1, batch.offsets[row] + from, batch.offsets[row] + to);
    });
    return { ...batch, learn };
  }

  gamesOf(step: number): Uint32Array {
    return this.rowsOf(step).map((row) => this.games[Math.floor(row / this.options.perGame)]);
  }

  eventsIn(step: number): number {
    const epoch = this.epochOf(step);
    return this.rowsOf(step).reduce((sum, row) => sum + this.streamOf(epoch, row).point.length, 0);
  }

  /** The lines of a step's batch, in the order of its rows. */
  linesOf(step: number): QuestionLine[] {
    const epoch = this.epochOf(step);
    return Array.from(this.rowsOf(step), (row) => this.lineOf(epoch, row));
  }

  private epochOf(step: number): number {
    return Math.floor(step / this.stepsPerEpoch);
  }

  /** Row r of an epoch is question r % perGame of the game at r / perGame. */
  private rowsOf(step: number): Uint32Array {
    this.enter(this.epochOf(step));
    const { games } = this.options;
    const start = (step % this.stepsPerEpoch) * games;
    return this.order.subarray(start, start + games);
  }

  private streamOf(epoch: number, row: number) {
    const { perGame, seed } = this.options;
    const game = this.games[Math.floor(row / perGame)];
    const random = seededRandom('questions', seed, epoch, game, row % perGame);
    return { game, random, point: this.questions.drawPoint(this.events[game], { random })! };
  }

  /** A row's tokens, and where its answers begin and end. */
  private tokensOf(epoch: number, row: number): { tokens: number[]; answers: [number, number][] } {
    const { questions, options } = this;
    const line = this.lineOf(epoch, row);
    const { prompt, answer, candidates } = questions.encode(line);
    const tokens = this.spelt(prompt);
    const answers: [number, number][] = [];
    const answerWith = (spelt: readonly number[]): void => {
      answers.push([tokens.length, tokens.length + spelt.length]);
      tokens.push(...spelt);
    };
    answerWith(this.spelt(answer));
    if (candidates === null) return { tokens, answers };
    const random = seededRandom('further questions', options.seed, epoch, row);
    const asked = new Set([questionText(line)]);
    const point = { form: line.form, length: line.prefix.length };
    // Draws that give a question twice are lost, so that small games end too.
    for (let tries = 0; tries < 4 * options.perLine && asked.size < options.perLine; tries++) {
      // A question without arguments is asked once at most.
      const forms = questions.forms.filter(
        ({ kind, name, takes }) => kind === 'state' && (takes.length > 0 || !asked.has(name)),
      );
      if (forms.length === 0) break;
      const form = forms[random.below(forms.length)].name;
      const further = questions.makeAt(line.prefix, { ...point, form }, { random, mode: options.goals })!;
      if (asked.has(questionText(further))) continue;
      asked.add(questionText(further));
      const encoded = questions.encode(further);
      // The verbs stand at the head of the line already.
      const tail = this.spelt(encoded.prompt.slice(encoded.prompt.length - further.args.length - 2));
      const answered = this.spelt(encoded.answer);
      if (tokens.length + tail.length + answered.length > options.context) break;
      tokens.push(...tail);
      answerWith(answered);
    }
    return { tokens, answers };
  }

  /** Tokens of the game as the model reads them. */
  private spelt(words: readonly number[]): number[] {
    return this.notation.text?.spell(words) ?? [...words];
  }

  private lineOf(epoch: number, row: number): QuestionLine {
    const { questions, options } = this;
    const { game, random, point: first } = this.streamOf(epoch, row);
    const events = this.events[game];
    const trace = this.corpus.trace(game).subarray(0, events);
    const asked = { random, mode: options.goals };
    let point = first;
    // Where none of them has a goal that can be asked, another question takes its place.
    for (let i = 0; i < GOAL_TRIES; i++) {
      const line = questions.makeAt(trace, point, asked);
      if (line) return line;
      point = questions.drawPoint(events, { random, only: 'goal' })!;
    }
    return questions.makeAt(trace, questions.drawPoint(events, { random, only: 'state' })!, asked)!;
  }

  private enter(epoch: number): void {
    if (epoch === this.epoch) return;
    this.order = epochOrder(this.games.length * this.options.perGame, this.options.seed, epoch);
    this.epoch = epoch;
  }
}

/** What tells two questions about one state apart. */
function questionText({ form, args }: QuestionLine): string {
  return [form, ...args].join(' ');
}
