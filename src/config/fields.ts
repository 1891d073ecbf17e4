import * as v from 'valibot';

/** What a form says of a field beside its bounds, which its schema has. */
export interface FieldText {
  title: string;
  description?: string;
  /** The unit, after the title. */
  suffix?: string;
  step?: number;
  /** What an empty field, null in the config, means. */
  none?: string;
  /** The options that a form offers, each with its label; a schema of texts may take others. */
  labels?: Readonly<Record<string, string>>;
  /** Of a text that is a file's: the endings that are offered, and the setting that takes the file's name. */
  file?: { accept: string; nameIn: string };
}

/** A field of a form, as its schema describes it. `name` is its path: "model.layers". */
export type Field = { name: string; title: string | null; description: string } & (
  | ({ kind: 'number'; initial: number; min: number; max: number; whole: boolean } & Pick<
      FieldText,
      'suffix' | 'step' | 'none'
    >)
  | { kind: 'choice'; initial: string; options: readonly string[]; labels?: FieldText['labels'] }
  | { kind: 'several'; initial: readonly string[]; options: readonly string[]; labels?: FieldText['labels'] }
  | { kind: 'switch'; initial: boolean }
  | { kind: 'text'; initial: string }
  | ({ kind: 'file'; initial: string } & NonNullable<FieldText['file']>)
);

type More = Omit<FieldText, 'title'>;

export const count = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
export const between = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

/** A schema as a field of a form. */
export const field = <Schema extends v.GenericSchema>(
  schema: Schema,
  { title, description = '', ...more }: FieldText,
) => v.pipe(schema, v.title(title), v.description(description), v.metadata(more));
export const whole = (title: string, least: number, most: number, more: More = {}) =>
  field(count(least, most), { title, ...more });
export const real = (title: string, least: number, most: number, more: More = {}) =>
  field(between(least, most), { title, ...more });
export const toggle = (title: string, more: More = {}) => field(v.boolean(), { title, ...more });
export const choice = <Option extends string>(
  title: string,
  labels: Readonly<Record<Option, string>>,
  more: More = {},
) => field(v.picklist(Object.keys(labels) as Option[]), { title, labels, ...more });

/** The fields of an object schema, in its order; those without a title are not for a form. */
export function fieldsOf({ entries }: { entries: v.ObjectEntries }, prefix = ''): Field[] {
  return Object.entries(entries).map(([name, entry]) => fieldOf(prefix + name, entry as v.GenericSchema));
}

/** One field of a tree of object schemas: "schedule.steps". */
export function fieldAt(schema: v.GenericSchema, path: string): Field {
  const entry = path
    .split('.')
    .reduce((at, name) => (at as unknown as { entries: Record<string, v.GenericSchema> }).entries[name], schema);
  return fieldOf(path, entry);
}

function fieldOf(name: string, entry: v.GenericSchema): Field {
  const initial: unknown = v.getDefault(entry);
  const inner = unwrapped(entry);
  const { labels, file, ...more } = v.getMetadata(inner) as Omit<FieldText, 'title' | 'description'>;
  const text = { name, title: v.getTitle(inner) ?? null, description: v.getDescription(inner) ?? '' };
  const { type } = inner as { type: string };
  if (type === 'number') {
    const pipe = pipeOf(inner);
    const bound = (type: string): number | undefined =>
      pipe.find((action) => action.type === type)?.requirement as number | undefined;
    return {
      ...text,
      ...more,
      kind: 'number',
      initial: initial as number,
      min: bound('min_value') ?? -Infinity,
      max: bound('max_value') ?? Infinity,
      whole: pipe.some((action) => action.type === 'integer'),
    };
  }
  if (type === 'boolean') return { ...text, kind: 'switch', initial: initial === true };
  if (type === 'array') {
    const { item } = inner as unknown as { item: { options?: string[] } };
    const options = item.options ?? [];
    return { ...text, kind: 'several', initial: (initial ?? []) as string[], options, ...(labels ? { labels } : {}) };
  }
  if (labels) return { ...text, kind: 'choice', initial: initial as string, options: Object.keys(labels), labels };
  if (type === 'picklist') {
    const { options } = inner as unknown as { options: string[] };
    return { ...text, kind: 'choice', initial: initial as string, options };
  }
  const written = typeof initial === 'string' ? initial : '';
  if (file) return { ...text, ...file, kind: 'file', initial: written };
  return { ...text, kind: 'text', initial: written };
}

function unwrapped(entry: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in entry ? unwrapped(entry.wrapped as v.GenericSchema) : entry;
}

interface Action {
  type: string;
  requirement?: unknown;
}

/** All actions of a schema, those of pipes within its pipe among them. */
function pipeOf(schema: v.GenericSchema): Action[] {
  const { pipe = [] } = schema as { pipe?: v.GenericSchema[] };
  return pipe.flatMap((action): Action[] => (action !== schema && 'pipe' in action ? pipeOf(action) : [action]));
}
