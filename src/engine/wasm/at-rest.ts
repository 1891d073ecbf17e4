import type { SlotGrammar } from '../../base/slot-grammar.ts';
import type { ModelConfig } from '../../models/model.ts';
import type { Batch, Continuation, LeafLogits, OptimizerSettings } from '../engine.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { packBatch, type PackedBatch } from '../plan/pack.ts';
import type { Plan } from '../plan/plan.ts';
import { leafStretches, logSumExp, packStretches, partsOf, type Stretch } from '../plan/stretch.ts';
import { Instance } from './instance.ts';
import type { Machine } from './machine.ts';

/** What the logit of a muted token counts as (the testbed's `generate` bans tokens so). */
const MUTED = -1e10;
/** Tokens run at a time: enough for every thread to have work, few enough that activations stay small. */
const TOKENS_A_RUN = 2048;
/** Leaves of one remembered prefix that fit behind it. */
const LEAVES = 128;

/** No update is made at rest. */
const idle: OptimizerSettings = {
  learningRate: 0,
  beta1: 0,
  beta2: 0,
  epsilon: 1,
  weightDecay: 0,
  clipNorm: 0,
  muon: null,
};

/** The model without training: logits of prefixes, their leaves, whole batches, and sequences that grow. */
export class AtRest {
  private readonly plan: Plan;
  private readonly grammar: SlotGrammar | null;
  private bulk: Instance | null = null;
  private remembered: { instance: Instance; tokens: number[] } | null = null;

  constructor(
    private readonly machine: Machine,
    private readonly model: ModelConfig,
    private readonly weights: number,
  ) {
    this.plan = buildPlan(model, false);
    this.grammar = model.slots;
  }

  /** Weights have changed: keys and values of before are worth nothing. */
  forget(): void {
    if (this.remembered) this.remembered.tokens.length = 0;
  }

  dispose(): void {
    this.bulk?.release();
    this.remembered?.instance.release();
    this.bulk = null;
    this.remembered = null;
  }

  /** See Engine.logProbabilities. */
  logProbabilities(batch: Batch, muted: readonly number[]): Float32Array {
    this.fits(batch.columns);
    const whole = packBatch({ ...batch, learn: null }, this.grammar);
    const result = new Float32Array(batch.rows * batch.columns);
    for (const part of partsOf(whole, TOKENS_A_RUN)) {
      const logits = this.execute(this.bulkOf(part.count), part);
      const { vocabulary } = this.model;
      for (let row = 0; row < part.count; row++) {
        const values = logits.subarray(row * vocabulary, (row + 1) * vocabulary);
        for (const token of muted) values[token] = MUTED;
        result[part.padded[row]] = values[part.targets[row]] - logSumExp(values);
      }
    }
    return result;
  }

  /** See Engine.leafLogits. One prefix alone goes on from what it shares with the one before it. */
  leafLogits(prefixes: readonly (readonly number[])[], leaves: readonly (readonly number[])[]): LeafLogits[] {
    prefixes.forEach((prefix, i) => this.fits(prefix.length + (leaves[i].length > 0 ? 1 : 0)));
    if (prefixes.length === 1 && leaves[0].length <= LEAVES) return [this.answer(prefixes[0], leaves[0])];
    const answers: LeafLogits[] = [];
    for (let first = 0; first < prefixes.length;) {
      let last = first;
      let tokens = 0;
      do tokens += prefixes[last].length + leaves[last++].length;
      while (last < prefixes.length && tokens + prefixes[last].length + leaves[last].length <= TOKENS_A_RUN);
      answers.push(...this.answerTogether(prefixes.slice(first, last), leaves.slice(first, last), tokens));
      first = last;
    }
    return answers;
  }

  /** See Engine.continue. */
  continue(prefix: readonly number[]): Continuation {
    const { model } = this;
    this.fits(prefix.length);
    const instance = this.make(model.context);
    const sequence = [...prefix];
    let logits = this.run(instance, [{ sequence, known: 0, historyAt: 0 }], [], 0)
      .subarray(-model.vocabulary)
      .slice();
    const fits = (columns: number) => this.fits(columns);
    const run = (stretch: Stretch) => this.run(instance, [stretch], [], stretch.known);
    return {
      get length() {
        return sequence.length;
      },
      logits: async () => logits.slice(),
      advance(token) {
        fits(sequence.length + 1);
        sequence.push(token);
        logits = run({ sequence, known: sequence.length - 1, historyAt: 0 }).slice();
      },
      dispose: () => instance.release(),
    };
  }

