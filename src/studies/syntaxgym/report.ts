import type { Estimate } from '../../base/statistics.ts';
import { shareEstimate } from '../../base/statistics.ts';
import { count } from '../../report/labels.ts';
import { chartsOf, type AnswerView, type Report } from '../../report/report.ts';
import type { Cell, Figure, Member, Row, Table } from '../../report/table.ts';
import { paperAlone, publishedCell, toldCell } from '../cells.ts';
import { modelRuns } from '../measure-report.ts';
import type { AnyStudy } from '../study.ts';
import { accuracy, evaluate, predictionAccuracy, regionMeans, succeeds, type Evaluation } from './evaluate.ts';
import { PUBLISHED, tagsOf } from './published.ts';
import { sentenceBoard, sentenceState } from './sentence-state.ts';
import { sentenceOf } from './sentences.ts';
import { comparedMetric, regionNames, sharedRegions, titleOf, type Suite } from './suite.ts';
import type { SyntaxGymAssessment } from './study.ts';

/** A suite as one model read it. */
interface Reading {
  assessment: number;
  set: number;
  model: string;
  suite: Suite;
  tags: readonly string[];
  evaluation: Evaluation;
  chance: number;
  unanswered: number;
}

/**
 * The charts of SyntaxGym: models by tag, models and baselines on each suite, each prediction, and the surprisal of each
 * region for each model and suite. Every cell leads to its items.
 */
export function syntaxgymReport(study: AnyStudy, assessments: readonly SyntaxGymAssessment[]): Report {
  const readings = assessments.flatMap(({ subject, suites }, assessment) =>
    suites.map(({ suite, chance, unanswered }, set): Reading => ({
      ...{ assessment, set, model: subject.name, suite, chance, unanswered: unanswered.length },
      tags: tagsOf(suite),
      evaluation: evaluate(suite),
    })),
  );
  const at = ({ assessment, set }: Member): Reading =>
    readings.find((one) => one.assessment === assessment && one.set === set)!;
  const answer = (member: Member): AnswerView => viewOf(at(member), member.answer);
  const tables = [tagTable(study, assessments, readings), suiteTable(assessments, readings), predictionTable(readings)];
  const figures = [...accuracyFigures(assessments, readings), ...readings.map(regionFigure)];
  return {
    title: study.title,
    introduction: study.description,
    runs: modelRuns(assessments),
    facts: readings
      .filter(({ unanswered }) => unanswered > 0)
      .map(
        ({ model, suite, unanswered }) =>
          `${model} could not read ${count(unanswered)} items of ${titleOf(suite)}; they are left out.`,
      ),
    parts: chartsOf(tables, figures),
    answer,
    topics: [
      { title: 'Suites', ids: /^(suites|tag-.*)$/ },
      { title: 'Tags', ids: /^(tags|by-tag)$/ },
      { title: 'Predictions', ids: /^predictions$/ },
      { title: 'Regions', ids: /^regions-/ },
    ],
    isRight: (member) => succeeds(at(member).evaluation.items[member.answer]),
    right: 'as predicted',
    boards: readings.some(({ suite }) => suite.items.length > 0 && stateOf(suite, 0).board !== null),
    notice: '',
  };
}

const percent = ({ mean, ci95 }: Estimate, members: Cell['members']): Cell => toldCell(mean, ci95, null, members);

const plain = (share: number | undefined): Cell => toldCell(share ?? null, null, null);

const membersOf = ({ assessment, set, evaluation }: Reading): Member[] =>
  evaluation.items.map((_, answer) => ({ assessment, set, answer }));

/** The mean over suites of their accuracies, as the SG score is; one suite has the interval of its items. */
function scoreOf(readings: readonly Reading[]): Cell {
  if (readings.length === 1) return accuracyCell(readings[0]);
  const members = readings.length === 0 ? null : (): Member[] => readings.flatMap(membersOf);
  return percent(shareEstimate(readings.map(({ evaluation }) => accuracy(evaluation).mean ?? 0)), members);
}

const accuracyCell = (reading: Reading): Cell => percent(accuracy(reading.evaluation), () => membersOf(reading));

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

