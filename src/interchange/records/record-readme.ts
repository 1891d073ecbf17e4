import { learnsPieces } from '../../config/objectives.ts';
import { layersOf, modelKindOf } from '../../config/model-schema.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { areOfSquares, type EventScores, type SquareScores, type TrainingRecord } from './training-record.ts';

type Range = SquareScores['short'];
type Task = Range['tasks']['end-actual'];

const count = (value: number) => value.toLocaleString('en-GB');

/** A share and its interval, in percent: "93.1 (91.4 to 94.5)"; a dash where the task has no such score. */
function percent(mean: number | null, ci95: [number, number] | null): string {
  if (mean === null) return '–';
  const tenths = (share: number) => (100 * share).toFixed(1);
  return ci95 ? `${tenths(mean)} (${ci95.map(tenths).join(' to ')})` : tenths(mean);
}

function row(text: string, { exm, lgm, rprec, ci95 }: Task): string {
  return `| ${text} | ${percent(exm, ci95.exm)} | ${percent(lgm, ci95.lgm)} | ${percent(rprec, ci95.rprec)} |`;
}

function table({ plies, tasks }: Range): string {
  return [
    `After ${plies[0]} to ${plies[1]} plies, ${count(tasks['end-actual'].n)} positions:`,
    '',
    '| asked | exact move | legal move | R-precision |',
    '|---|---|---|---|',
    row('where does the piece that moved go', tasks['end-actual']),
    row('where does another piece go', tasks['end-other']),
    row('where does a piece of the kind that moved stand', tasks['start-actual']),
    row('where does a piece of another kind stand', tasks['start-other']),
  ].join('\n');
}

/** Legal answers about long prefixes, a row for each kind of games. */
function splitTable(splits: NonNullable<SquareScores['splits']>): string {
  const [{ plies }] = splits;
  const legal = ({ lgm, ci95 }: Task) => percent(lgm, ci95.lgm);
  return [
    `Legal moves after ${plies[0]} to ${plies[1]} plies of games of other kinds, ${count(splits[0].tasks['end-actual'].n)} positions each:`,
    '',
    '| games | where does the piece that moved go | another piece | where does such a piece stand | another kind |',
    '|---|---|---|---|---|',
    ...splits.map(
      ({ words: text, tasks }) =>
        `| ${text} | ${legal(tasks['end-actual'])} | ${legal(tasks['end-other'])} | ${legal(tasks['start-actual'])} | ${legal(tasks['start-other'])} |`,
    ),
  ].join('\n');
}

function shapeOf({ model }: RunConfig): string {
  const heads = 'heads' in model ? `, ${model.heads} heads` : '';
  const shift = 'shift' in model && model.shift > 0 ? ` with a token shift of ${model.shift}` : '';
  return `${modelKindOf(model).title}${shift}, ${layersOf(model)} layers of ${model.width}${heads}, ${model.context} tokens of context`;
}

const slotText = `Its input has a slot embedding: besides its token, each position carries whether a square is the one that a piece leaves or the one that it reaches, and whose move it is. That is grammar, found by counting squares. The model was never told where any piece stands, how it moves or what is legal.`;

function duration(seconds: number): string {
  const hours = seconds / 3600;
  return hours < 1 ? `${Math.round(seconds / 60)} minutes` : `${hours.toFixed(1)} hours`;
}

function deviceText({ device, engine, threads }: { device: string; engine: string; threads: number }): string {
  return `device: ${device}; engine: ${engine}; threads: ${threads}`;
}

/** The runs that gave the last one its first weights; their configs are in the record. */
function earlierText(
  training: TrainingRecord['training'],
  earlier: NonNullable<TrainingRecord['training']['earlier']>,
  last: RunConfig,
): string {
  const configs = [...earlier.map(({ config }) => config), last];
  const apart = new Set(configs.map(({ data }) => data.games)).size > 1;
  const grew =
    new Set(configs.map(({ model }) => layersOf(model))).size > 1
      ? ' Where a run has a deeper model than the one before, each new layer copied the one below it and wrote nothing at first, so that the model answered as before.'
      : '';
  const runs = earlier.map((run, i) => {
    const games = apart ? ` on “${run.config.data.games}”` : '';
    const layers = layersOf(run.config.model);
    const place = i === 0 ? 'Of this, a first run' : 'The next, with the weights of the one before,';
    const text = `${place} trained a model of ${layers} layer${layers === 1 ? '' : 's'}${games}: ${count(run.steps)} steps, ${count(run.tokens)} tokens, ${duration(run.seconds)} (${deviceText(run)}).`;
    return run.remark === undefined ? text : `${text} ${run.remark}`;
  });
  return `${runs.join(' ')} The last (${deviceText(training)}) began with those weights.${grew} The configs of the runs before are in training-record.json, at training.earlier.`;
}

