import * as v from 'valibot';
import { fail, ok, type Result } from '../base/result.ts';

/**
 * What one may choose in a study: an object schema whose every entry has a default. An entry with a title is a field of
 * the form; all are options of the command line.
 */
export type SettingsSchema<Settings extends object> = v.ObjectSchema<v.ObjectEntries, undefined> &
  v.GenericSchema<unknown, Settings>;

/** One setting, as a form or a command line offers it. */
export type SettingField = { name: string; title: string | null; description: string } & (
  | { kind: 'number'; initial: number; min: number; max: number; whole: boolean }
  | { kind: 'choice'; initial: string; options: readonly string[] }
  | { kind: 'several'; initial: readonly string[]; options: readonly string[] }
  | { kind: 'switch'; initial: boolean }
  | { kind: 'text'; initial: string }
);

/** A number between two bounds, with its title. */
export function numberSetting(
  title: string | null,
  initial: number,
  { min, max, whole = true }: { min: number; max: number; whole?: boolean },
) {
  const bounded = v.pipe(v.number(), v.minValue(min), v.maxValue(max));
  const checked = whole ? v.pipe(bounded, v.integer()) : bounded;
  return v.optional(title === null ? checked : v.pipe(checked, v.title(title)), initial);
}

export function switchSetting(title: string, initial: boolean) {
  return v.optional(v.pipe(v.boolean(), v.title(title)), initial);
}

export function choiceSetting<const Options extends readonly string[]>(
  title: string,
  options: Options,
  initial: Options[number],
) {
  return v.optional(v.pipe(v.picklist(options), v.title(title)), initial);
}

/** The settings as fields, in the schema's order. */
export function settingFields(schema: SettingsSchema<object>): SettingField[] {
  return Object.entries(schema.entries).map(([name, entry]) => fieldOf(name, entry as v.GenericSchema));
}

/** What came from a form, a file or a command line, checked. Fails with `bad-setting`, naming the setting. */
export function readSettings<Settings extends object>(
  schema: SettingsSchema<Settings>,
  given: unknown,
): Result<Settings> {
  const parsed = v.safeParse(schema, given ?? {});
  if (parsed.success) return ok(parsed.output);
  const [issue] = parsed.issues;
  const where = v.getDotPath(issue) ?? 'the settings';
  return fail('bad-setting', `${where}: ${issue.message}.`);
}

function fieldOf(name: string, entry: v.GenericSchema): SettingField {
  const initial: unknown = v.getDefault(entry);
  const inner = unwrapped(entry);
  const pipe = pipeOf(inner);
  const title = (pipe.find(({ type }) => type === 'title')?.title as string | undefined) ?? null;
  const description = (pipe.find(({ type }) => type === 'description')?.description as string | undefined) ?? '';
  const told = { name, title, description };
  const bound = (type: string): number | undefined =>
    pipe.find((action) => action.type === type)?.requirement as number | undefined;
  const { type } = inner as { type: string };
  if (type === 'number')
    return {
      ...told,
      kind: 'number',
      initial: initial as number,
      min: bound('min_value') ?? -Infinity,
      max: bound('max_value') ?? Infinity,
      whole: pipe.some((action) => action.type === 'integer'),
    };
  if (type === 'boolean') return { ...told, kind: 'switch', initial: initial === true };
  if (type === 'picklist')
    return {
      ...told,
      kind: 'choice',
      initial: initial as string,
      options: (inner as unknown as { options: string[] }).options,
    };
  if (type === 'array') {
    const { item } = inner as unknown as { item: { options?: string[] } };
    return { ...told, kind: 'several', initial: (initial ?? []) as string[], options: item.options ?? [] };
  }
  return { ...told, kind: 'text', initial: typeof initial === 'string' ? initial : '' };
}

function unwrapped(entry: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in entry ? unwrapped(entry.wrapped as v.GenericSchema) : entry;
}

/** All actions of a schema, those of pipes within its pipe among them. */
function pipeOf(schema: v.GenericSchema): { type: string; [key: string]: unknown }[] {
  const { pipe } = schema as { pipe?: { type: string; kind: string }[] };
  return (pipe ?? []).flatMap((action, at) => (at === 0 ? pipeOfFirst(schema, action) : [{ ...action }]));
}

function pipeOfFirst(schema: v.GenericSchema, first: { type: string }): { type: string }[] {
  return first === (schema as unknown) ? [] : pipeOf(first as unknown as v.GenericSchema);
}
