import { layersOf } from '../../../config/model-schema.ts';
import type { RunConfig } from '../../../config/run-config.ts';

type Model = RunConfig['model'];
type Optimizer = RunConfig['optimizer'];

/** Muon as the lab's own measurements like it (Jordan et al. 2024's schedule of the momentum). */
const MUON = { matrixRate: 0.012, matrixDecay: 0.01, momentum: 0.95, momentumStart: 0.85, momentumSteps: 150 } as const;

/** The model as one of another kind: what both have stays, the rest is as usual for the kind. */
export function modelOfKind(model: Model, kind: Model['kind']): Model {
  if (model.kind === kind) return model;
  const { width, context } = model;
  const layers = layersOf(model);
  const heads = 'heads' in model ? model.heads : usualHeads(width);
  const dropout = 'dropout' in model ? model.dropout : 0;
  const slots = 'slots' in model && model.slots;
  const window = 'window' in model ? model.window : null;
  const start = 'start' in model ? model.start : 'gpt2';
  const tied = 'tied' in model ? model.tied : true;
  switch (kind) {
    case 'gpt2':
      return { kind, layers, width, heads, context, dropout, window, slots, start, tied };
    case 'qwen3':
      return {
        kind,
        layers,
        width,
        heads: evenHeads(width, heads),
        mlp: usualMlp(width),
        context,
        window,
        rotaryBase: 10_000,
        slots,
        tied,
        shift: 0,
      };
    case 'lfm2':
      return {
        kind,
        pattern: `${layers > 1 ? 'c' : ''}${'a'.repeat(Math.max(1, layers - 1))}`,
        width,
        heads: evenHeads(width, heads),
        mlp: usualMlp(width),
        taps: 3,
        context,
        rotaryBase: 10_000,
        slots,
        tied,
      };
    case 'lstm':
      return { kind, layers, width, context, dropout, slots, truncation: null };
    case 'reformer':
      return {
        ...{ kind, layers, width, heads, context, dropout, pattern: 'local,local,lsh,local', chunk: 50, buckets: 8 },
        ...{ rounds: 1, positions: 'axial', axialRows: null, axialWidth: null, slots, start },
      };
    case 'performer':
      return {
        ...{ kind, layers, width, heads, context, dropout, kernel: 'softmax', features: null, redraw: 1000 },
        ...{ localHeads: 0, localWindow: 50, slots, start },
      };
  }
}

/** The optimiser as the other kind; AdamW's part stays, since Muon leaves it everything but the matrices. */
export function optimizerOfKind(optimizer: Optimizer, kind: Optimizer['kind']): Optimizer {
  if (optimizer.kind === kind) return optimizer;
  const { learningRate, beta1, beta2, epsilon, weightDecay, clipNorm } = optimizer;
  const shared = { learningRate, beta1, beta2, epsilon, weightDecay, clipNorm };
  return kind === 'muon' ? { kind, ...shared, ...MUON } : { kind, ...shared };
}

/** A gated unit of 8/3 of the width has as many weights as a plain MLP of 4; rounded to a multiple of 8. */
function usualMlp(width: number): number {
  return Math.max(8, 8 * Math.round(width / 3));
}

/** Heads about 32 wide that divide the width. */
function usualHeads(width: number): number {
  for (let heads = Math.max(1, Math.round(width / 32)); heads > 1; heads--) if (width % heads === 0) return heads;
  return 1;
}

/** Rotary positions turn pairs, so a head's width must be even. */
function evenHeads(width: number, heads: number): number {
  for (let fewer = heads; fewer > 1; fewer--) if (width % fewer === 0 && (width / fewer) % 2 === 0) return fewer;
  return 1;
}
