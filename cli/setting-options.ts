import type { ArgsDef } from 'citty';
import { Budget } from '../src/base/budget.ts';
import { jsonValue } from '../src/base/json.ts';
import { inputError } from '../src/base/result.ts';
import { fieldsOf, type Field } from '../src/config/fields.ts';
import { readSettings, type SettingsSchema } from '../src/studies/setting-fields.ts';
import { nameOf, usageError, wholeText } from './node-io.ts';

/** A study's settings as options of the command line: perplexityGames is --perplexity-games. */
export function settingArgs(schema: SettingsSchema<object>): ArgsDef {
  return Object.fromEntries(
    fieldsOf(schema).map((field) => {
      const description = [field.title ?? field.name, field.description, valuesOf(field)].filter(Boolean).join('; ');
      if (field.kind === 'switch') return [optionOf(field), { type: 'boolean', default: field.initial, description }];
      return [optionOf(field), { type: 'string', description }];
    }),
  );
}

/** The settings that the options say, defaults for the others; what the study does not take is wrong usage. */
export async function settingsOf(
  schema: SettingsSchema<object>,
  args: Readonly<Record<string, string | boolean | undefined>>,
): Promise<object> {
  const given: Record<string, unknown> = {};
  for (const field of fieldsOf(schema)) {
    const value = args[optionOf(field)];
    if (value !== undefined) given[field.name] = await settingOf(field, value);
  }
  const settings = readSettings(schema, given);
  if (settings.ok) return settings.value;
  throw usageError(`--${settings.error.message.replace(/^\w+/, (name) => optionOf({ name }))}`);
}

const optionOf = ({ name }: Pick<Field, 'name'>): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What may be given, and what stands where nothing is. */
function valuesOf(field: Field): string {
  switch (field.kind) {
    case 'number':
      return `from ${field.min} to ${field.max}, ${field.initial} where not said`;
    case 'choice':
      return `${field.options.join(' or ')}, ${field.initial} where not said`;
    case 'several':
      return isJson(field)
        ? '@FILE with a list as JSON'
        : `${field.options.join(', ')} with commas, ${field.initial.join(',')} where not said`;
    case 'text':
    case 'file':
      return 'or @FILE, for what a file holds';
    case 'switch':
      return '';
  }
}

/** Lists of other things than choices are written as JSON. */
const isJson = (field: Field): boolean => field.kind === 'several' && field.options.length === 0;

async function settingOf(field: Field, value: string | boolean): Promise<unknown> {
  if (typeof value === 'boolean') return value;
  const option = `--${optionOf(field)}`;
  switch (field.kind) {
    case 'number':
      if (value.trim() === '' || Number.isNaN(Number(value))) throw usageError(`${option} ${value}: give a number.`);
      return Number(value);
    case 'several':
      return isJson(field) ? jsonOf(option, value) : value.split(',').map((word) => word.trim());
    case 'text':
    case 'file':
      return textOf(value);
    default:
      return value;
  }
}

/** The text itself, or of the file after "@". */
async function textOf(value: string): Promise<string> {
  return value.startsWith('@') ? wholeText(value.slice(1)) : value;
}

async function jsonOf(option: string, value: string): Promise<unknown> {
  const file = value.startsWith('@') ? nameOf(value.slice(1)) : value;
  const read = jsonValue(await textOf(value), new Budget(file));
  if (read.ok) return read.value;
  throw inputError('not-json', `${option} ${file}: ${read.error.message}; give a list, or @FILE with one.`);
}
