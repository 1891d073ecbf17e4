import type { Random } from '../base/random.ts';
import type { Result } from '../base/result.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import type { ModelTokens, ModelVocabulary, TextTokenizer } from '../base/text-tokenizer.ts';
import type { TokenizerRules } from '../base/tokenizer-rules.ts';

/**
 * What a game must say about itself to be learned from and probed. Everything above this layer
 * (data, training, probes, pages) speaks to a game only through this contract.
 *
 * A trace is one game as a Uint16Array of the domain's own event codes (chess: one packed move a ply).
 * It is domain data, not tokens: notations turn it into token ids.
 */
export interface Domain<State> {
  /** As configs, folders and commands name it: "chess". */
  readonly name: string;
  /** As people read it: "Chess". */
  readonly title: string;
  /** What one event is called where events are counted, and several. */
  readonly eventName: EventName;
  /** The games that its paper trains on; left out where there is no paper, so that all games are kept. */
  readonly trainingGames?: { lengths: GameLengths; description: string };
  initial(): State;
  /** The state after one event. Does not change `state`. Throws on an event that is not legal. */
  apply(state: State, event: number): State;
  /** Event codes legal in this state, ascending. */
  legal(state: State): number[];
  /** What can be asked of a state: name, possible values, and the value here. */
  readonly variables: readonly StateVariable<State>[];
  /** Who is ahead, by the domain's own count. */
  leader(state: State): 'first' | 'second' | 'level';
  /** Whether the game is over, and how; null while it goes on. */
  outcome(state: State): string | null;
  readonly traces: TraceFormat;
  /** How two players play it; left out where its events are no moves that two sides choose in turn. */
  readonly play?: TwoPlayers<State>;
  /** How a game is written out for people; left out where its events as they are, eight a line, will do. */
  readonly record?: GameRecord<State>;
  /** The notations to choose from; of those with a parameter ("rap:15"), one. */
  readonly notations: readonly string[];
  /**
   * The notation named by a run's config ("uci", "rap:15"), or a failure naming the possible ones. `brought` are the
   * tokens of the model, for a notation that is written in such (`bringsTokens`, config/brought-tokens.ts).
   */
  notation(name: string, brought?: ModelVocabulary | null): Result<Notation>;
  /**
   * Games made up on the spot, seeded, so that one can train without any file; game i of a seed is the same however
   * many are asked for. Null where the lab ships games instead (chess).
   */
  readonly invented: InventedGames | null;
  /** Lines that show what a game looks like, where none are invented. */
  readonly examples?: readonly string[];
}

export interface EventName {
  one: string;
  many: string;
}

/** Lengths of the games that are kept to train on. */
export interface GameLengths {
  /** Shortest and longest game in events, both included; null for no longest. */
  minPlies: number;
  maxPlies: number | null;
  /** Longest game in tokens of SPLAT, [start] and [end] counted; left out where games are not counted so. */
  maxTokens?: number | null;
}

/** A game that two players play, a move each in turn. */
export interface TwoPlayers<State> {
  /** Who moves first, and who second. */
  readonly sides: readonly [string, string];
  toMove(state: State): 0 | 1;
  /** How the game is over between players who claim every draw that they may; null while it goes on. */
  ending(state: State): Ending | null;
  /** A legal move as players write it: "Nf3". */
  move(state: State, event: number): string;
  /** What a forbidden move would have been, "Nf3-e6", from its tokens in the notation; left out where they say it. */
  forbidden?(state: State, tokens: readonly string[]): string;
  /** The moves of a line, or of a game that leads to a position, as players paste them. */
  read(text: string): Result<Uint16Array>;
  /** What people may write to begin from, in a few words. */
  readonly reads: string;
  /** A game as a file that other programs read; left out where there is no such form. */
  file?(
    events: ArrayLike<number>,
    game: { names: readonly [string, string]; winner: 0 | 1 | null | undefined },
  ): string;
}

export interface Ending {
  /** "White wins by checkmate" */
  text: string;
  /** The side that won; null for a draw. */
  winner: 0 | 1 | null;
}

/** A game as people write it down. */
export interface GameRecord<State> {
  lines(events: Uint16Array): RecordLine[];
  /** What an event does in a state, in a few words; left out where its tokens say it as well. */
  describe?(state: State, event: number): string;
}

