import { fail, ok, type Result } from '../base/result.ts';
import { layerPattern, parameterShapes, type ModelConfig } from './model.ts';
import type { NamedArrays } from './parameters.ts';

/** Fields that change nothing of what weights mean. */
const FREE = ['dropout', 'start'];
/** What a field that is absent says. */
const ABSENT: Record<string, unknown> = { tied: true, shift: 0, truncation: null };
/** The number of a layer within a parameter's name, where families count their layers. */
const LAYER = /^((?:model\.layers|transformer\.h)\.)(\d+)(\..+)$/;
/** What writes into the residual stream; with these at zero a layer passes on what it was given. */
const OUTWARD = /\.(?:out_proj|o_proj|c_proj|w2|down_proj)\.(?:weight|bias)$/;

/**
 * The weights of `from` as the first weights of `to`, a model of the same kind and sizes with as many layers or more.
 * Added layers stand evenly among the old ones, each a copy of the layer below it that writes nothing as yet, so that the
 * deeper model computes exactly what the shallower did and every added layer can learn from its first step (the
 * block expansion of Wu et al. 2024, "LLaMA Pro"; an identity at first as in Chen et al. 2016, "Net2Net").
 * @returns [shapes of `to`], copies; a failure where the two do not fit, which says how `to` would have to look
 */
export function deepened(from: ModelConfig, parameters: NamedArrays, to: ModelConfig): Result<NamedArrays> {
  const misfit = (why: string) => fail('model-misfit', `These weights cannot begin this model: ${why}.`);
  const [before, after] = [layerPattern(from), layerPattern(to)];
  for (const field of Object.keys({ ...from, ...to })) {
    if (FREE.includes(field) || (before !== null && (field === 'layers' || field === 'pattern'))) continue;
    const [old, wanted] = [from, to].map((config) =>
      JSON.stringify((config as unknown as Record<string, unknown>)[field] ?? ABSENT[field] ?? null),
    );
    if (old === wanted) continue;
    if (field === 'slots') return misfit('one of the two has slots and the other none, or others');
    const alone = field === 'layers' ? '; layers can be added to gpt2, qwen3 and lfm2 alone' : '';
    return misfit(`they are of a model whose ${field} is ${old}, and it wants ${wanted}${alone}`);
  }
  if (before === null || after === null)
    return ok(new Map([...parameters].map(([name, { shape, data }]) => [name, { shape, data: data.slice() }])));
  if (after.length < before.length)
    return misfit(`they have ${before.length} layers, and it has ${after.length}; layers can be added, not taken away`);
  const sources = spread(before.length, after.length);
  const pattern = sources.map(({ layer }) => before[layer]).join('');
  if (pattern !== after)
    return misfit(
      `with ${after.length - before.length} added layers their pattern is "${pattern}", and its is "${after}"`,
    );

  const grown: NamedArrays = new Map();
  for (const { name, shape } of parameterShapes(to)) {
    const [, family, layer, part] = LAYER.exec(name) ?? [];
    const source = layer === undefined ? null : sources[Number(layer)];
    const data = parameters.get(source === null ? name : `${family}${source.layer}${part}`)!.data.slice();
    if (source?.added && OUTWARD.test(name)) data.fill(0);
    grown.set(name, { shape: [...shape], data });
  }
  return ok(grown);
}

/** For each of `after` layers, bottom up, the one of `before` that it is or, where it is added, copies. */
function spread(before: number, after: number): { layer: number; added: boolean }[] {
  const added = after - before;
  const above = Array.from({ length: before }, () => 0);
  for (let i = 0; i < added; i++) above[Math.ceil(((i + 1) * before) / added) - 1]++;
  return above.flatMap((copies, layer) =>
    Array.from({ length: 1 + copies }, (_, copy) => ({ layer, added: copy > 0 })),
  );
}
