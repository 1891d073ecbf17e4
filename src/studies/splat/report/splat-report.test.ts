import { expect, it } from 'vitest';
import { fromBase, reader, splatAssessment } from '../../../../fixtures/hand-made-splat.ts';
import { assessment, subject } from '../../../../fixtures/hand-made.ts';
import { unwrap } from '../../../base/result.ts';
import { csvOf } from '../../../report/csv.ts';
import { markdownOf } from '../../../report/markdown.ts';
import { contentOf, hasMeasured, isMeasured } from '../../../report/report.ts';
import type { Cell, Row, Table } from '../../../report/table.ts';
import { answerView } from './answer-description.ts';
import { beside } from './forgetting.ts';
import { htmlPage } from '../../../report/page.ts';
import { splatReport } from './html.ts';
import { forgettingRows, massRows, probingRows, randomRow } from '../published/tables.ts';
import type { SplatReportInput } from './report-input.ts';
import { splatFigures, splatTables } from './report.ts';
import { parseAssessments } from '../../assessments-file.ts';

const NONE: SplatReportInput = { assessments: [], data: [] };
const ABOUT = { device: null, command: 'blindfold report', date: null };
const of = (assessments: SplatReportInput['assessments']): SplatReportInput => ({ assessments, data: [] });
const table = (input: SplatReportInput, id: string): Table => splatTables(input).find((one) => one.id === id)!;
const measured = ({ rows }: Table): Row[] => rows.filter(({ publishedOnly }) => !publishedOnly);
const numbers = (cells: readonly Cell[]) => cells.map(({ value }) => value && Number(value.toFixed(6)));
const tuned = () => splatAssessment({ name: 'answerer', ...fromBase });

it('the published numbers agree with each other, and the paper’s Tables 3 and 4 have as many as counted', () => {
  // All are rounded to a tenth: 93.7 less 91.9 is printed as 1.7.
  for (const { values } of massRows) expect(Math.abs(values[1] - values[2] - values[3])).toBeLessThan(0.11);
  // As Table 4 and section 5.4 print them again.
  expect(massRows.map(({ values }) => values[0])).toEqual([75.8, 73.1, 55.2, 23.3]);
  expect(forgettingRows.map(({ values }) => values)).toEqual([
    [75.8, 73.1, -2.7, 95.8, 91.9, -3.9],
    [50.7, 48.7, -2.0, null, null, null],
  ]);
  const many = [...probingRows.map(({ values }) => values), randomRow].flatMap(({ chess, baseball }) => [
    ...chess,
    ...baseball,
  ]);
  // Parameters: 7 of chess, 5 of baseball; Legal Verbs 8 and 6; the questions 7, 7, 5 and 5, 5, 5.
  expect(many.filter((value) => value !== null)).toHaveLength(7 + 5 + 8 + 6 + 19 + 15);
});

it('with nothing of the user’s, published values alone', () => {
  for (const one of splatTables(NONE)) {
    expect(hasMeasured(one)).toBe(false);
    expect(one.rows.every(({ publishedOnly }) => publishedOnly)).toBe(true);
    for (const { cells } of one.rows) expect(cells).toHaveLength(one.headings.cells.length);
  }
  expect(
    table(NONE, 'splat-table-3')
      .rows.find(({ labels }) => labels[0] === 'TLM Finetuned')!
      .cells.map((cell) => cell.published),
  ).toEqual([23.4, 73.1, 97.6, 90.8, 74.5, 19.1, 48.7, 79.8, 90.4, 28.7]);
  expect(splatFigures(NONE).some((figure) => isMeasured({ kind: 'figure', figure }))).toBe(false);
});

