import type { SlotGrammar } from '../base/slot-grammar.ts';
import type { ModelKindName, SettingsOf } from '../config/model-schema.ts';
import type { MatrixBlock, ParameterShape } from './parameters.ts';

/** Settings that models did not have at first; where one is missing, it says what its default says. */
type Late = 'tied' | 'shift' | 'truncation';

/** A kind's settings (src/config/models) over a vocabulary: what an engine runs. */
export type ConfigOf<K extends ModelKindName, Settings = SettingsOf<K>> = Omit<Settings, 'slots' | Late> &
  Partial<Pick<Settings, Extract<keyof Settings, Late>>> & {
    vocabulary: number;
    /** Where set, the slot of each token adds one of its learned vectors to the input. */
    slots: SlotGrammar | null;
  };

/** What the lab must know of one kind of model; src/models/model.ts lists them. */
export interface ModelKind<C, Compiled extends boolean = boolean> {
  /** The name of its token embedding [vocabulary, width]. */
  embedding: string;
  /** Whether the compiled engines have a plan for it; the reference engine runs every kind. */
  compiled: Compiled;
  /** Every parameter with its shape and start, in the order of the library it exports to. */
  shapes(config: C): ParameterShape[];
  /** The matrices that Muon updates where it is the optimiser. */
  matrices(config: C): MatrixBlock[];
  /** A letter a layer, c or a, of a kind that layers can be added to (deepen.ts). */
  pattern?(config: C): string;
  /** Floating-point operations of forward and backward for one token in rows of `columns` tokens. */
  flops(config: C, columns: number): number;
  /** Numbers that one training step of the reference engine keeps beside the parameters at its peak, to about a fifth. */
  activations(config: C, rows: number, columns: number): number;
}
