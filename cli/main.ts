import { defineCommand, renderUsage, runCommand, type ArgsDef, type CommandDef } from 'citty';
import { OVER_LIMIT } from '../src/base/budget.ts';
import { failureOf, InputError } from '../src/base/result.ts';
import { exampleOf } from './examples.ts';
import { nearestName } from './nearest-name.ts';
import { readUpTo, wantJson } from './node-io.ts';

/** One file a command; each is loaded when it is asked for, so that `legal` starts without an engine. */
const commands: Record<string, () => Promise<CommandDef>> = {
  prepare: () => import('./commands/prepare.ts').then((m) => m.default as CommandDef),
  train: () => import('./commands/train.ts').then((m) => m.default as CommandDef),
  sweep: () => import('./commands/sweep.ts').then((m) => m.default as CommandDef),
  perplexity: () => import('./commands/perplexity.ts').then((m) => m.default as CommandDef),
  'make-probes': () => import('./commands/make-probes.ts').then((m) => m.default as CommandDef),
  probe: () => import('./commands/probe.ts').then((m) => m.default as CommandDef),
  bigbench: () => import('./commands/bigbench.ts').then((m) => m.default as CommandDef),
  soundness: () => import('./commands/soundness.ts').then((m) => m.default as CommandDef),
  study: () => import('./commands/study.ts').then((m) => m.default as CommandDef),
  report: () => import('./commands/report.ts').then((m) => m.default as CommandDef),
  classify: () => import('./commands/classify.ts').then((m) => m.default as CommandDef),
  legal: () => import('./commands/legal.ts').then((m) => m.default as CommandDef),
  splat: () => import('./commands/splat.ts').then((m) => m.default as CommandDef),
  suite: () => import('./commands/suite.ts').then((m) => m.default as CommandDef),
  syntaxgym: () => import('./commands/suite.ts').then((m) => m.syntaxgym as CommandDef),
  'lm-zoo': () => import('./commands/lm-zoo.ts').then((m) => m.default as CommandDef),
  baseball: () => import('./commands/baseball.ts').then((m) => m.default as CommandDef),
  export: () => import('./commands/export.ts').then((m) => m.default as CommandDef),
  import: () => import('./commands/import.ts').then((m) => m.default as CommandDef),
  ship: () => import('./commands/ship.ts').then((m) => m.default as CommandDef),
  bench: () => import('./commands/bench.ts').then((m) => m.default as CommandDef),
};

const overview = defineCommand({
  meta: {
    name: 'blindfold',
    description:
      'Train small language models on the moves of games, and probe what world they built. Files that would take much more memory or time than their size are refused; --read-up-to GB with any command raises that. At a terminal results are lines for people; --json with any command gives JSON, as do pipes and files.',
  },
  subCommands: commands,
});

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader went away (blindfold ... | head): nothing is left to do.
  if (error.code === 'EPIPE') process.exit(0);
  leave(1, `blindfold: the result could not be written: ${error.message}.`);
});

const [name, ...given] = withoutReadUpTo(process.argv.slice(2));
if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
  console.log(await renderUsage(overview));
  process.exit(name === undefined ? 2 : 0);
}
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!load) leave(2, `blindfold: ${noCommand(name, Object.keys(commands))}`);
const { command, rest: all, path } = await subCommandOf(await load(), given, name);
const rest = await withoutJson(command, all);
if (rest.includes('--help') || rest.includes('-h')) {
  console.log(await renderUsage(command, { meta: { name: ['blindfold', ...path.split(' ').slice(0, -1)].join(' ') } }));
  const example = exampleOf(path);
  if (example !== undefined) console.log(`EXAMPLE\n\n  ${example}\n`);
  process.exit(0);
}
const unknown = await unknownArgument(command, rest);
if (unknown !== null) {
  const options = [...Object.keys(await optionsOf(command)), 'json', 'help'];
  const meant = unknown.startsWith('--') ? nearestName(unknown.slice(2).split('=')[0], options) : null;
  const hint = meant === null ? '' : ` Did you mean --${meant}?`;
  leave(2, `blindfold ${path}: it has no use for "${unknown}"; see blindfold ${path} --help.${hint}`);
}
try {
  await runCommand(command, { rawArgs: rest });
} catch (error) {
  if (error instanceof InputError) {
    const { code, message } = failureOf(error);
    const anyway =
      code === OVER_LIMIT ? ' To read it all the same give --read-up-to GB, the memory that it may take.' : '';
    leave(1, `blindfold ${path}: ${message}${anyway}`);
  }
  if (error instanceof Error && error.name === 'CLIError')
    leave(2, `blindfold ${path}: ${error.message} See blindfold ${path} --help.`);
  // The system's own errors about a path that was given: a full disk, a folder that is a file, no permission.
  if (error instanceof Error && 'code' in error && 'syscall' in error)
    leave(1, `blindfold ${path}: ${error.message}; check the path and the room on the disk.`);
  if (error instanceof RangeError && error.message.includes('call stack'))
    leave(1, `blindfold ${path}: the input is nested too deeply to be read; check that it is the right file.`);
  throw error;
}

