import { presetNamed, type Preset } from '../../config/presets.ts';
import { parseRunConfig, type RunConfig } from '../../config/run-config.ts';
import type { Failure } from '../../base/result.ts';

type Tree = { [key: string]: unknown };

/** Fields that a link does not carry: the manifest follows from the games, the version from the build. */
const unlinked = new Set(['data.manifest', 'version', 'domain']);

/** The fields of a config that differ from its preset, as a query: "preset=tiny&batch=16&model.layers=3". */
export function queryOf(config: RunConfig, preset: Preset, byDefault: Preset): string {
  const query = new URLSearchParams();
  if (preset.name !== byDefault.name) query.set('preset', preset.name);
  const base = flat(preset.config);
  for (const [path, value] of flat(config))
    if (!unlinked.has(path) && value !== base.get(path)) query.set(path, String(value));
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
  const known = flat(chosen.config);
  let config = chosen.config;
  for (const [path, text] of query) {
    if (!known.has(path) || unlinked.has(path)) {
      if (path.includes('.'))
        failures.push({
          code: 'link-field',
          message: `The link sets "${path}", which this build does not know; it was left out.`,
        });
      continue;
    }
    const parsed = parseRunConfig(withField(config, path, typed(text, known.get(path))));
    if (parsed.ok) config = parsed.value;
    else
      failures.push({
        code: 'link-value',
        message: `The link's ${path}=${text} was left out. ${parsed.error.message}`,
      });
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

function typed(text: string, like: unknown): unknown {
  if (text === 'null') return null;
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