it('Table 3 counts right answers, with the paper’s row of the same start beside them', () => {
  const found = table(of([tuned()]), 'splat-table-3');
  const [row, random] = measured(found);
  expect(row.labels).toEqual(['TLM Finetuned', 'answerer: GPT-2 4 x 128']);
  expect(numbers(row.cells)).toEqual([0.849536, 50, 75, 50, 0, null, null, null, null, null]);
  expect(row.cells.map(({ published }) => published)).toEqual([
    23.4,
    73.1,
    97.6,
    90.8,
    74.5,
    null,
    null,
    null,
    null,
    null,
  ]);
  // Baseball, which nobody assessed, stays beside it; and is not told twice.
  const paper = found.rows.filter(({ labels, publishedOnly }) => publishedOnly && labels[0] === 'TLM Finetuned');
  expect(paper.map(({ cells }) => cells.map(({ published }) => published))).toEqual([
    [null, null, null, null, null, 19.1, 48.7, 79.8, 90.4, 28.7],
  ]);
  // Wilson 3 of 4: 30.06 to 95.44; by R's prop.test(3, 4, correct = FALSE).
  expect(row.cells[2].ci95![0]).toBeCloseTo(30.06, 1);
  expect(row.cells[2].ci95![1]).toBeCloseTo(95.44, 1);
  expect(row.cells[2].members!().map(({ answer }) => answer)).toEqual([0, 1, 2, 3]);
  expect(row.cells[1].members!().map(({ set, answer }) => [set, answer])).toEqual([0, 1, 2, 3].map((at) => [1, at]));
  expect(random.labels[0]).toBe('Random baseline');
  expect(numbers(random.cells).slice(0, 5)).toEqual([null, 0.8, 40, 37.5, null]);
  expect(random.cells[3].published).toBe(35.2);
});

it('seeds are averaged, and models that the paper has not stand alone', () => {
  const worse = splatAssessment(
    { name: 'answerer', ...fromBase, seed: 2 },
    { answers: tuned().answers.map((one) => (one.line === 0 ? { ...one, correct: false } : one)) },
  );
  const [row] = measured(table(of([tuned(), worse]), 'splat-table-3'));
  expect(row.labels[1]).toContain('answerer and 1 more seed');
  expect(row.cells[2].value).toBeCloseTo(62.5, 9);
  expect(row.cells[2].spread).toEqual([50, 75]);
  const reformer = splatAssessment({ kind: 'reformer' });
  const other = measured(table(of([reformer]), 'splat-table-3'))[0];
  expect(other.labels[0]).toBe('Reformer Pretrained');
  expect(other.cells.every(({ published }) => published === null)).toBe(true);
});

it('answers of a model that never learned questions are dashes, and give no column and no random row', () => {
  const asked = tuned().answers.map((one) => ({ ...one, form: one.form === 'winning' ? 'turn' : one.form }));
  const found = table(of([splatAssessment({}, { answers: asked })]), 'splat-table-3');
  expect(found.headings.cells).not.toContain('Custom: turn');
  const [row, random] = measured(found);
  expect(row.cells.slice(2, 5).map(({ text, value }) => [text, value])).toEqual(Array(3).fill(['–', null]));
  expect(row.cells[1].value).toBe(50);
  expect(numbers(random.cells).slice(0, 5)).toEqual([null, 0.8, null, null, null]);
  expect(found.notes.join(' ')).toContain('never learned questions');
  expect(table(of([tuned()]), 'splat-table-3').notes.join(' ')).not.toContain('never learned questions');
});

it('questions of one’s own, and games that the paper has not, get columns of their own', () => {
  const asked = tuned().answers.map((one) => ({ ...one, form: one.form === 'winning' ? 'turn' : one.form }));
  const found = table(
    of([splatAssessment(fromBase, { answers: asked }), splatAssessment({}, { domain: 'go', answers: [] })]),
    'splat-table-3',
  );
  expect(found.headings.groups).toEqual([
    { title: 'Chess', span: 6 },
    { title: 'Baseball', span: 5 },
    { title: 'go', span: 2 },
  ]);
  expect(found.headings.cells[5]).toBe('Custom: turn');
  expect(measured(found).find(({ labels }) => labels[0] === 'TLM Finetuned')!.cells[5].value).toBe(50);
  for (const { cells } of found.rows) expect(cells).toHaveLength(13);
  // The paper's baseball must not slip into another column.
  const lstm = found.rows.find(({ labels }) => labels[0] === 'LSTM Randomized')!;
  expect(lstm.cells.map(({ published }) => published)).toEqual([
    8.7,
    47.9,
    63.8,
    63.7,
    15.9,
    null,
    4.4,
    52.8,
    74.3,
    49.4,
    10.9,
    null,
    null,
  ]);
});