/** What it knows of the rules, and whence. */
function taughtText({ config, training }: TrainingRecord): string {
  const configs = [config, ...(training.earlier ?? []).map((run) => run.config)];
  const pieces = configs.some(learnsPieces) ? ' In training it was also told which kind of piece makes each move.' : '';
  if (configs.every(({ objective }) => objective === 'next'))
    return `What it knows of the rules it found in the games.${pieces}`;
  return `In training it was also told which tokens are legal at each place. So it is no evidence of what moves alone can teach.${pieces}`;
}

/**
 * The README of a shipped model, in plain words, from its record; `usage` is how the model's own library opens it, and
 * `beside` a published model beside
 * it, in a sentence.
 */
export function recordReadme(record: TrainingRecord, usage: string, beside: string | null = null): string {
  const { config, data, training, weights, scores } = record;
  const { model } = config;
  const earlier = training.earlier ?? [];
  const last = { config, steps: earlier.reduce((left, run) => left - run.steps, training.steps) };
  const passes = [...earlier, last].reduce((sum, run) => sum + run.steps * run.config.batch, 0) / data.games;
  const met = passes > 1 ? `each ${passes.toFixed(1)} times on average` : `${count(training.games)} of them`;
  const whence = training.earlier
    ? `. ${earlierText(training, training.earlier, config)}`
    : ` (${deviceText(training)}).`;
  const remark = training.remark === undefined ? '' : ` ${training.remark}`;
  const commands = [...training.computedBy, ...commandsOf(scores)];
  const parts = [
    header(record, usage),
    `# A small ${GAMES[config.domain] ?? config.domain} model`,
    `A model that comes with the lab: a language model of ${count(weights.parameters)} parameters (${shapeOf(config)}) that reads nothing but ${areOfSquares(scores) ? 'the moves of chess games, written as squares' : `games of ${GAMES[config.domain] ?? config.domain}, a token for each thing that happens`}. It guesses the next token; it has no board and no rules. ${taughtText(record)}`,
    // Where the file has rows of pairs, `usage` says what slots are.
    ...(model.slots && storage(weights) === '' ? [slotText] : []),
    '## What it was trained on',
    `${data.source} The training split of “${data.name}” has ${count(data.games)} games; the model met ${met}, ${count(training.tokens)} tokens in ${count(training.steps)} steps. That took ${duration(training.seconds)}${whence}${remark} Notation ${config.notation}, seed ${config.seed}; every other setting is in training-record.json.`,
    '## What it can do',
    `Measured on ${record.date} with ${record.software} on the weights in this folder, as they are, in games that it was not trained on. Percent, with 95% intervals.`,
    ...(areOfSquares(scores) ? squareParts(scores, beside) : eventParts(scores)),
    `To compute all this again, with ${configFiles(training.earlier?.length ?? 0)}:\n\n${commands.map((command) => `    ${command}`).join('\n')}`,
    '## What lies here',
    `model.safetensors holds the weights, rounded to 16 bits (F16) and computed with in 32${rounding(weights)}.${storage(weights)} training-record.json holds the whole record, blindfold.json the run's config, vocabulary and curve.`,
    '## Terms',
    `The weights have the licence of the project, MIT. They were learned from the moves of games, and moves are facts; the games themselves are not in this folder.`,
    '## Opening it elsewhere',
    // Its headings go one level down.
    usage
      .replace(HEADER, '')
      .trim()
      .replace(/^(#+ )/gm, '#$1'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Games as a sentence names them. */
const GAMES: Readonly<Record<string, string>> = { noughts: 'noughts and crosses' };

function commandsOf(scores: TrainingRecord['scores']): string[] {
  if (!areOfSquares(scores)) return scores.computedBy;
  const { perplexity, short, long, splits = [], soundness } = scores;
  return [perplexity, short, long, ...splits, ...(soundness ? [soundness] : [])].flatMap(
    ({ computedBy }) => computedBy,
  );
}

function squareParts(
  { short, long, splits = [], perplexity, soundness }: SquareScores,
  beside: string | null,
): string[] {
  return [
    table(short),
    table(long),
    ...(splits.length === 0 ? [] : [splitTable(splits)]),
    ...(soundness === undefined ? [] : [soundnessTable(soundness)]),
    ...(beside === null ? [] : [beside]),
    `Canonical perplexity ${perplexity.perplexity.toFixed(2)} a move on ${count(perplexity.games)} games. An exact move is the one that was played; many legal moves are as good.`,
  ];
}

/** What each opponent of the soundness study does, as a row names it. */
const OPPONENTS: Readonly<Record<string, string>> = {
  random: 'random moves',
  own: 'the move that the model itself would play',
  'least likely': 'the move that the model finds least likely',
  'illegal mass': 'the move after which the model leans most towards illegal answers',
};

function soundnessTable({ games, warmUp, plies, alone, attacks }: NonNullable<SquareScores['soundness']>): string {
  const rows = attacks.map(
    ({ adversary, attackSuccess, ci95 }) =>
      `| ${OPPONENTS[adversary] ?? adversary} | ${percent(1 - attackSuccess, [1 - ci95[1], 1 - ci95[0]])} |`,
  );
  return [
    `Games without an illegal move of the model, ${count(games)} a row. Each begins with ${warmUp} plies of a held-out game and goes on for at most ${count(plies)}:`,
    '',
    '| the opponent plays | games |',
    '|---|---|',
    `| nobody: the model plays both sides, drawing each token by its probabilities | ${percent(alone.fullyLegal, alone.ci95)} |`,
    ...rows,
    ...(alone.legalPlies === undefined
      ? []
      : [
          '',
          `Of the moves that it wrote alone, ${percent(alone.legalPlies, null)}% were legal; the first illegal one ends a game.${typeof alone.legalGamePlies === 'number' ? ` In games without one it played ${Math.round(alone.legalGamePlies)} plies on average.` : ''}`,
        ]),
  ].join('\n');
}

function eventParts({ perplexity, legal, legalMass }: EventScores): string[] {
  return [
    `Legal Verbs, counted by what may come next: of the likeliest tokens, as many as the rules allow, ${percent(legal.rprec, legal.ci95)} are among those that the rules allow, after ${count(legal.n)} beginnings of games; of random answers ${percent(legal.random, null)}. ${percent(legalMass, null)} of the probability lies on what the rules allow.`,
    `Perplexity ${perplexity.perplexity.toFixed(2)} a token on ${count(perplexity.games)} games.`,
  ];
}

/** What huggingface.co reads at the top of a README. */
const HEADER = /^---\n([^]*?)---\n/;

/** The header of a folder's README with the licence and the scores. */
function header({ config, scores }: TrainingRecord, usage: string): string {
  const found = HEADER.exec(usage);
  if (!found) return '';
  const metrics = metricsOf(scores);
  const lines = [
    found[1].replace('license: unknown', 'license: mit').trimEnd(),
    'model-index:',
    `- name: ${JSON.stringify(`blindfold-${config.domain}`)}`,
    '  results:',
    '  - task: { type: text-generation }',
    `    dataset: { name: ${JSON.stringify(config.data.games)}, type: ${config.domain} }`,
    '    metrics:',
    ...metrics.flatMap(([type, name, value]) =>
      value === null ? [] : [`    - { type: ${type}, name: ${JSON.stringify(name)}, value: ${value.toFixed(4)} }`],
    ),
  ];
  return `---\n${lines.join('\n')}\n---`;
}

function metricsOf(scores: TrainingRecord['scores']): [type: string, name: string, value: number | null][] {
  if (!areOfSquares(scores))
    return [
      ['perplexity', 'Perplexity a token', scores.perplexity.perplexity],
      ['accuracy', 'Legal next tokens (R-precision)', scores.legal.rprec],
    ];
  const legal = (range: 'short' | 'long') => scores[range].tasks['end-actual'].lgm;
  return [
    ['perplexity', 'Canonical perplexity a move', scores.perplexity.perplexity],
    ['accuracy', 'Legal end squares, short prefixes', legal('short')],
    ['accuracy', 'Legal end squares, long prefixes', legal('long')],
  ];
}

function rounding({ maxLogitDifference: most }: TrainingRecord['weights']): string {
  return most === null ? '' : `; on a short game no logit changed by more than ${most.toPrecision(2)}`;
}

/** Why the file holds more numbers than the model has parameters; nothing where it does not. */
function storage({ parameters, stored }: TrainingRecord['weights']): string {
  if (stored === undefined || stored === parameters) return '';
  return ` The file holds ${count(stored)} numbers for ${count(parameters)} parameters, since it has a row for each way in which a token can be read instead of vectors of tokens and slots, and the columns that mark what may follow.`;
}

/** Where the files are found that the commands name: config.json of the folder is Hugging Face's. */
function configFiles(earlier: number): string {
  const before = Array.from(
    { length: earlier },
    (_, i) => `\`training.earlier[${i}].config\` as earlier-${i + 1}.json`,
  );
  return `what training-record.json has at ${['`config` saved as run.json', ...before].join(' and at ')}`;
}
