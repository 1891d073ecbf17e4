import { presetNamed, type Preset } from '../../config/presets.ts';
import { parseRunConfig, type RunConfig } from '../../config/run-config.ts';
import type { Failure } from '../../base/result.ts';
import { modelKinds } from '../../models/model.ts';
import { modelOfKind, optimizerOfKind } from './kinds.ts';

type Tree = { [key: string]: unknown };

/** Fields that a link does not carry: the manifest follows from the games, the version from the build. */
const unlinked = new Set(['data.manifest', 'version', 'domain']);
/** They decide which other fields there are. */
const kinds = ['model.kind', 'optimizer.kind'];

/**
 * The fields of a config that differ from its preset, as a query: "preset=tiny&batch=16&model.layers=3". Where the kind
 * of the model or the optimiser differs, its fields are compared with the preset's, turned into that kind.
 */
export function queryOf(config: RunConfig, preset: Preset, byDefault: Preset): string {
  const query = new URLSearchParams();
  if (preset.name !== byDefault.name) query.set('preset', preset.name);
  const { model, optimizer } = config;
  const plain = flat(preset.config);
  const base = flat(ofKinds(preset.config, model.kind, optimizer.kind));
  for (const [path, value] of flat(config))
    if (!unlinked.has(path) && value !== (kinds.includes(path) ? plain : base).get(path))
      query.set(path, String(value));
  return query.toString().replaceAll('%3A', ':');
}

/** The preset and config that a query names, and what of it could not be taken. */
export function configFrom(
  query: URLSearchParams,
  byDefault: Preset,
): { preset: Preset; config: RunConfig; failures: Failure[] } {
  const failures: Failure[] = [];
  const named = query.get('preset');
  const preset = named === null ? byDefault : presetNamed(named);
  if (preset === undefined)
    failures.push({
      code: 'link-preset',
      message: `The link names the preset "${named}", which this build does not have; "${byDefault.name}" is used instead.`,
    });
  const chosen = preset ?? byDefault;
  let config = chosen.config;
  const refuse = (path: string, text: string, why: string) =>
    failures.push({ code: 'link-value', message: `The link's ${path}=${text} was left out. ${why}` });

  for (const path of kinds) {
    const text = query.get(path);
    if (text === null) continue;
    const parsed = parseRunConfig(withField(config, path, text));
    const problem = parsed.ok ? '' : parsed.error.message;
    // Of a kind that exists, the other fields may still be wrong.
    if (problem.startsWith(`${path}:`)) refuse(path, text, problem);
    else
      config =
        path === 'model.kind'
          ? ofKinds(config, text as RunConfig['model']['kind'], config.optimizer.kind)
          : ofKinds(config, config.model.kind, text as RunConfig['optimizer']['kind']);
  }

  const known = flat(config);
  const fields: [path: string, text: string, value: unknown][] = [];
  for (const [path, text] of query) {
    if (kinds.includes(path)) continue;
    if (known.has(path) && !unlinked.has(path)) fields.push([path, text, typed(text, known.get(path))]);
    else if (path.includes('.'))
      failures.push({
        code: 'link-field',
        message: `The link sets "${path}", which ${hasOtherKind(chosen.config, path) ? 'a model or an optimiser of this kind does not have' : 'this build does not know'}; it was left out.`,
      });
  }
  // Together first: a width may only fit the heads that come with it.
  const whole = parseRunConfig(
    fields.reduce((tree, [path, , value]) => withField(tree as RunConfig, path, value), config as Tree),
  );
  if (whole.ok) return { preset: chosen, config: whole.value, failures };
  for (const [path, text, value] of fields) {
    const parsed = parseRunConfig(withField(config, path, value));
    if (parsed.ok) config = parsed.value;
    else refuse(path, text, parsed.error.message);
  }
  return { preset: chosen, config, failures };
}

/** The same config with one field changed; `path` is "model.layers". */
export function withField(config: RunConfig, path: string, value: unknown): Tree {
  const copy = structuredClone(config) as Tree;
  const names = path.split('.');
  const last = names.pop()!;
  let at = copy;
  for (const name of names) at = at[name] as Tree;
  at[last] = value;
  return copy;
}

function ofKinds(
  config: RunConfig,
  model: RunConfig['model']['kind'],
  optimizer: RunConfig['optimizer']['kind'],
): RunConfig {
  return {
    ...config,
    model: modelOfKind(config.model, model),
    optimizer: optimizerOfKind(config.optimizer, optimizer),
  };
}

/** Whether the config would have this field if it were of another kind. */
function hasOtherKind(config: RunConfig, path: string): boolean {
  return modelKinds.some((kind) => flat(ofKinds(config, kind, 'muon')).has(path));
}

function typed(text: string, like: unknown): unknown {
  if (text === 'null') return null;
  if (typeof like === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return typeof like === 'number' || like === null ? Number(text) : text;
}

function flat(tree: object, prefix = ''): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'object' && value !== null)
      for (const [path, leaf] of flat(value, `${prefix}${key}.`)) fields.set(path, leaf);
    else fields.set(prefix + key, value);
  }
  return fields;
}
