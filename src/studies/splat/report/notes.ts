import { seedNotes } from '../../alike-runs.ts';
import { countsDiffer } from '../asking/spelt-count.ts';
import { recordNotes } from '../../testbed/report/notes.ts';
import { count } from '../../../report/labels.ts';
import { gameTitle } from '../../../domains/domains.ts';
import { gamesLabel, type SplatConfiguration } from './configurations.ts';
import { dataRows } from '../published/tables.ts';
import type { SplatAssessment } from '../splat-assessment.ts';

const { pretrainGames } = dataRows;
const list = new Intl.ListFormat('en-GB');

/** What keeps the user's numbers from being the paper's, in sentences. */
export function splatDifferences(configurations: readonly SplatConfiguration[]): string[] {
  if (configurations.length === 0) return [];
  const games = new Set(configurations.map((one) => `${gameTitle(one.domain)} ${gamesLabel(one)}`));
  return [
    `Games: yours learned from ${list.format(games)}; the paper's from ${count(pretrainGames.chess)} games of chess by players above 2000 on lichess.org and ${count(pretrainGames.baseball)} games of baseball of the major leagues. A row stands beside the paper's where the architecture and the start are the same; size, games and passes over them are yours.`,
    'TLM is the paper’s transformer, 6 layers of width 512; of yours, GPT-2, Qwen3 and LFM2 models are taken as one. The paper trains for 100 passes over the games and fine-tunes for 25.',
    'The paper keeps the games of pre-training and fine-tuning apart; the lab uses the same games for both unless you give two sets, as `prepare --split pretrain=0.5,finetune=0.5` makes them.',
    ...askedNotes(configurations),
    ...goalNotes(configurations),
    ...seedNotes(configurations),
    ...recordNotes(configurations.filter(({ runs: [{ assessment }] }) => assessment.recorded !== undefined)),
  ];
}

function askedNotes(configurations: readonly SplatConfiguration[]): string[] {
  const each = configurations.map(({ name, runs: [{ assessment }] }) => {
    const { legalVerbs, answers, recorded } = assessment;
    return `${name} ${count(recorded?.n ?? legalVerbs.length)} beginnings and ${count(answers.length)} questions`;
  });
  return [
    `Asked, about games that were held out: ${list.format(new Set(each))}. Legal Verbs is asked at points drawn as those of the other questions are.`,
  ];
}

function goalNotes(configurations: readonly SplatConfiguration[]): string[] {
  const baseball = configurations.filter(({ domain, subject }) => domain === 'baseball' && subject.fineTuning);
  if (baseball.length === 0) return [];
  const modes = new Set(baseball.map(({ subject }) => subject.fineTuning!.goals));
  const texts = {
    released: 'as in the authors’ lines, which tell the last verb before the question twice',
    corrected: 'as the games went on',
  };
  return [`Goals of baseball: learned ${list.format([...modes].map((mode) => texts[mode]))}.`];
}

/** What is to be said of some runs; seeds of one name say it once. */
export function runNotes(
  configurations: readonly SplatConfiguration[],
  noteOf: (assessment: SplatAssessment) => string | null,
): string[] {
  const notes = configurations.flatMap(({ runs }) => runs.map(({ assessment }) => noteOf(assessment)));
  return [...new Set(notes)].filter((note) => note !== null);
}

/** Which runs have no count of the tokens that legal verbs are spelt with, though their game wants it, in a sentence. */
export function unspeltNotes(configurations: readonly SplatConfiguration[]): string[] {
  const left = configurations
    .filter(({ domain }) => countsDiffer(domain))
    .flatMap(({ runs }) => runs.map(({ assessment }) => assessment))
    .filter(({ legalVerbs }) => legalVerbs.some(({ spelling }) => spelling === undefined));
  if (left.length === 0) return [];
  const names = list.format(new Set(left.map(({ subject }) => subject.name)));
  return [
    `Not counted under Legal verbs: ${names}, measured before the lab counted all tokens that legal verbs are spelt with. Ask again to have that number.`,
  ];
}