function tagTable(study: AnyStudy, assessments: readonly SyntaxGymAssessment[], readings: readonly Reading[]): Table {
  const circuits = Object.keys(PUBLISHED[0].circuits);
  const tags = readings.length === 0 ? circuits : distinct(readings.flatMap(({ tags }) => tags));
  const measured = assessments.map(({ subject }, i): Row => {
    const mine = readings.filter(({ assessment }) => assessment === i);
    const cells = tags.map((tag) => scoreOf(mine.filter((one) => one.tags.includes(tag))));
    return { labels: [subject.name], cells: [...cells, scoreOf(mine)] };
  });
  const published = tags.some((tag) => circuits.includes(tag)) ? PUBLISHED : [];
  const papers = published.map(({ model, mean, circuits: shares }) => {
    const values = [...tags.map((tag) => shares[tag] as number | undefined), mean];
    return paperAlone(
      [model],
      values.map((value) => (value === undefined ? null : 100 * value)),
    );
  });
  return {
    id: 'tags',
    title: 'Models by tag',
    description:
      'The mean accuracy over the suites of a tag, in percent; a suite may have several. Accuracy is the share of items for which all predictions hold.',
    headings: { labels: ['Model'], groups: [], cells: [...tags, 'All suites'] },
    rows: [...measured, ...papers],
    notes: [study.source, ...(papers.length > 0 ? ['Published: Hu et al. 2020, means over 31 suites.'] : [])],
  };
}

function suiteTable(assessments: readonly SyntaxGymAssessment[], readings: readonly Reading[]): Table {
  const references = distinct(readings.flatMap(({ suite }) => referencesOf(suite).map(({ name }) => name)));
  const rows = distinct(readings.map(({ suite }) => titleOf(suite))).map((name): Row => {
    const here = readings.filter(({ suite }) => titleOf(suite) === name);
    const [{ tags, suite, chance }] = here;
    const models = assessments.map((_, i) => here.find(({ assessment }) => assessment === i));
    const { bigram, position } = suite.meta.baselines ?? {};
    return {
      labels: [tags.join(', '), name],
      cells: [
        ...models.map((one) => (one ? accuracyCell(one) : publishedCell(null))),
        plain(bigram),
        plain(position),
        plain(chance),
        ...references.map((one) => plain(referencesOf(suite).find(({ name }) => name === one)?.accuracy)),
      ],
    };
  });
  return {
    id: 'suites',
    title: 'Suites',
    description: 'Accuracy on each suite in percent, beside what it comes to without the rules.',
    headings: {
      labels: ['Tags', 'Suite'],
      groups: [
        { title: 'Models', span: assessments.length },
        { title: 'Baselines', span: 3 },
        ...(references.length > 0 ? [{ title: 'References', span: references.length }] : []),
      ],
      cells: [...assessments.map(({ subject }) => subject.name), 'Bigram', 'Position', 'Chance', ...references],
    },
    rows,
    notes: ['Bigram and position are counted in games; chance draws every region’s surprisal alike.'],
  };
}

function predictionTable(readings: readonly Reading[]): Table {
  const rows = readings.flatMap((reading) =>
    reading.evaluation.predictions.map(({ prediction, formula }, i): Row => ({
      labels: [titleOf(reading.suite), reading.model, reading.suite.predictions[prediction].comment ?? formula],
      cells: [percent(predictionAccuracy(reading.evaluation, i), () => membersOf(reading))],
    })),
  );
  return {
    id: 'predictions',
    title: 'Predictions',
    description: 'The share of items for which each prediction holds, in percent.',
    headings: { labels: ['Suite', 'Model', 'Prediction'], groups: [], cells: ['Holds, %'] },
    rows,
    notes: [],
  };
}

