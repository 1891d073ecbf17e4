import { seedNotes as alikeNotes } from '../../alike-runs.ts';
import { asThePaper, isProbed, isRecorded, type Configuration } from './configurations.ts';
import { count, millions } from '../../../report/labels.ts';
import { gamesLabel, modelLabel, notationLabel, rangeLabel } from './labels.ts';
import { questionsIn } from '../recorded.ts';
import { hyperParameterRows } from '../published/counts.ts';
import { bestRap, trainingSizes } from '../published/tables.ts';

const { S, M, L } = trainingSizes;
const [gpt2] = hyperParameterRows;
const [layers, width] = [Number(gpt2.layers), Number(gpt2.hidden)];
const list = new Intl.ListFormat('en-GB');

/** What keeps the user's numbers from being the paper's, in sentences. */
export function differences(configurations: readonly Configuration[]): string[] {
  if (configurations.length === 0) return [];
  return [
    ...gamesNotes(configurations),
    ...sizeNotes(configurations),
    ...windowNotes(configurations),
    ...rapNotes(configurations),
    ...recordNotes(configurations.filter(({ runs }) => runs.some(({ assessment }) => isRecorded(assessment)))),
  ];
}

function gamesNotes(configurations: readonly Configuration[]): string[] {
  const trained = new Set(
    configurations.map(({ subject }) => {
      const many = subject.trainGames === null ? 'an unknown number of games' : `${count(subject.trainGames)} games`;
      return `${subject.games === '' ? 'games that are not named' : subject.games} (${many})`;
    }),
  );
  const alone = configurations.filter(({ size }) => size === null);
  return [
    `Games: yours were trained on ${list.format(trained)}; the paper's on games of MillionBase, a collection of over-the-board games. A row counts as the paper's where its number of games is within a tenth of ${count(S)} (Train-S), ${count(M)} (Train-M) or ${count(L)} (Train-L).`,
    ...(alone.length === 0
      ? []
      : [
          `${list.format(new Set(alone.map(gamesLabel)))}: of no size of the paper, so these rows stand alone, without published values.`,
        ]),
  ];
}

function sizeNotes(configurations: readonly Configuration[]): string[] {
  const small = configurations.filter(
    ({ subject }) => subject.kind === 'gpt2' && (subject.layers !== layers || subject.width !== width),
  );
  if (small.length === 0) return [];
  const sizes = new Set(small.map((one) => `${modelLabel(one)} (${millions(one.subject.parameters)} parameters)`));
  return [
    `Size: the paper's GPT2 has ${layers} layers of width ${width}, ${gpt2.parameters} million parameters, and trains for at most 10 epochs; yours: ${list.format(sizes)}.`,
  ];
}

function windowNotes(configurations: readonly Configuration[]): string[] {
  return configurations.some(({ subject }) => subject.window === 50)
    ? [
        "Window: the paper's w=50 sees itself and the 50 tokens before, which is a window of 51 here; yours of 50 sees one token less.",
      ]
    : [];
}

function rapNotes(configurations: readonly Configuration[]): string[] {
  const other = configurations.filter(
    ({ size, notation }) => size !== null && notation.family === 'rap' && notation.percent !== bestRap[size],
  );
  return other.length === 0
    ? []
    : [
        `Piece names: the paper names the piece in ${bestRap.S} percent of the training moves (Train-S, Train-M) or ${bestRap.L} (Train-L); yours differ: ${list.format(
          new Set(other.map((one) => `${gamesLabel(one)} ${notationLabel(one)}`)),
        )}.`,
      ];
}

/** Which rows come from records; `recorded`: the models whose rows do. */
export function recordNotes(recorded: readonly { name: string }[]): string[] {
  if (recorded.length === 0) return [];
  // Shipped models of several games have one name.
  const names = list.format(new Set(recorded.map(({ name }) => name)));
  return [
    `Measured when the model was made: ${names}. A record has scores and no answers, so these numbers do not open; measure the model here to see its answers.`,
  ];
}

/** How many instances each row rests on, where that is not the paper's 1,000; and which prefixes. */
export function instanceNotes(configurations: readonly Configuration[]): string[] {
  const counts = new Map<string, number[]>();
  for (const { name, runs } of configurations)
    for (const { assessment } of runs)
      for (const set of assessment.sets)
        if (isProbed(set, asThePaper) && questionsIn(set) !== 1000)
          counts.set(name, [...(counts.get(name) ?? []), questionsIn(set)]);
  const different = [...counts].map(([name, each]) => `${name} ${list.format(new Set(each.map(count)))}`);
  return [
    ...(different.length === 0 ? [] : [`Instances: 1,000 in the paper; in yours, ${list.format(different)}.`]),
    `Prefixes: ${rangeLabel('long')} in the paper and wherever nothing else is said; rows that say ${rangeLabel('short')} have no published values.`,
  ];
}

/** Which rows are means over seeds. */
export function seedNotes(configurations: readonly Configuration[]): string[] {
  return alikeNotes(
    configurations,
    '; the interval is of the questions, answers of several runs to one question taken as one',
  );
}

/** What tells a table of models from the paper's. */
export function modelNotes(configurations: readonly Configuration[]): string[] {
  return [...differences(configurations), ...instanceNotes(configurations), ...seedNotes(configurations)];
}