it('game by game Table 3 has the rows and columns of one game each, and the same numbers', () => {
  const crosser = splatAssessment({ name: 'crosser', ...fromBase }, { domain: 'noughts' });
  const input = of([tuned(), crosser]);
  const each = splatTables(input, true);
  expect(each.map(({ id }) => id)).toEqual([
    'splat-table-2',
    'splat-table-3-chess',
    'splat-table-3-baseball',
    'splat-table-3-noughts',
    'splat-table-4',
    'splat-forgetting',
    'splat-distances-chess',
    'splat-distances-noughts',
  ]);
  const [chess, baseball, noughts] = each.slice(1, 4);
  expect(chess.headings.groups).toEqual([]);
  expect(chess.title).toBe('SPLAT, Table 3: what models answer (Chess)');
  const whole = table(input, 'splat-table-3');
  expect(measured(chess).map(({ cells }) => numbers(cells))).toEqual([
    numbers(measured(whole)[0].cells.slice(0, 5)),
    [null, 0.8, 40, 37.5, null],
  ]);
  // Nobody assessed baseball: the paper's five rows of it and its random answers, no GPT-2, which read chess alone.
  expect(hasMeasured(baseball)).toBe(false);
  expect(baseball.rows.map(({ labels }) => labels[0])).toEqual([
    'TLM Pretrained',
    'TLM Finetuned',
    'TLM Randomized',
    'LSTM Finetuned',
    'LSTM Randomized',
    'Random baseline',
  ]);
  // The second assessment of the list, whichever table its number is in.
  const [row] = measured(noughts);
  expect(row.labels[1]).toContain('crosser');
  expect(row.cells[2].members!()[0]).toEqual({ assessment: 1, set: 0, answer: 0 });
  expect(row.cells.every(({ published }) => published === null)).toBe(true);
});

it('Table 4 has the masses, blocked the difference of the two', () => {
  const found = table(
    of([
      tuned(),
      splatAssessment(
        {},
        {
          domain: 'baseball',
          legalVerbs: [{ events: 3, legal: 5, rPrecision: 0.2, legalMass: 0.5, inPatternMass: null }],
        },
      ),
    ]),
    'splat-table-4',
  );
  expect(measured(found).map(({ cells }) => numbers(cells))).toEqual([
    [50, 70, 60, 10],
    [20, null, 50, null],
  ]);
  expect(measured(found)[0].cells.map(({ published }) => published)).toEqual([73.1, 93.7, 91.9, 1.7]);
});

it('masses are drawn as shares of a whole, the user’s beside the paper’s', () => {
  const noughts = [{ events: 3, legal: 5, rPrecision: 0.2, legalMass: 0.5, inPatternMass: null }];
  const [figure] = splatFigures(of([tuned(), splatAssessment({}, { domain: 'noughts', legalVerbs: noughts })]));
  const drawn = figure.series.map(({ name, published, points }) => [
    ...[name, published === true, points.map(({ x, y }) => [x, Number(y.toFixed(6))])],
  ]);
  expect(drawn.slice(0, 2)).toEqual([
    [
      'answerer: GPT-2 4 x 128',
      false,
      [
        [0, 60],
        [1, 10],
        [2, 30],
      ],
    ],
    // Noughts have no pattern, so nothing is blocked.
    [
      'tiny: GPT-2 4 x 128',
      false,
      [
        [0, 50],
        [2, 50],
      ],
    ],
  ]);
  // Table 4, TLM Finetuned: 91.9 legal, 1.7 blocked; every row of the paper is drawn.
  expect(drawn).toContainEqual([
    'TLM Finetuned, paper',
    true,
    [
      [0, 91.9],
      [1, 1.7],
      [2, 6.4],
    ],
  ]);
  expect(drawn).toHaveLength(2 + massRows.length);
});

