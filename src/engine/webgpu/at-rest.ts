import type { ModelConfig } from '../../models/model.ts';
import type { Batch, Continuation, LeafLogits, OptimizerSettings } from '../engine.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { packBatch, type PackedBatch } from '../plan/pack.ts';
import type { Plan } from '../plan/plan.ts';
import { leafStretches, logSumExp, packStretches, partsOf, type Stretch } from '../plan/stretch.ts';
import { fuse } from './fuse.ts';
import type { Graphics } from './graphics.ts';
import { Instance } from './instance.ts';
import { padded, type Launch } from './launch.ts';
import { lower, type Shapes } from './lower.ts';
import { readOnce } from './read-back.ts';

/** What the logit of a muted token counts as (the testbed's `generate` bans tokens so). */
const MUTED = -1e10;
/** Tokens run at a time: enough to fill a device, few enough that activations stay small and a page stays smooth. */
const TOKENS_A_RUN = 1024;
/** Leaves of one remembered prefix that fit behind it. */
const LEAVES = 128;

/** No update is made at rest. */
const idle: OptimizerSettings = {
  ...{ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, clipNorm: 0, muon: null },
};

/** The model without training: logits of prefixes, their leaves, whole batches, and sequences that grow. */
export class AtRest {
  private readonly plan: Plan;
  private readonly launches: readonly Launch[];
  private readonly grammar;
  private bulk: Instance | null = null;
  private remembered: { instance: Instance; tokens: number[] } | null = null;
  private readonly made = new Set<Instance>();
  private compiled: Promise<void> | null = null;

  constructor(
    private readonly graphics: Graphics,
    private readonly model: ModelConfig,
    private readonly weights: GPUBuffer,
    shapes: Shapes,
  ) {
    this.plan = buildPlan(model, false);
    this.launches = lower(fuse(this.plan.forward, [...this.plan.history, this.plan.logits]), {
      ...{ shapes, context: model.context, loss: null, lossScale: null },
    });
    this.grammar = model.slots;
  }

  /** Weights have changed: keys and values of before are worth nothing. */
  forget(): void {
    if (this.remembered) this.remembered.tokens = [];
  }

  dispose(): void {
    for (const instance of this.made) instance.release();
    this.made.clear();
    this.bulk = this.remembered = null;
  }

  /** See Engine.logProbabilities. */
  async logProbabilities(batch: Batch, muted: readonly number[]): Promise<Float32Array> {
    this.fits(batch.columns);
    await this.ready();
    const result = new Float32Array(batch.rows * batch.columns);
    for (const part of partsOf(packBatch({ ...batch, learn: null }, this.grammar), TOKENS_A_RUN)) {
      const logits = await this.execute(this.bulkFor(part.count), part);
      logits.forEach((values, row) => {
        for (const token of muted) values[token] = MUTED;
        result[part.padded[row]] = values[part.targets[row]] - logSumExp(values);
      });
    }
    return result;
  }

  /** See Engine.leafLogits. One prefix alone goes on from what it shares with the one before it. */
  async leafLogits(
    prefixes: readonly (readonly number[])[],
    leaves: readonly (readonly number[])[],
  ): Promise<LeafLogits[]> {
    prefixes.forEach((prefix, i) => {
      if (prefix.length === 0) throw new RangeError('leafLogits: a prefix needs its begin token');
      this.fits(prefix.length + ((leaves[i] ?? []).length > 0 ? 1 : 0));
    });
    await this.ready();
    if (prefixes.length === 1 && (leaves[0] ?? []).length <= LEAVES)
      return [await this.answer(prefixes[0], leaves[0] ?? [])];
    const answers: LeafLogits[] = [];
    for (let first = 0; first < prefixes.length;) {
      let last = first;
      let tokens = 0;
      do tokens += prefixes[last].length + (leaves[last++] ?? []).length;
      while (last < prefixes.length && tokens + prefixes[last].length + (leaves[last] ?? []).length <= TOKENS_A_RUN);
      const whole: Stretch[] = [];
      const behind: Stretch[] = [];
      let rows = 0;
      for (let i = first; i < last; i++) {
        whole.push({ sequence: prefixes[i], known: 0, historyAt: 0 });
        behind.push(...leafStretches(prefixes[i], leaves[i] ?? [], rows));
        rows += prefixes[i].length;
      }
      const logits = await this.run(this.bulkFor(tokens), whole, behind, 0);
      let root = -1;
      let leaf = rows;
      for (let i = first; i < last; i++) {
        const own = (leaves[i] ?? []).length;
        answers.push(leavesOf(logits, (root += prefixes[i].length), leaf, own));
        leaf += own;
      }
      first = last;
    }
    return answers;
  }