/** Bars: the models by tag, and on the suites of each tag. */
function accuracyFigures(assessments: readonly SyntaxGymAssessment[], readings: readonly Reading[]): Figure[] {
  const bars = (
    id: string,
    title: string,
    categories: string[],
    cellOf: (category: string, model: number) => Cell,
  ): Figure => ({
    ...{ id, title, description: 'Accuracy in percent, with 95% intervals.', kind: 'bars', notes: [] },
    x: { title: '', categories },
    y: { title: 'Accuracy, %', logarithmic: false, unit: 'percent' },
    series: assessments.map(({ subject }, model) => ({
      name: subject.name,
      points: categories.flatMap((category, x) => {
        const { value, ci95, members } = cellOf(category, model);
        return value === null ? [] : [{ x, y: value, ci95, members }];
      }),
    })),
  });
  const tags = distinct(readings.flatMap(({ tags }) => tags));
  const of = (model: number, fits: (reading: Reading) => boolean): Cell =>
    scoreOf(readings.filter((one) => one.assessment === model && fits(one)));
  const titles = distinct(readings.map(({ suite }) => titleOf(suite)));
  if (titles.length === 1)
    return [bars('tag-one', `Models on ${titles[0]}`, titles, (_, model) => of(model, () => true))];
  return [
    ...(tags.length > 1
      ? [bars('by-tag', 'Models by tag', tags, (tag, model) => of(model, (one) => one.tags.includes(tag)))]
      : []),
    ...tags.map((tag) => {
      const suites = distinct(readings.filter((one) => one.tags.includes(tag)).map(({ suite }) => titleOf(suite)));
      return bars(`tag-${tag.replace(/[^A-Za-z0-9]+/g, '-')}`, `Suites of ${tag}`, suites, (name, model) =>
        of(model, ({ suite }) => titleOf(suite) === name),
      );
    }),
  ];
}

/** Mean surprisal of each region, a line a condition. */
function regionFigure({ assessment, set, model, suite, evaluation }: Reading): Figure {
  const formulas = evaluation.predictions.map(({ formula }) => formula.trim());
  const names = regionNames(suite);
  // Beside a whole game, the few tokens that are compared would be flat lines.
  const first = suite.meta.domain === undefined ? 0 : sharedRegions(suite);
  return {
    id: `regions-${assessment}-${set}`,
    title: `${titleOf(suite)}, ${model}`,
    description: `Surprisal of each region, the mean over items with 95% intervals. Predicted: ${formulas.join('; ')}.`,
    kind: 'lines',
    x: { title: 'Region', categories: names.slice(first) },
    y: { title: `Surprisal (${comparedMetric(suite)}), bits`, logarithmic: false, unit: 'plain', includes: [0] },
    series: regionMeans(suite).map(({ condition, regions }) => ({
      name: condition,
      points: regions.slice(first).flatMap(({ mean, ci95 }, x) => (mean === null ? [] : [{ x, y: mean, ci95 }])),
    })),
    notes:
      first === 0
        ? []
        : [
            `Not drawn: ${names.slice(0, first).join(', ')}. What comes first and is the same in all conditions of an item is equally surprising in all of them.`,
          ],
  };
}

/** An item as people look at it: its sentences, with the surprisals of their regions. */
function viewOf({ model, suite, evaluation }: Reading, answer: number): AnswerView {
  const metric = comparedMetric(suite);
  const item = suite.items[answer];
  const { results } = evaluation.items[answer];
  const wrong = evaluation.predictions.filter((_, i) => !results[i]).map(({ formula }) => formula);
  const lines = item.conditions.map(({ condition_name, regions }) => {
    const parts = regions
      .filter(({ content }) => content.trim() !== '')
      .map(({ content, metric_value }) => `${content.trim()} (${(metric_value?.[metric] ?? NaN).toFixed(1)})`);
    return `${condition_name}: ${parts.join(' ')}`;
  });
  return {
    model,
    question: `${titleOf(suite)}, item ${item.item_number}`,
    verdict: wrong.length === 0 ? 'Every prediction holds' : `This does not hold: ${wrong.join('; ')}`,
    right: wrong.length === 0,
    more: `Bits by region. ${lines.join('. ')}.`,
    prompt: sentenceOf(item.conditions[0]),
    ...stateOf(suite, answer),
  };
}

/** What the first sentence of an item leads to, with its last event: a board, or the state of a game without one. */
function stateOf({ meta, items }: Suite, item: number): Pick<AnswerView, 'board' | 'state'> {
  const reached = sentenceState(meta.domain, sentenceOf(items[item].conditions[0]));
  const board = reached && sentenceBoard(reached);
  if (reached === null || board === null) return { board: null, state: reached && { ...reached, asked: null } };
  return { board };
}

const referencesOf = ({ meta }: Suite): readonly { name: string; accuracy: number }[] => meta.references ?? [];