it('questions are counted at each distance to what was learned', () => {
  const found = table(of([tuned()]), 'splat-distances-chess');
  expect(found.headings.groups.map(({ title }) => title)).toEqual(['Assignment', 'Who’s winning']);
  expect(measured(found).map(({ labels, cells }) => [labels[1], ...numbers(cells)])).toEqual([
    ['2', 100, 2, 100, 1],
    ['5', 100, 1, 0, 1],
    ['9', 0, 1, null, 0],
  ]);
  expect(found.rows[0].cells[0].members!().map(({ answer }) => answer)).toEqual([0, 1]);
  expect(splatTables(of([reader()])).some(({ id }) => id.startsWith('splat-distances'))).toBe(false);
});

it('the assessment that belongs beside one is of the model before or after fine-tuning, the newest', () => {
  const [before, after] = [reader(), tuned()];
  const others = [splatAssessment({ name: 'another' }), before, reader(), after];
  expect(beside(after, others)).toEqual([before]);
  expect(beside(before, others)).toEqual([after]);
  expect(beside(after, [splatAssessment({ name: 'reader' }, { domain: 'noughts' })])).toEqual([]);
});

it('every part has a topic, and what was not measured is explained', () => {
  const { parts, topics } = splatReport(
    of([splatAssessment({ name: 'answerer', ...fromBase }, { distancesNeed: 'older games' })]),
    {
      byGame: true,
    },
  );
  for (const part of parts)
    expect(
      topics!.filter(({ ids }) => ids.test(contentOf(part).id)),
      contentOf(part).id,
    ).toHaveLength(1);
  const notes = parts.flatMap((part) => (part.kind === 'table' ? part.table.notes : []));
  expect(notes.join(' ')).toContain(
    'answerer: no distances to what it learned; they need the games of its fine-tuning, “older games”.',
  );
});

it('forgetting sets a fine-tuned model beside the one that its weights came from', () => {
  const found = table(
    of([tuned(), reader(), reader({ name: 'someone else', seed: 9, layers: 3 })]),
    'splat-forgetting',
  );
  const [row] = measured(found);
  expect(row.labels[1]).toContain('reader');
  expect(numbers(row.cells)).toEqual([75, 50, -25, 60, 60, 0]);
  expect(row.cells[2].text).toBe('−25.0');
  // Differences of 0, 0, 0 and -1: mean -.25, standard error .25, 1.96 of them.
  expect(row.cells[2].ci95!.map((end) => Math.round(end))).toEqual([-74, 24]);
  expect(row.cells[0].published).toBe(75.8);
  const alone = measured(table(of([tuned()]), 'splat-forgetting'))[0];
  expect(alone.labels[1]).toBe('reader: not assessed');
  expect(numbers(alone.cells)).toEqual([null, 50, null, null, 60, null]);
});

it('Table 2 counts the games and takes perplexities of models that read them alone', () => {
  const statistics = { games: 12_000, tokens: 900_000, meanTokens: 75, vocabulary: 4390, questions: 9000.25 };
  const data = [{ name: 'some games', domain: 'chess', statistics }];
  const lstm = reader({ kind: 'lstm', name: 'lstm' });
  const found = table({ assessments: [reader(), reader({ seed: 2 }), tuned(), lstm], data }, 'splat-table-2');
  const [row] = measured(found);
  expect(row.labels).toEqual(['Chess', 'some games']);
  expect(numbers(row.cells)).toEqual([12_000, 75, 900_000, 9000, 4390, 12.34, 12.34]);
  expect(row.cells.map(({ published }) => published)).toEqual([400_000, 73.5, 29_400_000, 300_000, 4390, 6.8, 13.4]);
  expect(found.rows).toHaveLength(2);
  expect(measured(found)).toHaveLength(1);
  expect(subject.games).toBe('some games');
});

