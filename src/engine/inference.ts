import type { SlotGrammar } from '../base/slot-grammar.ts';
import { modelKindOf } from '../config/model-schema.ts';
import type { ModelConfig } from '../models/model.ts';
import type { Batch, Continuation, LeafLogits, OptimizerSettings } from './engine.ts';
import type { CallContext } from './plan/kernel-device.ts';
import { packBatch, type PackedBatch } from './plan/pack.ts';
import { leafSegments, logSumExp, packSegments, partsOf, type Segment } from './plan/segment.ts';

/** What the logit of a muted token counts as (the testbed's `generate` bans tokens so). */
const MUTED = -1e10;
/** Leaves of one remembered prefix that fit behind it. */
const LEAVES = 128;

/** Nothing is updated in inference. */
const idle: OptimizerSettings = {
  ...{ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, clipNorm: 0, muon: null },
};

/** A model's forward pass on a device, with room for so many rows. Keys, values and states stay from run to run. */
export interface ForwardPass {
  readonly capacity: number;
  /**
   * Logits [V] of each of the batch's rows, copies. All work is submitted before this gives way, so that runs keep the
   * order in which they were asked for.
   */
  run(context: CallContext): Promise<Float32Array[]>;
  release(): void;
}

/** What inference needs of a runtime. */
export interface InferenceDevice {
  /** Tokens run at a time: enough to fill the device, few enough that activations stay small. */
  readonly tokensPerRun: number;
  /** To be awaited before anything is laid out, where the device compiles. */
  compile?(): Promise<void>;
  layOut(capacity: number): ForwardPass;
}

/** A prefix, and the tokens that are tried after it. */
interface Question {
  prefix: readonly number[];
  leaves: readonly number[];
}

/** The model without training: logits of prefixes and their leaves, of whole batches, and of sequences that grow. */
export class Inference {
  private readonly grammar: SlotGrammar | null;
  private readonly made = new Set<ForwardPass>();
  private bulk: ForwardPass | null = null;
  private remembered: { pass: ForwardPass; tokens: readonly number[] } | null = null;

  constructor(
    private readonly model: ModelConfig,
    private readonly device: InferenceDevice,
  ) {
    this.grammar = model.slots;
  }

  /** Takes the memory that questions will need, so that there is none missing later. */
  reserve(): void {
    this.bulkFor(this.model.context);
    this.rememberedPass();
  }

  /** Weights have changed: keys and values of before are worth nothing. */
  forget(): void {
    if (this.remembered) this.remembered.tokens = [];
  }

  dispose(): void {
    for (const pass of this.made) pass.release();
    this.made.clear();
    this.bulk = this.remembered = null;
  }

  /** See Engine.logProbabilities. */
  async logProbabilities(batch: Batch, muted: readonly number[]): Promise<Float32Array> {
    const result = new Float32Array(batch.tokens.length);
    await this.targetLogits(batch, (place, logits) => {
      for (const token of muted) logits[token] = MUTED;
      result[place] = logits[batch.tokens[place + 1]] - logSumExp(logits);
    });
    return result;
  }

  /** See Engine.targetLogits. */
  async targetLogits(batch: Batch, see: (place: number, logits: Float32Array) => void): Promise<void> {
    const packed = packBatch({ ...batch, learn: null }, this.model);
    if (this.device.compile) await this.device.compile();
    // Places that have a target, in the order of the packed rows.
    const ends = new Set(batch.offsets);
    let place = 0;
    for (const part of partsOf(packed, this.device.tokensPerRun))
      for (const logits of await this.execute(this.bulkFor(part.count), part)) {
        while (ends.has(place + 1)) place++;
        see(place++, logits);
      }
  }

  /** See Engine.leafLogits. One prefix alone goes on from what it shares with the one before it. */
  async leafLogits(
    prefixes: readonly (readonly number[])[],
    leaves: readonly (readonly number[])[],
  ): Promise<LeafLogits[]> {
    const questions = prefixes.map((prefix, i): Question => ({ prefix, leaves: leaves[i] ?? [] }));
    for (const { prefix, leaves } of questions) {
      if (prefix.length === 0) throw new RangeError('leafLogits: a prefix needs its begin token');
      this.fits(prefix.length + (leaves.length > 0 ? 1 : 0));
    }
    if (this.device.compile) await this.device.compile();
    if (questions.length === 1 && questions[0].leaves.length <= LEAVES) return [await this.answer(questions[0])];
    const lengthOf = ({ prefix, leaves }: Question) => prefix.length + leaves.length;
    const answers: LeafLogits[] = [];
    for (let first = 0; first < questions.length;) {
      let last = first;
      let tokens = 0;
      do tokens += lengthOf(questions[last++]);
      while (last < questions.length && tokens + lengthOf(questions[last]) <= this.device.tokensPerRun);
      answers.push(...(await this.answerTogether(questions.slice(first, last), tokens)));
      first = last;
    }
    return answers;
  }

