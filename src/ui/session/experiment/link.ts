import { modelKinds, modelOfKind } from '../../../config/model-schema.ts';
import { optimizerOfKind } from '../../../config/optimizers.ts';
import { presetNamed, type Preset } from '../../../config/presets.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { excerpt } from '../../../base/excerpt.ts';
import { fail, type Failure } from '../../../base/result.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { checkedConfig } from './checked-config.ts';
import { configIn, firstPreset, presetsOf } from './game-setup.ts';

type Tree = { [key: string]: unknown };

/**
 * Fields that a link does not carry as such: the manifest and what is said of it follow from the games, the version from the build, and the
 * game is read before all others, since it decides what the presets mean.
 */
const unlinked = new Set(['data.manifest', 'data.notice', 'data.splitSeed', 'version', 'domain']);
/** They decide which other fields there are. */
const kinds = ['model.kind', 'optimizer.kind'];

const MOST_MESSAGES = 4;

/** Fields that are trees of their own: a link carries each whole, as JSON. */
const wholes = ['questions', 'from'];

/**
 * The fields of a config that differ from its preset in its game, with the preset's name, as a query:
 * "domain=baseball&preset=splat-nano&batch=16". Empty where the config is the one that the page opens with.
 * `named` gives the preset's name in any case.
 * Where the kind of the model or the optimiser differs, its fields are compared with the preset's, turned into that kind.
 */
export function queryOf(config: RunConfig, preset: Preset, byDefault: Preset, named = false): string {
  const query = new URLSearchParams();
  const { domain, model, optimizer } = config;
  if (domain !== byDefault.config.domain) query.set('domain', domain);
  const own = configIn(preset, domain);
  const plain = flat(own);
  const base = flat(ofKinds(own, model.kind, optimizer.kind));
  const changed = [...flat(config)].filter(
    ([path, value]) => !unlinked.has(path) && value !== (kinds.includes(path) ? plain : base).get(path),
  );
  // Changes mean nothing without what they change, and a later version may begin with another preset.
  if (named || changed.length > 0 || preset.name !== homeOf(domain, byDefault).name) query.set('preset', preset.name);
  for (const [path, value] of changed)
    query.set(path, wholes.includes(path) && value !== null ? JSON.stringify(value) : String(value));
  return query.toString().replaceAll('%3A', ':');
}

/** The preset and config that a query names, and what of it could not be taken. */
export function configFrom(
  query: URLSearchParams,
  byDefault: Preset,
): { preset: Preset; config: RunConfig; failures: Failure[] } {
  const failures: Failure[] = [];
  let refused = 0;
  /** A link may have any number of fields; a person reads a few messages. */
  const refuse = (code: string, message: string): void => {
    if (++refused <= MOST_MESSAGES) failures.push(fail(code, message).error);
    if (refused === MOST_MESSAGES + 1)
      failures.push({ code: 'link-more', message: 'More settings of the link were left out; check that it is whole.' });
  };
  const game = query.get('domain') ?? byDefault.config.domain;
  const found = domainNamed(game);
  if (!found.ok) refuse('link-domain', `The link asks for another game: ${found.error.message}`);
  const domain = found.ok ? game : byDefault.config.domain;
  const home = homeOf(domain, byDefault);
  const named = query.get('preset');
  const preset = named === null ? home : presetNamed(named);
  const fits = preset !== undefined && presetsOf(domain).includes(preset);
  if (!fits)
    refuse(
      'link-preset',
      `The link names the preset ${excerpt(named)}, which ${preset === undefined ? 'this build does not have' : 'is written in a notation that this game does not have'}; "${home.name}" is used instead.`,
    );
  const chosen = fits ? preset : home;
  const start = configIn(chosen, domain);
  let config = start;
  const refuseValue = (path: string, text: string, why: string): void =>
    refuse(
      'link-value',
      `The link's ${path}=${text.length > 60 ? `${text.slice(0, 60)}…` : text} was left out. ${why}`,
    );

  for (const path of kinds) {
    const text = query.get(path);
    if (text === null) continue;
    const parsed = checkedConfig(withField(config, path, text));
    const problem = parsed.ok ? '' : parsed.error.message;
    // Of a kind that exists, the other fields may still be wrong.
    if (problem.startsWith(`${path}:`)) refuseValue(path, text, problem);
    else
      config =
        path === 'model.kind'
          ? ofKinds(config, text as RunConfig['model']['kind'], config.optimizer.kind)
          : ofKinds(config, config.model.kind, text as RunConfig['optimizer']['kind']);
  }

  const known = new Map([['from', null as unknown], ...flat(config)]);
  const fields: [path: string, text: string, value: unknown][] = [];
  for (const [path, text] of query) {
    if (kinds.includes(path)) continue;
    if (known.has(path) && !unlinked.has(path)) fields.push([path, text, typed(path, text, known.get(path))]);
    else if (path.includes('.'))
      refuse(
        'link-field',
        `The link sets ${excerpt(path)}, which ${hasOtherKind(start, path) ? 'a model or an optimiser of this kind does not have' : 'this build does not know'}; it was left out.`,
      );
  }
  // Together first: a width may only fit the heads that come with it.
  const together = checkedConfig(
    fields.reduce((tree, [path, , value]) => withField(tree as RunConfig, path, value), config as Tree),
  );
  if (together.ok) return { preset: chosen, config: together.value, failures };
  for (const [path, text, value] of fields) {
    const parsed = checkedConfig(withField(config, path, value));
    if (parsed.ok) config = parsed.value;
    else refuseValue(path, text, parsed.error.message);
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

/** The preset that a link need not name. */
function homeOf(domain: string, byDefault: Preset): Preset {
  return domain === byDefault.config.domain ? byDefault : firstPreset(domain);
}

function typed(path: string, text: string, like: unknown): unknown {
  if (text === 'null') return null;
  if (wholes.includes(path)) return parsedJson(text);
  if (typeof like === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  // What is no number stays text, which a message can quote and no schema takes for one.
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber && (typeof like === 'number' || like === null) ? Number(text) : text;
}

/** What the text says; the text itself, which no schema takes for a tree, where it is no JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function flat(tree: object, prefix = ''): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'object' && value !== null && !wholes.includes(prefix + key))
      for (const [path, leaf] of flat(value, `${prefix}${key}.`)) fields.set(path, leaf);
    else if (value !== undefined) fields.set(prefix + key, value);
  }
  return fields;
}