  /** See Engine.continue. */
  continue(prefix: readonly number[]): Continuation {
    if (prefix.length === 0) throw new RangeError('continue: a prefix needs its begin token');
    this.fits(prefix.length);
    const sequence = [...prefix];
    let instance: Instance | null = null;
    let gone = false;
    /** Tokens asked for run one after another; the newest logits are those of the last. */
    const run = async (stretch: Stretch) => {
      await this.ready();
      if (gone) throw new Error('this continuation was disposed');
      instance ??= this.make(this.model.context);
      const logits = await this.execute(instance, packStretches([stretch], stretch.known, this.grammar));
      return logits.at(-1)!;
    };
    let newest = run({ sequence: [...sequence], known: 0, historyAt: 0 });
    newest.catch(() => {});
    const alive = () => {
      if (gone) throw new Error('this continuation was disposed');
    };
    return {
      get length() {
        return sequence.length;
      },
      logits: async () => {
        alive();
        return (await newest).slice();
      },
      advance: (token) => {
        alive();
        this.fits(sequence.length + 1);
        sequence.push(token);
        const stretch = { sequence: [...sequence], known: sequence.length - 1, historyAt: 0 };
        newest = newest.then(() => run(stretch));
        newest.catch(() => {});
      },
      dispose: () => {
        gone = true;
        if (instance) this.drop(instance);
        instance = null;
      },
    };
  }

  private async answer(prefix: readonly number[], leaves: readonly number[]): Promise<LeafLogits> {
    this.remembered ??= { instance: this.make(this.model.context + LEAVES), tokens: [] };
    const { instance, tokens } = this.remembered;
    let known = 0;
    // The last token is run again even where it is known: its logits were not kept.
    while (known < Math.min(tokens.length, prefix.length - 1) && tokens[known] === prefix[known]) known++;
    const rest = { sequence: prefix, known, historyAt: 0 };
    this.remembered.tokens = [...prefix];
    const logits = await this.run(instance, [rest], leafStretches(prefix, leaves, 0), known);
    return leavesOf(logits, prefix.length - known - 1, prefix.length - known, leaves.length);
  }

  /** Logits of the stretches from `firstRow` on, then of those behind them, which may have them as their history. */
  private async run(instance: Instance, stretches: Stretch[], behind: Stretch[], firstRow: number) {
    const packed = (list: Stretch[], row: number) => packStretches(list, row, this.grammar);
    // Attention sees rows of its own run; a recurrence steps through all segments at once and needs them finished.
    if (behind.length === 0 || this.model.kind !== 'lstm')
      return this.execute(instance, packed([...stretches, ...behind], firstRow));
    const first = packed(stretches, firstRow);
    const both = [this.execute(instance, first), this.execute(instance, packed(behind, firstRow + first.count))];
    return (await Promise.all(both)).flat();
  }

  private ready(): Promise<void> {
    return (this.compiled ??= this.graphics.pipelines.compile(this.launches));
  }

  private make(capacity: number): Instance {
    const { device, memory, pipelines } = this.graphics;
    const instance = new Instance(device, memory, pipelines, {
      launches: this.launches,
      capacity,
      kept: [...this.plan.history, this.plan.logits],
      arenas: { weight: this.weights },
      tables: null,
    });
    this.made.add(instance);
    return instance;
  }

  private drop(instance: Instance): void {
    instance.release();
    this.made.delete(instance);
  }

  private bulkFor(count: number): Instance {
    if (!this.bulk || this.bulk.capacity < count) {
      if (this.bulk) this.drop(this.bulk);
      this.bulk = this.make(Math.max(TOKENS_A_RUN, count));
    }
    return this.bulk;
  }

  /** Logits of each of the batch's rows. All is submitted before the first wait, so that runs keep their order. */
  private async execute(instance: Instance, batch: PackedBatch): Promise<Float32Array[]> {
    const { size } = instance.upload({ batch, optimizer: idle, step: 1, seed: 0 });
    const { buffer, offset, stride } = instance.place(this.plan.logits);
    const part = { buffer, offset: offset + batch.firstRow * stride, bytes: batch.count * stride };
    const [bytes] = await readOnce(this.graphics, [part], (encoder) => {
      const pass = encoder.beginComputePass();
      instance.encode(pass, size);
      pass.end();
    });
    const all = new Float32Array(bytes);
    const { vocabulary } = this.model;
    const wide = padded(vocabulary);
    return Array.from({ length: batch.count }, (_, row) => all.subarray(row * wide, row * wide + vocabulary));
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