it('Figure 2 rolls over five distances in chess, and divides by the best elsewhere', () => {
  const distances = [0, 1, 3, 4, 6, 7, 9];
  const right = [1, 1, 1, 0, 0, 1, 0];
  const answers = distances.map((distance, at) => ({
    ...tuned().answers[0],
    line: at,
    distance,
    correct: right[at] === 1,
  }));
  const chess = splatFigures(of([splatAssessment(fromBase, { answers })])).find(
    ({ id }) => id === 'splat-figure-2-chess',
  )!;
  const [line] = chess.series;
  expect(line.points.map(({ x, y }) => [x, Number(y.toFixed(4))])).toEqual([
    [0, 100],
    [1, 100],
    [3, 100],
    [4, 75],
    [6, 60],
    [7, 60],
    [9, 40],
  ]);
  expect(chess.notes.join(' ')).toContain('300 of about 900');
  // Two seeds of one name say it once.
  const seeds = [1, 2].map((seed) => splatAssessment({ ...fromBase, seed }));
  const { notes } = splatFigures(of(seeds)).find(({ id }) => id === 'splat-figure-2-chess')!;
  expect(new Set(notes).size).toBe(notes.length);
  const two = distances.flatMap((distance, at) => [
    { ...tuned().answers[0], line: at % 7, distance: distance > 3 ? 1 : 0, correct: right[at] === 1 },
    { ...tuned().answers[0], line: at % 7, distance: distance > 3 ? 1 : 0, correct: false },
  ]);
  // Distance 0: 3 of 6; distance 1: 1 of 8, a quarter of the best.
  const baseball = splatFigures(of([splatAssessment(fromBase, { domain: 'baseball', answers: two })])).find(
    ({ id }) => id === 'splat-figure-2-baseball',
  )!;
  expect(baseball.series[0].points.map(({ x, y }) => [x, y])).toEqual([
    [0, 100],
    [1, 25],
  ]);
});

