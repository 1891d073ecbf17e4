import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineCommand, type CommandDef } from 'citty';
import { inputError, ok, unwrap, type Result } from '../../src/base/result.ts';
import type { AnyDomain } from '../../src/domains/domains.ts';
import { baselinesOf, ngramBaselines } from '../../src/studies/syntaxgym/baselines.ts';
import { aggregate, computeSurprisals, type ComputedSuite } from '../../src/studies/syntaxgym/compute-surprisals.ts';
import { accuracyLine, evaluate } from '../../src/studies/syntaxgym/evaluate.ts';
import { suiteToPairs } from '../../src/studies/syntaxgym/formats/blimp.ts';
import { suiteToCsv } from '../../src/studies/syntaxgym/formats/csv.ts';
import { suiteToLmEval, type ExportedFile } from '../../src/studies/syntaxgym/formats/lm-eval.ts';
import { evaluationTable, regionTable } from '../../src/studies/syntaxgym/formats/result-tables.ts';
import { parseSurprisals } from '../../src/studies/syntaxgym/formats/surprisals-tsv.ts';
import { readSpec } from '../../src/studies/syntaxgym/model-spec.ts';
import { writeSuite } from '../../src/studies/syntaxgym/read-suite.ts';
import { sentencesOf } from '../../src/studies/syntaxgym/sentences.ts';
import { shippedList } from '../../src/studies/syntaxgym/shipped.ts';
import type { Suite } from '../../src/studies/syntaxgym/suite.ts';
import { gamesList, jsonFile, report, shareBar, usageError, wantedDomain, wholeText, writeResult } from '../node-io.ts';
import { modelArgs } from '../open-model.ts';
import { readShipped, shippedModels } from '../shipped-file.ts';
import { openSuite, openSuiteModel } from '../suite-files.ts';

const suiteArg = {
  type: 'positional',
  required: true,
  description:
    'SUITE.json, the site’s CSV, or BLiMP’s pairs (.jsonl); a suite that "suite list suites" has; - for standard input',
} as const;
const model = {
  ...modelArgs.model,
  description: `${modelArgs.model.description}; one that "suite list models" has; or a JSON file of computed surprisals`,
};

const tabular = { type: 'boolean', description: 'a table, a line a region, rather than the suite as JSON' } as const;

const surprisals = defineCommand({
  meta: { name: 'surprisals', description: 'The suite with the surprisal of each region, as syntaxgym-core has it.' },
  args: { suite: suiteArg, model, engine: modelArgs.engine, tabular },
  run: ({ args }) => printSurprisals(args.suite, args.model, args.engine, args.tabular),
});

const computed = defineCommand({
  meta: {
    name: 'compute-surprisals',
    description: 'What "suite surprisals" prints, as syntaxgym has it: compute-surprisals chess chess_pin.',
  },
  args: {
    model: { ...model, type: 'positional' },
    suite: suiteArg,
    engine: modelArgs.engine,
    tabular_results: tabular,
    json_results: { type: 'boolean', description: 'the suite as JSON, as without it' },
  },
  async run({ args }) {
    if (args.tabular_results && args.json_results) throw usageError('give --tabular_results or --json_results.');
    await printSurprisals(args.suite, args.model, args.engine, args.tabular_results);
  },
});

const evaluated = defineCommand({
  meta: {
    name: 'evaluate',
    description:
      'Whether each prediction holds for each item, and the accuracy (on stderr): evaluate chess chess_pin, or evaluate SUITE with surprisals.',
  },
  args: {
    given: { ...suiteArg, description: `SUITE, or MODEL SUITE. SUITE is ${suiteArg.description}` },
    suite: { type: 'positional', required: false, description: 'SUITE, where MODEL stands before it' },
    model: { ...model, required: false },
    engine: modelArgs.engine,
  },
  async run({ args }) {
    if (args.suite !== undefined && args.model !== undefined)
      throw usageError('give MODEL before SUITE or as --model, not both.');
    await printEvaluation(args.suite ?? args.given, args.suite === undefined ? args.model : args.given, args.engine);
  },
});

