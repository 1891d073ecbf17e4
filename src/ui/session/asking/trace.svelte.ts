import type { Result } from '../../../base/result.ts';
import { DOMAINS, type AnyDomain } from '../../../domains/domains.ts';
import type { ContinuedTrace, WrittenEvent } from '../../../studies/asking/continue-trace.ts';
import type { TraceAnswer } from '../../../studies/splat/asking/trace-answer.ts';
import { exampleLine } from '../../../domains/example-game.ts';
import { Question } from './question.svelte.ts';
import { valuesOf } from '../../../domains/state-values.ts';
import { liveliest, readTrace } from './trace-reading.ts';
import { describeEvent, eventText } from '../../../domains/record-lines.ts';

/** The model as a game asks it; null where none can answer, or where the reason was told elsewhere. */
export interface TraceModel {
  ask(domain: string, line: string): Promise<Result<TraceAnswer> | null>;
  goOn(
    domain: string,
    line: string,
    options: { events: number; seed: number; temperature: number },
    onEvent: (event: WrittenEvent) => void,
  ): Promise<Result<ContinuedTrace> | null>;
}

/** Milliseconds from one event to the next while a game plays. */
export const SPEEDS = { slow: 1600, steady: 600, fast: 150 } as const;
export type Speed = keyof typeof SPEEDS;

/** Events that the model writes in one go, and how boldly it draws them. */
const EVENTS_IN_A_GO = 60;
const TEMPERATURE = 0.7;

/** The game beside the picture: its line, where in it one looks, and what the model says there. */
export class TraceState {
  domain = $state.raw<AnyDomain>(DOMAINS[0]);
  text = $state('');
  reading = $derived(readTrace(this.domain, this.text));
  length = $derived(this.reading.events.length);
  speed = $state<Speed>('steady');
  playing = $state(false);
  /** Why the event chosen last was not added; cleared by the next change. */
  refusal = $state('');
  undoable = $state(false);
  /** The model is writing on; "stopped" while what it still sends is not taken. */
  writing = $state<'none' | 'model' | 'stopped'>('none');
  /** Why the model stopped writing; cleared by the next change. */
  said = $state('');

