import * as v from 'valibot';
import { issueText } from '../config/issue-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { between, count, field, type FieldText } from '../config/fields.ts';

/**
 * What one may choose in a study: an object schema whose every entry has a default. An entry with a title is a field of
 * the form; all are options of the command line.
 */
export type SettingsSchema<Settings extends object> = v.ObjectSchema<v.ObjectEntries, undefined> &
  v.GenericSchema<unknown, Settings>;

/** A number between two bounds, with its title. */
export function numberSetting(
  title: string | null,
  initial: number,
  { min, max, whole = true }: { min: number; max: number; whole?: boolean },
) {
  const checked = whole ? count(min, max) : between(min, max);
  return v.optional(title === null ? checked : v.pipe(checked, v.title(title)), initial);
}

export function switchSetting(title: string, initial: boolean) {
  return v.optional(v.pipe(v.boolean(), v.title(title)), initial);
}

export function choiceSetting<const Options extends readonly string[]>(
  title: string,
  options: Options,
  initial: Options[number],
  labels?: FieldText['labels'],
) {
  return v.optional(field(v.picklist(options), { title, ...(labels ? { labels } : {}) }), initial);
}

/** The text of a file. `accept`: endings that are offered; `nameIn`: the setting that takes the file's name. */
export function fileSetting(title: string, description: string, file: NonNullable<FieldText['file']>) {
  return v.optional(field(v.string(), { title, description, file }), '');
}

/** What came from a form, a file or a command line, checked. Fails with `bad-setting`, naming the setting. */
export function readSettings<Settings extends object>(
  schema: SettingsSchema<Settings>,
  given: unknown,
): Result<Settings> {
  const parsed = v.safeParse(schema, given ?? {});
  if (parsed.success) return ok(parsed.output);
  return fail('bad-setting', `${issueText(parsed.issues, 'the settings')}.`);
}