  /** See Engine.continue. */
  continue(prefix: readonly number[]): Continuation {
    if (prefix.length === 0) throw new RangeError('continue: a prefix needs its begin token');
    this.fits(prefix.length);
    const sequence = [...prefix];
    let pass: ForwardPass | null = null;
    let gone = false;
    const alive = () => {
      if (gone) throw new Error('this continuation was disposed');
    };
    /** Runs the sequence from `known` on; the newest logits are those of its last token. */
    const run = async (known: number) => {
      const segment = { sequence: [...sequence], known, historyAt: 0 };
      if (newest) await newest;
      if (this.device.compile) await this.device.compile();
      alive();
      pass ??= this.layOut(this.model.context);
      const logits = await this.execute(pass, packSegments([segment], known, this.grammar));
      return logits.at(-1)!;
    };
    /** Tokens asked for run one after another. */
    let newest: Promise<Float32Array> | null = null;
    const next = (known: number) => {
      newest = run(known);
      // Whoever asks for the logits hears of it.
      newest.catch(() => {});
    };
    next(0);
    return {
      get length() {
        return sequence.length;
      },
      logits: async () => {
        alive();
        return (await newest!).slice();
      },
      advance: (token) => {
        alive();
        this.fits(sequence.length + 1);
        next(sequence.push(token) - 1);
      },
      dispose: () => {
        gone = true;
        if (pass) this.drop(pass);
        pass = null;
      },
    };
  }

  private async answer({ prefix, leaves }: Question): Promise<LeafLogits> {
    const remembered = this.rememberedPass();
    const { pass, tokens } = remembered;
    let known = 0;
    // The last token is run again even where it is known: its logits were not kept.
    while (known < Math.min(tokens.length, prefix.length - 1) && tokens[known] === prefix[known]) known++;
    remembered.tokens = [...prefix];
    const rest = { sequence: prefix, known, historyAt: 0 };
    const logits = await this.run(pass, [rest], leafSegments(prefix, leaves, 0), known);
    return leavesOf(logits, prefix.length - known - 1, prefix.length - known, leaves.length);
  }

  /** All prefixes in rows from 0, and all their leaves in the rows behind. */
  private async answerTogether(questions: readonly Question[], tokens: number): Promise<LeafLogits[]> {
    const whole: Segment[] = [];
    const behind: Segment[] = [];
    let rows = 0;
    for (const { prefix, leaves } of questions) {
      whole.push({ sequence: prefix, known: 0, historyAt: 0 });
      behind.push(...leafSegments(prefix, leaves, rows));
      rows += prefix.length;
    }
    const logits = await this.run(this.bulkFor(tokens), whole, behind, 0);
    let root = -1;
    let leaf = rows;
    return questions.map(({ prefix, leaves }) => {
      root += prefix.length;
      leaf += leaves.length;
      return leavesOf(logits, root, leaf - leaves.length, leaves.length);
    });
  }

  /** Logits of the segments from `firstRow` on, then of those behind them, which may have them as their history. */
  private async run(pass: ForwardPass, segments: Segment[], behind: Segment[], firstRow: number) {
    const packed = (list: Segment[], row: number) => packSegments(list, row, this.grammar);
    // Attention sees rows of its own run; a recurrence steps through all segments at once and needs them finished.
    if (behind.length === 0 || modelKindOf(this.model).family !== 'recurrent')
      return this.execute(pass, packed([...segments, ...behind], firstRow));
    const first = packed(segments, firstRow);
    const both = [this.execute(pass, first), this.execute(pass, packed(behind, firstRow + first.count))];
    return (await Promise.all(both)).flat();
  }

  private execute(pass: ForwardPass, batch: PackedBatch): Promise<Float32Array[]> {
    return pass.run({ batch, optimizer: idle, step: 1, seed: 0 });
  }

  private layOut(capacity: number): ForwardPass {
    const pass = this.device.layOut(capacity);
    this.made.add(pass);
    return pass;
  }

  private drop(pass: ForwardPass): void {
    pass.release();
    this.made.delete(pass);
  }

  private rememberedPass() {
    return (this.remembered ??= { pass: this.layOut(this.model.context + LEAVES), tokens: [] });
  }

  private bulkFor(tokens: number): ForwardPass {
    if (this.bulk && this.bulk.capacity >= tokens) return this.bulk;
    if (this.bulk) this.drop(this.bulk);
    this.bulk = null;
    return (this.bulk = this.layOut(Math.max(this.device.tokensPerRun, tokens)));
  }

  private fits(columns: number): void {
    if (columns > this.model.context)
      throw new RangeError(`${columns} tokens do not fit the model's context of ${this.model.context}`);
  }
}

function leavesOf(logits: readonly Float32Array[], root: number, first: number, leaves: number): LeafLogits {
  const at = (row: number) => logits[row].slice();
  return { root: at(root), leaves: Array.from({ length: leaves }, (_, i) => at(first + i)) };
}
