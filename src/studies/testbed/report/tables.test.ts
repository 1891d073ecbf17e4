import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import type { Answer, AssessedSet, Assessment } from '../assessment.ts';
import { answers, allRight, assessment, instances, set } from '../../../../fixtures/hand-made.ts';
import { hasMeasured } from '../../../report/report.ts';
import { gamesFacts, type ReportInput } from './report-input.ts';
import { isMeasured } from '../../../report/report.ts';
import { galleries } from './figures/wrong-answers.ts';
import { figuresOf, tablesOf } from './report.ts';
import { parseAssessments } from '../../assessments-file.ts';
import type { Row, Table } from '../../../report/table.ts';

const inputOf = (...assessments: Assessment[]): ReportInput => ({ assessments, games: null });
const tableOf = (input: ReportInput, id: string): Table => tablesOf(input).find((table) => table.id === id)!;
const measuredRows = (table: Table): Row[] => table.rows.filter(({ publishedOnly }) => !publishedOnly);
const valuesOf = (row: Row): (number | null)[] => row.cells.map(({ value }) => value && Number(value.toFixed(4)));

describe('tables of hand-made assessments', () => {
  it('Table 6 fills the row that is like, with hand-counted values, intervals and the published ones beside them', () => {
    const table = tableOf(inputOf(assessment()), 'table-6');
    const [row, random] = measuredRows(table);
    expect(row.labels).toEqual(['Train-S', 'UCI', 'tiny: GPT-2 4 x 128']);
    expect(valuesOf(row)).toEqual([50, 45, 25, 25, 25]);
    expect(row.cells.map(({ published }) => published)).toEqual([74.0, 61.1, 65.5, 57.7, 26.7]);
    expect(row.cells[0].text).toBe('50.0');
    // Wilson, 2 of 4: centre 1/2, half 1.96 * sqrt(1/16 + 1.96^2 / 64) / (1 + 1.96^2 / 4).
    expect(row.cells[0].ci95![0]).toBeCloseTo(15.004, 2);
    expect(row.cells[0].ci95![1]).toBeCloseTo(84.996, 2);
    // Deviations .55, .15, -.45, -.25 of the mean .45: variance .59 / 3, cut at 0 and 1.
    expect(row.cells[1].ci95![1]).toBeCloseTo(100 * (0.45 + 1.96 * Math.sqrt(0.59 / 3 / 4)), 1);
    expect(random.cells[4].value).toBeCloseTo(20);
    expect(random.cells[4].published).toBe(19.6);
    expect(table.rows.filter(({ publishedOnly }) => publishedOnly)).toHaveLength(8);
  });

  it('members are the answers that a number counts: numerator and denominator follow from them', () => {
    const random = seededRandom('members', 1);
    const shuffled = (): Answer[] =>
      answers.map((one) => {
        const legal = random.next() < 0.6;
        return { ...one, legal, rPrecision: random.next(), exact: one.exact === null ? null : random.next() < 0.3 };
      });
    const noise: AssessedSet = { ...set, range: 'short', answers: allRight };
    const input = inputOf(
      assessment({}, [noise, { ...set, answers: shuffled() }]),
      assessment({ notation: 'rap:25' }, [
        { ...set, source: 'random play' },
        { ...set, answers: shuffled() },
      ]),
    );
    const valueOf = [
      (one: Answer) => Number(one.legal),
      (one: Answer) => one.rPrecision,
      (one: Answer) => Number(one.legal),
      (one: Answer) => one.rPrecision,
      (one: Answer) => Number(one.exact),
    ];
    const tasks = ['end-actual', 'end-actual', 'end-other', 'end-other', 'end-actual'];
    const rows = measuredRows(tableOf(input, 'table-6')).filter(({ labels }) => labels[2] !== '');
    expect(rows).toHaveLength(3);
    for (const { cells, labels } of rows)
      for (const [at, cell] of cells.entries()) {
        const counted = cell.members!().map((member) => {
          const from = input.assessments[member.assessment].sets[member.set];
          expect(from.source).toBe('games');
          expect(from.range).toBe(labels[2].includes('5 to 50') ? 'short' : 'long');
          return from.answers[member.answer];
        });
        expect(counted).toHaveLength(4);
        expect(counted.every(({ task }) => task === tasks[at])).toBe(true);
        expect(cell.value).toBeCloseTo((100 * counted.reduce((sum, one) => sum + valueOf[at](one), 0)) / 4, 9);
      }
  });

  it('seeds of one configuration are averaged; the interval counts each question once', () => {
    const input = inputOf(assessment(), assessment({ name: 'tiny 2', seed: 2 }, [{ ...set, answers: allRight }], 30));
    const [row] = measuredRows(tableOf(input, 'table-6'));
    expect(row.labels[2]).toContain('tiny and 1 more seed');
    expect(row.cells[0].value).toBe(75);
    expect(row.cells[0].spread).toEqual([50, 100]);
    // Wilson, 3 of 4 questions.
    expect(row.cells[0].ci95![0]).toBeCloseTo(30.06, 1);
    expect(row.cells[0].ci95![1]).toBeCloseTo(95.44, 1);
    expect(row.cells[0].members!()).toHaveLength(8);
    const [perplexity] = measuredRows(tableOf(input, 'table-4'));
    expect(perplexity.cells[0]).toMatchObject({ value: 25, spread: [20, 30], published: 23.6 });
    expect(tableOf(input, 'table-6').notes.join(' ')).toContain('seeds 1 and 2');
  });

  it('seeds that ended early at different steps are averaged; seeds told to train for different times are not', () => {
    const rows = (planned: number | null) => {
      const early = assessment({ name: 'tiny 2', seed: 2, steps: 60, planned }, [{ ...set, answers: allRight }]);
      return measuredRows(tableOf(inputOf(assessment({ planned }), early), 'table-6')).filter(
        ({ labels }) => labels[2] !== '',
      );
    };
    expect(rows(200).map(({ cells }) => cells[0].value)).toEqual([75]);
    expect(rows(null).map(({ cells }) => cells[0].value)).toEqual([50, 100]);
    const kept = inputOf(assessment({ planned: 200 }));
    expect(unwrap(parseAssessments(JSON.stringify(kept), 'file')).assessments).toEqual(kept.assessments);
  });

  it('a model that was told which piece moves is no seed of one that was not', () => {
    const told = assessment({ name: 'tiny 2', seed: 2, notation: 'rap:15', pieceWeight: 0.5 });
    const input = inputOf(assessment({ notation: 'rap:15' }), told);
    const rows = measuredRows(tableOf(input, 'table-6')).map(({ labels }) => labels[2]);
    expect(rows.filter((label) => label !== '')).toHaveLength(2);
    expect(unwrap(parseAssessments(JSON.stringify(input), 'file')).assessments).toEqual(input.assessments);
  });

  it('compares games with random play only where both were asked', () => {
    expect(tableOf(inputOf(assessment()), 'random-play').rows).toEqual([]);
    const both = assessment({}, [set, { ...set, source: 'random play' }, { ...set, range: 'short' }]);
    expect(tableOf(inputOf(both), 'random-play').rows.map(({ labels }) => labels.slice(1))).toEqual([
      ['51 to 100 plies', 'games'],
      ['51 to 100 plies', 'random legal play'],
    ]);
  });

  it('a second run of the same seed is a row of its own', () => {
    expect(measuredRows(tableOf(inputOf(assessment(), assessment({ name: 'again' })), 'table-4'))).toHaveLength(2);
  });

  it.each([
    ['games a tenth off', { trainGames: 16_500 }, 74.0],
    ['games further off', { trainGames: 16_501 }, null],
    ['games unknown', { trainGames: null }, null],
    ['another kind', { kind: 'qwen3' as const }, null],
    ['another objective', { objective: 'valid' as const }, null],
    ['a window', { window: 51 }, null],
    ['RAP 0, which is UCI', { notation: 'rap:0' }, 74.0],
    ['AP', { notation: 'ap' }, 87.0],
    ['RAP of any share', { notation: 'rap:50' }, 88.4],
    ['200,000 games', { trainGames: 200_000 }, 97.7],
  ])('matches rows by notation, kind, window, objective and games: %s', (_, changes, published) => {
    const [row] = measuredRows(tableOf(inputOf(assessment(changes)), 'table-6'));
    expect(row.cells[0].published).toBe(published);
    expect(row.cells[0].value).toBe(50);
  });

  it('Table 7 has windows and LSTMs, and no published value for the row that is a copy', () => {
    const windowed = tableOf(inputOf(assessment({ window: 51, trainGames: 50_000 })), 'table-7');
    expect(measuredRows(windowed)[0].cells.map(({ published }) => published)).toEqual([86.0, 74.9, 80.9, 71.3, 35.8]);
    const lstm = tableOf(inputOf(assessment({ kind: 'lstm', notation: 'rap:15' })), 'table-7');
    expect(measuredRows(lstm)[0].cells[0].published).toBe(59.5);
    const copy = windowed.rows.find(({ labels }) => labels[0] === 'Train-L' && labels[1] === 'GPT2 (w=50)')!;
    expect(copy.cells.every(({ published, value }) => published === null && value === null)).toBe(true);
  });

  it('Table 8 matches layers and width too', () => {
    const row = (changes: object): Row => measuredRows(tableOf(inputOf(assessment(changes)), 'table-8'))[0];
    expect(row({}).cells[0].published).toBeNull();
    expect(row({ layers: 16, width: 768 }).cells[0].published).toBe(72.3);
  });

  it('Table 10 counts instances', () => {
    const table = tableOf(inputOf(assessment()), 'table-10');
    const counts = Object.fromEntries(
      table.rows.map(({ labels, cells }) => [labels[0], cells.map((one) => one.value)]),
    );
    expect(counts).toEqual({
      Rook: [0, 0, 0],
      Knight: [0, 4, 4],
      Bishop: [4, 0, 0],
      Queen: [0, 0, 0],
      King: [0, 0, 0],
      Total: [4, 4, 4],
    });
    expect(table.rows[1].cells[1].members!()).toHaveLength(4);
    // Nothing was asked of Start-Other: a count, but no answers behind it.
    expect(table.rows[1].cells[2].members).toBeNull();
  });

  it('Table 12 scales to 1,000 prompts; members are the errors', () => {
    const input = inputOf(assessment());
    const [row] = measuredRows(tableOf(input, 'table-12'));
    expect(valuesOf(row)).toEqual([250, 250, 0, 0, 0, 0, 750, 0]);
    expect(row.cells.map(({ published }) => published)).toEqual([168, 48, 40, null, 173, 90, 80, null]);
    expect(row.cells[6].members!().map(({ answer }) => answer)).toEqual([5, 6, 7]);
  });

  it('Tables 13 and 14 leave answers with other errors out of the questions', () => {
    const input = inputOf(assessment({ trainGames: 200_000 }));
    const pseudo = measuredRows(tableOf(input, 'table-13')).map((row) => [row.labels[2], ...valuesOf(row)]);
    expect(pseudo).toEqual([
      ['In check, the king moves', 0, 0, 0, 0],
      ['In check, another piece moves', 0, 0, 1, 1],
      ['Not in check, the king moves', 0, 0, 0, 0],
      ['Not in check, another piece moves', 0, 2, 2, 3],
      ['Total', 0, 2, 3, 4],
    ]);
    const paths = measuredRows(tableOf(input, 'table-14'));
    expect(paths.map((row) => [row.labels[2], ...valuesOf(row)])).toContainEqual(['Bishop', 1, 3, 0, 0]);
    expect(paths.at(-1)!.cells.map(({ published }) => published)).toEqual([10, 987, 26, 945]);
    expect(paths[0].cells.map(({ published }) => published)).toEqual([3, 355, null, 267]);
  });

  it('rows of other models have no published values in Tables 13 and 14, and the paper has its own', () => {
    const table = tableOf(inputOf(assessment()), 'table-13');
    expect(measuredRows(table).every(({ cells }) => cells.every(({ published }) => published === null))).toBe(true);
    expect(table.rows.filter(({ publishedOnly }) => publishedOnly)).toHaveLength(5);
  });

  it('games and figures: splits, token lengths, the sweep, path lengths, prefix lengths', () => {
    // A knight's move is two tokens, a promotion to a queen three.
    const games = { train: [new Uint16Array(3), Uint16Array.of(5 << 12)], dev: [new Uint16Array(10)] };
    const facts = gamesFacts('mine', games);
    expect(facts.splits).toEqual([
      { name: 'train', games: 2, plies: 4 },
      { name: 'dev', games: 1, plies: 10 },
    ]);
    expect(facts.lengths).toEqual({ width: 20, counts: [2] });
    const input: ReportInput = {
      assessments: [assessment({}, [set], 20), assessment({ notation: 'rap:25' }, [set], 15)],
      games: facts,
    };
    const dev = measuredRows(tableOf(input, 'table-9')).find(({ labels }) => labels[0] === 'Dev')!;
    expect(dev.cells.map(({ value, published }) => [value, published])).toEqual([
      [1, 15_000],
      [10, 1_100_000],
    ]);
    const figures = new Map(figuresOf(input).map((figure) => [figure.id, figure]));
    expect(figures.get('figure-2')!.series[0].points.map(({ x, y }) => [x, y])).toEqual([
      [0, 20],
      [25, 15],
    ]);
    const steps = figures.get('figure-8-1')!;
    expect(steps.series.map(({ points }) => points.map(({ x, y }) => [x, y]))).toEqual([[[1, 3]], [[1, 1]]]);
    const lengths = figures.get('figure-4')!;
    expect(lengths.series[0].points.map(({ y }) => y)).toEqual([0, 100, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(figures.get('by-length-end')!.series[0].points.map(({ x, y }) => [x, y])).toEqual([[55.5, 50]]);
  });

  it('galleries hold every wrong End answer once, by class', () => {
    const [byClass, , byPiece] = galleries(inputOf(assessment()));
    expect(byClass.classes.map(({ name, members }) => [name, members.length])).toEqual([
      ['Syntax', 1],
      ['Path obstruction', 1],
      ['Pseudo legal', 3],
      ['Unreachable', 0],
    ]);
    expect(byPiece.classes.find(({ name }) => name === 'Bishop')!.members).toEqual([
      { assessment: 0, set: 0, answer: 3 },
    ]);
  });

  it('with nothing of the user’s there are published values alone', () => {
    const input = inputOf();
    expect(tablesOf(input).filter(hasMeasured)).toEqual([]);
    expect(figuresOf(input).filter((figure) => isMeasured({ kind: 'figure', figure }))).toEqual([]);
    expect(tableOf(input, 'table-6').rows[0].cells[0].published).toBe(74.0);
  });

  it('stored assessments come back in all three forms, and broken ones name the field', () => {
    const one = assessment();
    for (const stored of [one, [one], { assessments: [one], games: null }])
      expect(unwrap(parseAssessments(JSON.stringify(stored), 'file'))).toMatchObject({
        ...{ study: { name: 'testbed' }, assessments: [one], games: [] },
      });
    const broken = assessment({}, [{ ...set, instances: instances.slice(0, 2) }]);
    const result = parseAssessments(JSON.stringify([broken]), 'file');
    expect(result.ok).toBe(false);
    expect(!result.ok && result.error.message).toContain('an instance that is not there');
    expect(parseAssessments('[', 'file').ok).toBe(false);
  });
});