/** Some events of a game that are read together: a move of both sides, a plate appearance. */
export interface RecordLine {
  heading: string;
  /** Number of its first event, from 0. */
  from: number;
  /** A few words for each of its events. */
  events: string[];
}

export interface InventedGames {
  /** Where they come from, one or two plain sentences. */
  readonly description: string;
  games(count: number, seed: number): Iterable<Uint16Array>;
}

export interface StateVariable<State> {
  readonly name: string;
  readonly values: readonly string[];
  of(state: State): string;
}

/** Traces to and from one line of text. `parse` checks every event against the rules. */
export interface TraceFormat {
  parse(line: string): Result<Uint16Array>;
  format(trace: ArrayLike<number>): string;
}

/** A way of writing traces as tokens. */
export interface Notation {
  readonly name: string;
  readonly labels: NotationLabels;
  /** Share of a game's events that carry the name of a piece in training. */
  readonly nameShare: number;
  /**
   * What a token stands for: a part of a move, so that squares can be asked for; a whole event or its words (SPLAT); or
   * a piece of text, as a third-party tokenizer cuts it.
   */
  readonly tokensPer: 'square' | 'event' | 'piece';
  /** How text is written, in the notation "text" alone (text-notation.ts). */
  readonly text?: TextSpelling;
  /** Tokens of a third-party model, which go with its weights, and the ids that begin and end a sequence. */
  readonly brought?: BroughtTokens;
  /** The notation in which studies ask models of this one, where that is another. */
  readonly asked?: Notation;
  /** Whether every event of a game has a token; left out where there is none without. */
  writes?(trace: ArrayLike<number>): boolean;
  readonly vocabulary: Vocabulary;
  /** What kind of token each is and whose move it belongs to, from the spelling alone. */
  readonly slots: SlotGrammar;
  /**
   * How other software finds the tokens in text; null where patterns cannot tell them, which is so where slots depend on
   * more than the words nearby.
   * @param slots whether the model has them
   */
  tokenizerRules(slots: boolean): TokenizerRules | null;
  /**
   * Token ids of a trace, begin token first, end token last where `closed`.
   * `random` decides what is left to chance (piece names under UCI+RAP); null writes the evaluation form.
   */
  encode(trace: ArrayLike<number>, options: { random: Random | null; closed: boolean }): number[];
  /** The trace that tokens tell, or the 1-based event at which they stop making sense. */
  decode(tokens: ArrayLike<number>): Result<Uint16Array>;
  /**
   * For each token of an encoded trace (or of the beginning of one), all tokens that the rules allow in its place, given
   * those before it: bit masks [tokens, ceil(V / 32)], token v being bit v % 32 of word v / 32. Throws where the tokens
   * do not tell the trace.
   */
  valid(trace: ArrayLike<number>, tokens: ArrayLike<number>): Int32Array;
  /** For each token whether an event begins with it, its name or its first square; left out where every token is an event. */
  begins?(tokens: ArrayLike<number>): readonly boolean[];
  /** Tokens a model of this notation is never allowed to predict in evaluation (testbed: piece names for non-oracle models). */
  readonly mutedInEvaluation: readonly number[];
  /** Longest encoding of a trace of n events. */
  maxTokens(events: number): number;
}

export interface BroughtTokens extends Pick<ModelTokens, 'files'> {
  begin: number | null;
  end: number | null;
}

/** The words of a game's notation "splat" as text, through a third-party tokenizer. */
export interface TextSpelling {
  readonly tokenizer: TextTokenizer;
  /** The notation whose tokens are the words. */
  readonly words: Notation;
  /** The model's tokens for words of a line: those of the text that has a space between any two of them. */
  spell(words: readonly number[]): number[];
  /** Most tokens of a word. */
  readonly longest: number;
}

/** What people read of a notation. */
export interface NotationLabels {
  /** "UCI + RAP 15", as the paper calls it. */
  title: string;
  /** What its models have read: "moves without piece names". */
  reads: string;
  /** One sentence, for its row of a form. */
  brief: string;
  /** What it writes and what follows from it, in a few sentences. */
  description: string;
}

export interface Vocabulary {
  readonly tokens: readonly string[];
  readonly size: number;
  readonly pad: number;
  readonly begin: number;
  readonly end: number;
  /** The id of a token, or undefined. */
  id(token: string): number | undefined;
}