const ran = defineCommand({
  meta: { name: 'run', description: 'What "suite evaluate MODEL SUITE" prints: run chess chess_pin.' },
  args: { model: { ...model, type: 'positional' }, suite: suiteArg, engine: modelArgs.engine },
  run: ({ args }) => printEvaluation(args.suite, args.model, args.engine),
});

const aggregated = defineCommand({
  meta: {
    name: 'aggregate',
    description: 'The suite with surprisals from a table of tokens (lm-zoo’s get_surprisals).',
  },
  args: {
    suite: { ...suiteArg, type: 'string' },
    surprisals: { type: 'string', required: true, description: 'TSV: sentence_id, token_id, token, surprisal' },
    spec: { type: 'string', required: true, description: 'the model’s spec, as lm-zoo prints it' },
  },
  async run({ args }) {
    const suite = await openSuite(args.suite);
    const spec = unwrap(readSpec(await jsonFile(args.spec, 'not-json', "a model's spec as JSON"), args.spec));
    const rows = unwrap(parseSurprisals(await wholeText(args.surprisals), args.surprisals));
    const sentences = sentencesOf(suite).length;
    if (rows.length !== sentences) {
      const message = `${args.surprisals}: it has ${rows.length} sentences, and the suite has ${sentences}; give the surprisals of this suite.`;
      throw inputError('bad-surprisals', message);
    }
    const scored = rows.map((row) => ok({ ...row, unknown: [], starts: null }));
    process.stdout.write(`${writeSuite(reported(aggregate(suite, scored, spec, spec.name)))}\n`);
  },
});

const exported = defineCommand({
  meta: { name: 'export', description: 'The suite for other programs.' },
  args: {
    suite: suiteArg,
    to: { type: 'string', required: true, description: 'lm-eval (a task), blimp (pairs), csv or json' },
    out: { type: 'string', required: true, description: 'the folder that the files are written to' },
    end: {
      type: 'string',
      description:
        'of lm-eval: the token that ends a sentence, which SyntaxGym counts to its last region ("<|endoftext|>" for GPT-2); none where not said',
    },
  },
  async run({ args }) {
    const suite = await openSuite(args.suite);
    if (args.end !== undefined && args.to !== 'lm-eval') throw usageError(`--end belongs to --to lm-eval.`);
    const base = suite.meta.name.replace(/[^\w.-]+/g, '_').slice(0, 80) || 'suite';
    const one = (extension: string, text: string): ExportedFile[] => [{ name: `${base}.${extension}`, text }];
    const made: Record<string, () => ExportedFile[]> = {
      'lm-eval': () => unwrap(suiteToLmEval(suite, args.end)),
      blimp: () => one('jsonl', unwrap(suiteToPairs(suite))),
      csv: () => one('csv', suiteToCsv(suite)),
      json: () => one('json', writeSuite(suite)),
    };
    if (!Object.hasOwn(made, args.to)) throw usageError(`--to ${args.to}: choose ${Object.keys(made).join(', ')}.`);
    const files = made[args.to]();
    await mkdir(args.out, { recursive: true });
    for (const { name, text } of files) await writeFile(join(args.out, name), text);
    writeResult({ files: files.map(({ name }) => join(args.out, name)) });
  },
});