it('the page leads from every number to its answers, and takes nothing in names for markup', () => {
  const strange = splatAssessment({ name: '<img src=x>', ...fromBase });
  const page = htmlPage(splatReport(of([strange, reader()])), ABOUT);
  expect(page).not.toContain('<img');
  expect(page).not.toContain('<b><b>');
  expect(page).toContain('&lt;img src=x&gt;');
  for (const id of ['splat-table-2', 'splat-table-3', 'splat-table-4', 'splat-forgetting', 'splat-figure-2-chess'])
    expect(page).toContain(`<section id="${id}">`);
  expect(page).not.toContain('id="splat-figure-2-baseball"');
  const links = [...page.matchAll(/href="#(list-\d+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(6);
  for (const id of links) expect(page).toContain(`<section id="${id}">`);
  expect(page).toContain(
    '<b>a black knight; it is a white pawn</b>. It gives the right answer 10.0%. The nearest state it learned from differs in 9 places.',
  );
  expect(htmlPage(splatReport(of([strange, reader()])), ABOUT)).toBe(page);
  for (const one of splatTables(of([strange, reader()]))) {
    expect(markdownOf(one)).toContain(one.title);
    expect(csvOf(one).split('\r\n')).toHaveLength(one.rows.length + 2);
  }
});

it('stored assessments are read in every form that they are written in; others are left to others', () => {
  const read = (value: unknown) => parseAssessments(JSON.stringify(value), 'x.json');
  const one = tuned();
  const stored = { id: 'a', run: null, createdAt: 1, asked: {}, assessment: one };
  const forms = [one, [one], { splat: [one] }, { assessments: [stored] }, stored, [{ ...stored, study: 'splat' }]];
  for (const written of [...forms, { study: 'splat', assessments: [one] }])
    expect(unwrap(read(written))).toMatchObject({ study: { name: 'splat' }, assessments: [one], games: [] });
  const statistics = { games: 3, tokens: 200, meanTokens: 66.5, vocabulary: 4390, questions: null };
  const games = { name: 'some games', domain: 'chess', statistics };
  // As it was written before there were several studies, and as it is now, with one set of games or more.
  for (const counted of [{ data: [games] }, { games: [games] }, { games }])
    expect(unwrap(read({ assessments: [one], ...counted }))).toMatchObject({ assessments: [one], games: [games] });
  expect(read({ assessments: [one], data: [{ name: 3 }] })).toMatchObject({
    error: { message: expect.stringMatching(/^x\.json: data\.0\.name: /) as string },
  });
  expect(unwrap(read({ assessments: [], games: null })).study.name).toBe('testbed');
  expect(unwrap(read([{ ...assessment(), sets: [] }])).study.name).toBe('testbed');
  expect(parseAssessments('not JSON', 'x.json')).toMatchObject({ error: { code: 'bad-assessment' } });
  expect(read({ study: 'what-if', assessments: [one] })).toMatchObject({ error: { code: 'no-study' } });
  const bad = { ...one, answers: [{ ...one.answers[0], line: 99 }] };
  expect(read(bad)).toMatchObject({ error: { code: 'bad-assessment' } });
  expect(read({ ...one, domain: 3 })).toMatchObject({
    error: { message: expect.stringMatching(/^x\.json: assessments\.0\.domain: /) as string },
  });
});

it('legal verbs of several tokens are told as the paper counts them, and the next token beside', () => {
  const spelt = splatAssessment({}, { domain: 'baseball', answers: [] });
  const legalVerbs = spelt.legalVerbs.map((one) => ({ ...one, spelling: { tokens: one.legal + 5, rPrecision: 0.25 } }));
  const random = { ...spelt.random, spelling: 0.11 };
  const found = table(of([{ ...spelt, legalVerbs, random }]), 'splat-table-3');
  expect(found.headings.groups).toEqual([
    { title: 'Chess', span: 5 },
    { title: 'Baseball', span: 6 },
  ]);
  const [row, chance] = measured(found);
  expect([row.cells[6], row.cells[10]].map(({ value, published }) => [value, published])).toEqual([
    [25, 50.7],
    [50, null],
  ]);
  expect([chance.cells[6], chance.cells[10]].map(({ value, published }) => [value, published])).toEqual([
    [11, 11.8],
    [0.8, null],
  ]);
  for (const { cells } of found.rows) expect(cells).toHaveLength(11);
  expect(found.notes.join(' ')).toContain('substitutions left out');
  expect(found.notes.join(' ')).not.toContain('Ask again');
  // Of the next token all are right in the first answer (R-precision 1), of the spelling a quarter in each; and so in words.
  const rightBy = (at: number): boolean[] =>
    row.cells[at].members!().map((member) => answerView([{ ...spelt, legalVerbs }], member).right);
  expect([rightBy(6), rightBy(10)]).toEqual([
    [false, false, false, false],
    [true, false, false, false],
  ]);
  expect(answerView([{ ...spelt, legalVerbs }], row.cells[6].members!()[0]).verdict).toMatch(
    /^2 of these 9 among its first 9/,
  );
});

it('the next token’s score of an older assessment is not taken for the count of all tokens', () => {
  const older = { ...splatAssessment({ ...fromBase, name: 'older' }), domain: 'baseball' };
  const before = { ...reader(), domain: 'baseball' };
  const legalVerbs = before.legalVerbs.map((one) => ({ ...one, spelling: { tokens: 20, rPrecision: 0.25 } }));
  const found = table(of([older]), 'splat-table-3');
  const [row, chance] = measured(found);
  expect(row.cells[6]).toMatchObject({ text: '–', value: null, published: 48.7, members: null });
  expect(row.cells[10].value).toBe(50);
  expect([chance.cells[6].value, chance.cells[10].value]).toEqual([null, 0.8]);
  expect(found.notes.join(' ')).toContain('Not counted under Legal verbs: older, measured before');
  const forgot = table(of([older, { ...before, legalVerbs }]), 'splat-forgetting');
  expect(numbers(measured(forgot)[0].cells)).toEqual([25, null, null, 60, 60, 0]);
  expect(forgot.notes.join(' ')).toContain('Not counted under Legal verbs: older, measured before');
  expect(table(of([older]), 'splat-table-4').headings.cells[0]).toBe('Next token (R-precision)');
  expect(table(of([tuned()]), 'splat-table-4').headings.cells[0]).toBe('Legal verbs (R-precision)');
});