  private answer(prefix: readonly number[], leaves: readonly number[]): LeafLogits {
    this.remembered ??= { instance: this.make(this.model.context + LEAVES), tokens: [] };
    const { instance, tokens } = this.remembered;
    let known = 0;
    // The last token is run again even where it is known: its logits were not kept.
    while (known < Math.min(tokens.length, prefix.length - 1) && tokens[known] === prefix[known]) known++;
    const rest = { sequence: prefix, known, historyAt: 0 };
    const logits = this.run(instance, [rest], leafStretches(prefix, leaves, 0), known);
    this.remembered.tokens = [...prefix];
    return this.readLeaves(logits, prefix.length - known - 1, prefix.length - known, leaves.length);
  }

  /** All prefixes in rows from 0, and all their leaves in the rows behind. */
  private answerTogether(
    prefixes: readonly (readonly number[])[],
    leaves: readonly (readonly number[])[],
    tokens: number,
  ): LeafLogits[] {
    const whole: Stretch[] = [];
    const behind: Stretch[] = [];
    let rows = 0;
    prefixes.forEach((prefix, i) => {
      whole.push({ sequence: prefix, known: 0, historyAt: 0 });
      behind.push(...leafStretches(prefix, leaves[i], rows));
      rows += prefix.length;
    });
    const instance = this.bulkOf(tokens);
    const logits = this.run(instance, whole, behind, 0);
    let root = -1;
    let leaf = rows;
    return prefixes.map((prefix, i) => {
      root += prefix.length;
      leaf += leaves[i].length;
      return this.readLeaves(logits, root, leaf - leaves[i].length, leaves[i].length);
    });
  }

  private readLeaves(logits: Float32Array, root: number, first: number, leaves: number): LeafLogits {
    const { vocabulary } = this.model;
    const at = (row: number) => logits.slice(row * vocabulary, (row + 1) * vocabulary);
    return { root: at(root), leaves: Array.from({ length: leaves }, (_, i) => at(first + i)) };
  }

  private make(capacity: number): Instance {
    return new Instance(this.machine, {
      calls: this.plan.forward,
      capacity,
      context: this.model.context,
      kept: [...this.plan.history, this.plan.logits],
      arenas: { weight: this.weights },
    });
  }

  private bulkOf(tokens: number): Instance {
    if (!this.bulk || this.bulk.capacity < tokens) {
      this.bulk?.release();
      this.bulk = null;
      this.bulk = this.make(Math.max(TOKENS_A_RUN, tokens));
    }
    return this.bulk;
  }

  /** Logits of the stretches from `firstRow` on, then of those behind them, which may have them as their history. */
  private run(instance: Instance, stretches: Stretch[], behind: Stretch[], firstRow: number): Float32Array {
    // Attention sees rows of its own run; a recurrence steps through all segments at once and needs them finished.
    if (behind.length === 0 || this.model.kind !== 'lstm')
      return this.execute(instance, packStretches([...stretches, ...behind], firstRow, this.grammar));
    const first = this.execute(instance, packStretches(stretches, firstRow, this.grammar));
    const rows = first.length / this.model.vocabulary;
    const second = this.execute(instance, packStretches(behind, firstRow + rows, this.grammar));
    const both = new Float32Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
  }

  /** Logits [count, V] of the batch's rows, a copy. */
  private execute(instance: Instance, batch: PackedBatch): Float32Array {
    instance.run({ batch, optimizer: idle, step: 1, seed: 0 });
    return instance.rows(this.plan.logits, batch.firstRow, batch.count).slice();
  }

  private fits(columns: number): void {
    if (columns > this.model.context)
      throw new RangeError(`${columns} tokens do not fit the model's context of ${this.model.context}`);
  }
}