/** Ends the program with a message on standard error. */
function leave(code: number, message: string): never {
  console.error(message);
  process.exit(code);
}

/** The arguments without --read-up-to, which any command that reads files takes. */
function withoutReadUpTo(args: string[]): string[] {
  const at = args.findIndex((arg) => /^--read-up-to(=|$)/.test(arg));
  if (at < 0 || args.slice(0, at).includes('--')) return args;
  const written = args[at].split('=')[1];
  try {
    readUpTo(written ?? args[at + 1] ?? '');
  } catch (error) {
    leave(2, `blindfold: ${(error as Error).message}`);
  }
  return [...args.slice(0, at), ...args.slice(at + (written === undefined ? 2 : 1))];
}

/** The arguments without --json, but for a command that takes a file there. */
async function withoutJson(command: CommandDef, args: string[]): Promise<string[]> {
  const at = args.indexOf('--json');
  if (at < 0 || args.slice(0, at).includes('--') || Object.hasOwn(await optionsOf(command), 'json')) return args;
  wantJson();
  return args.toSpliced(at, 1);
}

/** The command itself, or the one of its own that the next word names; leaves the program where that word names none. */
async function subCommandOf(
  command: CommandDef,
  rest: string[],
  path: string,
): Promise<{ command: CommandDef; rest: string[]; path: string }> {
  const subCommands = (await resolved(command.subCommands)) as Record<string, CommandDef> | undefined;
  if (subCommands === undefined) return { command, rest, path };
  const [name, ...more] = rest;
  if (name !== undefined && Object.hasOwn(subCommands, name))
    return { command: (await resolved(subCommands[name])) as CommandDef, rest: more, path: `${path} ${name}` };
  if (name === undefined || name === '--help' || name === '-h') {
    console.log(await renderUsage(command, overview));
    process.exit(name === undefined ? 2 : 0);
  }
  leave(2, `blindfold ${path}: ${noCommand(name, Object.keys(subCommands))}`);
}

function noCommand(name: string, names: readonly string[]): string {
  const meant = nearestName(name, names);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return `there is no command "${name}"; the commands are ${names.join(', ')}.${hint}`;
}

async function optionsOf({ args }: CommandDef): Promise<ArgsDef> {
  return ((await resolved(args)) as ArgsDef | undefined) ?? {};
}

/** citty lets commands be values, promises or functions. */
async function resolved(value: unknown): Promise<unknown> {
  return typeof value === 'function' ? (value as () => unknown)() : value;
}

/**
 * The first argument that this command has no use for. citty passes these in silence; a misspelt --sede
 * would change a result unseen, and `legal FILE` would wait for ever on a terminal.
 */
async function unknownArgument(command: CommandDef, args: string[]): Promise<string | null> {
  const known = await optionsOf(command);
  const takesFiles = Object.values(known).some(({ type }) => type === 'positional');
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--') return null;
    const option = /^--?(?:no-)?([^=]+)(=.*)?$/s.exec(arg);
    if (option && arg !== '-') {
      if (!Object.hasOwn(known, option[1]) || !arg.startsWith('--')) return arg;
      if (known[option[1]].type !== 'boolean' && option[2] === undefined) i++;
    } else if (!takesFiles) return arg;
  }
  return null;
}