const baselines = defineCommand({
  meta: {
    name: 'baselines',
    description: 'What a suite over moves comes to without a board: bigrams, positions, chance.',
  },
  args: {
    suite: suiteArg,
    games: { type: 'string', description: 'GAMES that are counted; the embedded or invented ones where not said' },
    domain: { type: 'string', description: 'the game, where the suite does not name it (meta.domain)' },
    notation: { type: 'string', description: 'uci or splat in chess; the tokens that are counted' },
  },
  async run({ args }) {
    const suite = await openSuite(args.suite);
    const named = args.domain ?? suite.meta.domain;
    if (named === undefined) throw usageError('the suite names no game; give --domain.');
    const domain = wantedDomain(named);
    const counted = domain.notation('uci');
    const notation = unwrap(
      args.notation === undefined && counted.ok ? counted : domain.notation(args.notation ?? 'splat'),
    );
    const games = await gamesList([args.games ?? gamesOf(domain)], domain);
    writeResult(unwrap(await baselinesOf(suite, ngramBaselines(notation, games))));
  },
});

const listed = defineCommand({
  meta: { name: 'list', description: 'What ships with the lab and can be asked or evaluated: a table.' },
  args: { what: { type: 'positional', required: true, description: 'suites or models' } },
  async run({ args }) {
    if (args.what === 'models') process.stdout.write(`model\n${shippedModels().join('\n')}\n`);
    else if (args.what === 'suites') {
      const rows = unwrap(await shippedList(readShipped)).map(({ name, domain, items, tags, title }) =>
        [name, domain ?? '', items, tags.join(', '), title].join('\t'),
      );
      process.stdout.write(['suite\tdomain\titems\ttags\ttitle', ...rows, ''].join('\n'));
    } else throw usageError(`suite list ${args.what}: choose suites, models.`);
  },
});

async function printSurprisals(suite: string, path: string, engine?: string, asTable = false): Promise<void> {
  const computed = await withModel(await openSuite(suite), path, engine);
  process.stdout.write(asTable ? regionTable(computed) : `${writeSuite(computed)}\n`);
}

/** Without a model the suite must have surprisals. */
async function printEvaluation(path: string, model: string | undefined, engine?: string): Promise<void> {
  const given = await openSuite(path);
  const read = model === undefined ? given : await withModel(given, model, engine);
  const hasValues = read.items.every(({ conditions }) =>
    conditions.every(({ regions }) => regions.every((region) => region.metric_value !== undefined)),
  );
  if (!hasValues)
    throw inputError(
      'no-surprisals',
      `${path}: its regions have no surprisals; give --model, or what "suite surprisals" wrote.`,
    );
  const evaluation = evaluate(read);
  process.stdout.write(evaluationTable(read.meta.name, evaluation));
  report(accuracyLine(evaluation));
}

/** Games that are always at hand. */
function gamesOf(domain: AnyDomain): string {
  if (domain.invented !== null) return 'invented';
  return `${fileURLToPath(new URL('../../public/data/chess-selfplay', import.meta.url))}:train`;
}

async function withModel(suite: Suite, path: string, engine: string | undefined): Promise<Suite> {
  const { model, close } = await openSuiteModel(path, engine, sentencesOf(suite));
  const bar = shareBar();
  try {
    return reported(await computeSurprisals(suite, model, bar));
  } finally {
    bar.end();
    close();
  }
}

/** The suite that was computed; items that were left out go to stderr. */
function reported(result: Result<ComputedSuite>): Suite {
  const { suite, unanswered } = unwrap(result);
  if (unanswered.length > 0) {
    const [{ item, condition, reason }] = unanswered;
    report(`${unanswered.length} items were left out. Item ${item}, condition "${condition}": ${reason}`);
  }
  return suite;
}

const subCommands = {
  list: listed,
  run: ran,
  evaluate: evaluated,
  surprisals,
  'compute-surprisals': computed,
  aggregate: aggregated,
  export: exported,
  baselines,
} as Record<string, CommandDef>;

export default defineCommand({
  meta: { name: 'suite', description: 'SyntaxGym: test suites of minimal pairs, on any model.' },
  subCommands,
});

/** The same commands by the original's name. */
export const syntaxgym = defineCommand({
  meta: { name: 'syntaxgym', description: 'The same as suite: syntaxgym list models, syntaxgym run chess chess_pin.' },
  subCommands,
});