  #at = $state(0);
  /** Events that have happened in the picture. */
  at = $derived(Math.min(this.#at, this.length));
  values = $derived(valuesOf(this.domain, this.reading.states[this.at]));
  /** The events up to here in the domain's own text: what the model is asked about. */
  line = $derived(this.domain.traces.format(this.reading.events.subarray(0, this.at)));
  readonly question: Question<{ domain: string; line: string }, TraceAnswer>;
  /** The answer to what the picture shows. */
  answer = $derived.by(() => {
    const { latest } = this.question;
    return latest?.asked.line === this.line ? latest.answer : null;
  });

  /** Where moves are chosen on the picture: those that the rules allow, and how likely the model finds each. */
  onPicture = $derived.by(() => {
    const events = this.question.latest?.answer.events ?? [];
    return {
      choices: this.domain.legal(this.reading.states[this.at]).map((event) => eventText(this.domain, event)),
      shares: Object.fromEntries(events.map(({ text, probability }) => [text, probability])),
      onchoose: (square: string) => this.append(square),
    };
  });

  #onPage = false;
  /** Games of other domains, by name, as they were left. */
  #left: Record<string, { text: string; at: number } | undefined> = {};
  #before: { text: string; at: number }[] = [];
  #example = 0;
  #goes = 0;
  #player: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly model: TraceModel) {
    this.question = new Question(
      ({ domain, line }) => model.ask(domain, line),
      () => (this.#onPage ? { domain: this.domain.name, line: this.line } : null),
    );
  }

  /** Shows a game of this domain, the one that was on show last; nothing is asked before. Gives back how to leave. */
  show(domain: AnyDomain): () => void {
    if (this.domain !== domain || this.text === '') {
      this.question.forget();
      this.#before = [];
      this.undoable = false;
      this.domain = domain;
      const kept = this.#left[domain.name];
      this.text = kept?.text ?? exampleLine(domain, 1);
      this.#at = kept?.at ?? liveliest(domain, this.reading.states);
      this.refusal = '';
    }
    this.#onPage = true;
    this.question.askSoon();
    return () => {
      this.#onPage = false;
      this.pause();
      this.#left[this.domain.name] = { text: this.text, at: this.at };
    };
  }

  /** What an address says of the game: nothing of one that the page has found. */
  get link(): string {
    return this.undoable && this.reading.failure === null ? this.text : '';
  }

  /** Takes a game from an address. */
  open(line: string): Result<unknown> {
    const read = this.domain.traces.parse(line);
    if (read.ok) this.write(line);
    return read;
  }

  /** Replaces the line and looks at its end; typing keeps one undo step for each pause. */
  write(text: string, typed = false): void {
    if (text === this.text) return;
    if (!typed || !this.question.soon) this.#keep();
    this.pause();
    this.text = text;
    this.#at = this.length;
    this.#changed();
  }

  undo(): void {
    const before = this.#before.pop();
    this.undoable = this.#before.length > 0;
    if (before === undefined) return;
    this.pause();
    this.text = before.text;
    this.#at = before.at;
    this.#changed();
  }

  /** Another example game, some way into it. */
  example(): void {
    this.#keep();
    this.pause();
    this.text = exampleLine(this.domain, ++this.#example + 1);
    this.#at = liveliest(this.domain, this.reading.states);
    this.#changed();
  }

  /** Adds an event, or tokens of one, behind what the picture shows; what came after it in the line goes. */
  append(event: string): void {
    const line = `${this.line} ${event}`.trim();
    const read = this.domain.traces.parse(line);
    if (!read.ok) {
      this.refusal = read.error.message;
      return;
    }
    if (read.value.length === this.at) {
      this.refusal = 'The game ends here; there is nothing to add.';
      return;
    }
    if (this.reading.events[this.at] === read.value[this.at]) {
      this.look(this.at + 1);
      return;
    }
    this.#keep();
    this.pause();
    this.text = this.domain.traces.format(read.value);
    this.#at = this.length;
    this.#changed();
  }

  /** What an event, given in tokens, would do here, or why the rules forbid it; null where its tokens say it all. */
  explain(event: string): string | null {
    const read = this.domain.traces.parse(`${this.line} ${event}`.trim());
    if (!read.ok) return read.error.message;
    return read.value.length > this.at
      ? describeEvent(this.domain, this.reading.states[this.at], read.value[this.at])
      : null;
  }

  look(at: number): void {
    this.pause();
    this.#at = Math.max(0, Math.min(at, this.length));
    this.#changed();
  }

  step(by: 1 | -1): void {
    this.look(this.at + by);
  }

  /** Goes on from here, from the beginning where this is the end. */
  play(): void {
    if (this.at >= this.length) this.#at = 0;
    this.playing = true;
    this.#start();
  }

  /** Whatever moves by itself stops here. */
  pause(): void {
    clearInterval(this.#player);
    this.playing = false;
    if (this.writing === 'model') this.writing = 'stopped';
  }

  take(speed: Speed): void {
    this.speed = speed;
    if (this.playing) this.#start();
  }

  /** Lets the model write on from here, event by event, until it breaks a rule; the picture follows. */
  async letPlay(): Promise<void> {
    if (this.writing !== 'none') return;
    this.#keep();
    this.pause();
    this.said = '';
    this.text = this.line;
    this.#at = this.length;
    this.writing = 'model';
    const { models } = this.question;
    const mine = (): boolean => this.writing === 'model' && models === this.question.models;
    const take = ({ text, legal }: WrittenEvent): void => {
      if (!mine() || !legal) return;
      this.text = `${this.text} ${text}`.trim();
      this.#at = this.length;
    };
    try {
      const options = { events: EVENTS_IN_A_GO, seed: ++this.#goes, temperature: TEMPERATURE };
      const result = await this.model.goOn(this.domain.name, this.line, options, take);
      if (!mine() || result === null) return;
      if (!result.ok) this.refusal = result.error.message;
      else this.said = endingOf(result.value);
    } finally {
      this.writing = 'none';
      this.question.askSoon();
    }
  }

  #start(): void {
    clearInterval(this.#player);
    this.#player = setInterval(() => {
      if (this.at >= this.length) {
        this.pause();
        return;
      }
      this.#at = this.at + 1;
      this.#changed();
    }, SPEEDS[this.speed]);
  }

  #keep(): void {
    this.#before.push({ text: this.text, at: this.at });
    this.undoable = true;
  }

  #changed(): void {
    this.refusal = '';
    this.said = '';
    this.question.unanswered = null;
    this.question.askSoon();
  }
}

function endingOf({ events, ending }: ContinuedTrace): string {
  const legal = events.filter((event) => event.legal).length;
  const wrote = `It wrote ${legal} legal event${legal === 1 ? '' : 's'}`;
  const why = events.at(-1)?.why ?? null;
  return why === null ? `${wrote}. ${ending}` : `${wrote}, then one that breaks the rules. ${why}`;
}
