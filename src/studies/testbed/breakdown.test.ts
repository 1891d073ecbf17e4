import { Chess, type Square } from 'chess.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { guess, guessingEngine } from '../../../fixtures/guessing-engine.ts';
import { assessment } from '../../../fixtures/hand-made.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { fenOf } from '../../domains/chess/formats/fen.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import { parsePrefix } from '../../domains/chess/replay.ts';
import { vocabulary } from '../../domains/chess/notation/vocabulary.ts';
import type { Cell, Table } from '../../report/table.ts';
import type { AssessedSet } from './assessment.ts';
import { answersIn, answersOf, askedPieces, endTasks, lengthBins, slidingPieces } from './breakdown.ts';
import { makeInstances, type Instance } from './instances.ts';
import { obstructionTable, pseudoLegalTable } from './report/tables/errors.ts';
import { asThePaper, configurationsOf, type Configuration } from './report/configurations.ts';
import { pathLengthFigures } from './report/figures/path-lengths.ts';
import { askTasks, randomLegalExact, taskNames, taskReport, type TaskName } from './tasks.ts';

const notation = unwrap(chess.notation('rap:15'));
let set: AssessedSet;

/** What chess.js and plain arithmetic say of each answer, from the prefix and the likeliest token alone. */
interface Seen {
  i: number;
  task: TaskName;
  plies: number;
  piece: string;
  legal: boolean;
  exact: boolean | null;
  rPrecision: number;
  error: string | null;
  inCheck: boolean;
  pathLength: number | null;
}
let seen: Seen[];

beforeAll(async () => {
  const games = Array.from({ length: 1200 }, (_, i) => randomGame(seededRandom('breakdown', i), 101));
  const instances = await makeInstances(games, { range: [51, 100], n: 600, seed: 42 });
  expect(instances).toHaveLength(600);
  const { engine } = guessingEngine();
  const answers = await askTasks(engine, notation, instances, { tasks: taskNames, rowsPerBatch: 8 });
  set = { range: 'long', source: 'random play', instances, answers };
  // chess.js takes the position as FEN: that its own replay gives the same is tested in the domain, and it is slow.
  const boards = instances.map(({ prefix }) => new Chess(fenOf(unwrap(parsePrefix(prefix)))));
  seen = answers.map(({ instance, task, prompt }, i) => {
    const game = boards[instance];
    const words = instances[instance].prefix.split(' ');
    const next = `${instances[instance].starting_square}${instances[instance].ending_square}`;
    const ranking = likeliest([...words.flatMap((word) => word.match(/[a-h][1-8]|[qrbn]/g)!), prompt]);
    const isEnd = task.startsWith('end');
    // The lists themselves are held to chess.js in instances.test.ts.
    const right = new Set(rightOf(instances[instance], task));
    const [top] = ranking;
    const actual = task.endsWith('actual');
    const isSquare = /^[a-h][1-8]$/.test(top);
    return {
      i,
      task,
      plies: words.length,
      piece: isEnd ? game.get(prompt as Square)!.type.toUpperCase() : prompt,
      legal: right.has(top),
      exact: actual ? (isEnd ? prompt + top === next : top === next.slice(0, 2)) : null,
      rPrecision: ranking.slice(0, right.size).filter((token) => right.has(token)).length / right.size,
      error: !isEnd || right.has(top) ? null : errorOf(game, prompt, top),
      inCheck: game.inCheck(),
      pathLength: isEnd && isSquare ? Math.max(...distances(prompt, top)) : null,
    };
  });
});

function rightOf(instance: Instance, task: TaskName): string[] {
  if (task === 'end-actual') return instance.legal_ending_square;
  if (task === 'end-other') return instance.other_ending_square;
  return task === 'start-actual' ? instance.legal_starting_square : instance.start_other_starting_square;
}

/** Tokens by falling logit, piece names apart. */
function likeliest(prompt: string[]): string[] {
  const logits = guess(['<s>', ...prompt].map((token) => vocabulary.id(token)!));
  return vocabulary.tokens
    .map((token, id) => ({ token, logit: logits[id] }))
    .filter(({ token }) => !/^[PNBRQK]$/.test(token))
    .sort((a, b) => b.logit - a.logit)
    .map(({ token }) => token);
}

function distances(from: string, to: string): [number, number] {
  return [0, 1].map((i) => Math.abs(from.charCodeAt(i) - to.charCodeAt(i))) as [number, number];
}

/** The four classes of an illegal answer about a piece that is no pawn, from differences of squares and chess.js's board. */
function errorOf(game: Chess, from: string, to: string): string {
  const kind = game.get(from as Square)!.type;
  const [x, y] = /^[a-h][1-8]$/.test(to) ? distances(from, to) : [0, 0];
  const straight = (x === 0) !== (y === 0);
  const diagonal = x === y && x > 0;
  const leap = x * y === 2;
  if (!straight && !diagonal && !leap) return 'unreachable';
  const goes = { n: leap, b: diagonal, r: straight, q: straight || diagonal, k: Math.max(x, y) === 1 }[kind as 'n'];
  if (!goes) return 'syntax';
  const steps = leap ? 1 : Math.max(x, y);
  const between = Array.from({ length: steps - 1 }, (_, s) =>
    String.fromCharCode(
      ...[0, 1].map((i) => from.charCodeAt(i) + ((to.charCodeAt(i) - from.charCodeAt(i)) / steps) * (s + 1)),
    ),
  );
  const blocked = between.some((square) => game.get(square as Square));
  return blocked || game.get(to as Square)?.color === game.turn() ? 'path obstruction' : 'pseudo legal';
}

const of = (task: TaskName, where: (answer: Seen) => boolean = () => true): number[] =>
  seen.filter((answer) => answer.task === task && where(answer)).map(({ i }) => i);
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('answers', () => {
  it('say of themselves what chess.js says', () => {
    expect(set.answers).toHaveLength(2400);
    seen.forEach(({ i, ...fields }) => expect(set.answers[i]).toMatchObject(fields));
    // All kinds of answers are there, so that what follows counts something.
    const kinds = new Set(seen.map(({ error }) => error));
    expect(kinds.size).toBe(5);
    expect(seen.filter(({ error, inCheck }) => error === 'pseudo legal' && inCheck).length).toBeGreaterThan(5);
  });
});

describe.each(taskNames)('%s', (task) => {
  it('has its accuracies', () => {
    const given = taskReport(set.answers, task);
    const mine = seen.filter((answer) => answer.task === task);
    expect(answersOf(set, task)).toEqual(mine.map(({ i }) => i));
    expect(given.n).toBe(600);
    expect(given.lgm).toBeCloseTo(mean(mine.map(({ legal }) => Number(legal))), 12);
    expect(given.rprec).toBeCloseTo(mean(mine.map(({ rPrecision }) => rPrecision)), 12);
    if (task === 'end-other' || task === 'start-other') expect(given.exm).toBeNull();
    else {
      expect(given.exm).toBeCloseTo(mean(mine.map(({ exact }) => Number(exact))), 12);
      const random = mean(mine.map(({ i }) => 1 / set.answers[i].legalCount));
      expect(randomLegalExact(set.instances, task)).toBeCloseTo(random, 12);
    }
  });

  it('counts questions by prefix length', () => {
    const options = { from: 51, to: 100, width: 15 };
    const bins = lengthBins(options);
    expect(bins).toEqual([
      { from: 51, to: 65 },
      { from: 66, to: 80 },
      { from: 81, to: 95 },
      { from: 96, to: 100 },
    ]);
    const histogram = bins.map((bin) => answersIn(set, task, bin));
    expect(histogram.flat()).toHaveLength(600);
    for (const [at, { from, to }] of bins.entries())
      expect(histogram[at]).toEqual(of(task, ({ plies }) => plies >= from && plies <= to));
  });
});

/** A set as the report of one model has it. */
const reported = (one: AssessedSet): Configuration[] =>
  configurationsOf([assessment({ trainGames: 200_000 }, [{ ...one, ...asThePaper }])]);

interface ErrorShare {
  errors: number[];
  total: number[];
}

/** The answers behind the two cells that Tables 13 and 14 have of a task, by row; each cell is as many as are behind it. */
function sharesOf({ rows }: Table, task: (typeof endTasks)[number]): Record<string, ErrorShare> {
  const behind = ({ value, members }: Cell): number[] => {
    const answers = members!().map(({ answer }) => answer);
    expect(value).toBe(answers.length);
    return answers;
  };
  const at = 2 * endTasks.indexOf(task);
  return Object.fromEntries(
    rows.map(({ labels, cells }) => [labels[2], { errors: behind(cells[at]), total: behind(cells[at + 1]) }]),
  );
}

/** Wrong answers of other classes than one. */
const otherErrors = (task: TaskName, error: string): number =>
  of(task, (answer) => !answer.legal && answer.error !== error).length;

describe.each(endTasks)('errors of %s', (task) => {
  /** One row: the errors of a class and the legal answers, both as chess.js has them. */
  const expected = (error: string, here: (answer: Seen) => boolean): ErrorShare => ({
    errors: of(task, (answer) => here(answer) && answer.error === error),
    total: of(task, (answer) => here(answer) && (answer.legal || answer.error === error)),
  });

  it('are pseudo-legal in four ways, of the answers without an error of another class', () => {
    const { Total: all, ...cells } = sharesOf(pseudoLegalTable(reported(set)), task);
    const row = (inCheck: boolean, king: boolean): ErrorShare =>
      expected('pseudo legal', (answer) => answer.inCheck === inCheck && (answer.piece === 'K') === king);
    expect(cells).toEqual({
      'In check, the king moves': row(true, true),
      'In check, another piece moves': row(true, false),
      'Not in check, the king moves': row(false, true),
      'Not in check, another piece moves': row(false, false),
    });
    // B17: the total is the number of questions less those with an error of another class.
    expect(all.total).toHaveLength(600 - otherErrors(task, 'pseudo legal'));
    expect(Object.values(cells).flatMap(({ total }) => total)).toHaveLength(all.total.length);
    expect(Object.values(cells).flatMap(({ errors }) => errors)).toHaveLength(all.errors.length);
  });

  it('are path obstructions by piece, of the answers without an error of another class', () => {
    const { Total: all, ...pieces } = sharesOf(obstructionTable(reported(set)), task);
    const names = { Rook: 'R', Knight: 'N', Bishop: 'B', Queen: 'Q', King: 'K' };
    expect(Object.values(names)).toEqual(askedPieces);
    for (const [name, piece] of Object.entries(names))
      expect(pieces[name]).toEqual(expected('path obstruction', (answer) => answer.piece === piece));
    expect(all.total).toHaveLength(600 - otherErrors(task, 'path obstruction'));
    expect(Object.values(pieces).flatMap(({ total }) => total)).toHaveLength(all.total.length);
  });

  it('go further where something is in the way', () => {
    const [{ series }] = pathLengthFigures(reported(set));
    const [legal, obstructed] = series.map(({ points }) =>
      slidingPieces.map((_, at) => points.find(({ x }) => x === slidingPieces.length * endTasks.indexOf(task) + at)!.y),
    );
    for (const [at, piece] of slidingPieces.entries()) {
      const lengths = (error: string | null) =>
        seen
          .filter((answer) => answer.task === task && answer.piece === piece && answer.error === error)
          .map(({ pathLength }) => pathLength!);
      expect(legal[at]).toBeCloseTo(mean(lengths(null)), 12);
      expect(obstructed[at]).toBeCloseTo(mean(lengths('path obstruction')), 12);
      expect(obstructed[at]).toBeGreaterThan(legal[at]);
    }
  });
});

describe('the arithmetic of the paper', () => {
  /** Answers of one task with the counts of the paper's tables for Train-L, UCI. */
  const made = (rows: { n: number; piece: string; inCheck?: boolean; error: string | null }[]): Configuration[] =>
    reported({
      range: 'long',
      source: 'games',
      instances: set.instances,
      answers: rows.flatMap(({ n, piece, error, inCheck = false }) =>
        Array.from({ length: n }, () => ({
          ...set.answers[0],
          ...{ task: 'end-actual', piece, error, inCheck, legal: error === null },
        })),
      ) as AssessedSet['answers'],
    });
  /** Each row as the paper prints it, which is what it has in the same place. */
  const expectPrinted = ({ rows }: Table, printed: string[]): void => {
    for (const of of ['value', 'published'] as const)
      expect(rows.map(({ cells: [errors, total] }) => `${errors[of]}/${total[of]}`)).toEqual(printed);
  };

  it('gives Table 13 (End-Actual: 1/27, 7/26, 4/101, 0/835; 12/989)', () => {
    const table = pseudoLegalTable(
      made([
        { n: 26, piece: 'K', inCheck: true, error: null },
        { n: 1, piece: 'K', inCheck: true, error: 'pseudo legal' },
        { n: 19, piece: 'R', inCheck: true, error: null },
        { n: 7, piece: 'Q', inCheck: true, error: 'pseudo legal' },
        { n: 97, piece: 'K', error: null },
        { n: 4, piece: 'K', error: 'pseudo legal' },
        { n: 835, piece: 'B', error: null },
        { n: 10, piece: 'R', error: 'path obstruction' },
        { n: 1, piece: 'N', error: 'syntax' },
      ]),
    );
    expectPrinted(table, ['1/27', '7/26', '4/101', '0/835', '12/989']);
  });

  it('gives Table 14 (End-Actual: R 3/355, N 1/144, B 1/162, Q 4/202, K 1/124; 10/987)', () => {
    const counts = { R: [3, 355], N: [1, 144], B: [1, 162], Q: [4, 202], K: [1, 124] };
    const rows = Object.entries(counts).flatMap(([piece, [errors, total]]) => [
      { n: errors, piece, error: 'path obstruction' },
      { n: total - errors, piece, error: null },
    ]);
    const others = [
      { n: 12, piece: 'K', error: 'pseudo legal' },
      { n: 1, piece: 'R', error: 'syntax' },
    ];
    expectPrinted(obstructionTable(made([...rows, ...others])), [
      ...Object.values(counts).map((pair) => pair.join('/')),
      '10/987',
    ]);
  });
});

describe('a set without answers', () => {
  it('has no accuracies, and counts nothing', () => {
    const none: AssessedSet = { range: 'short', source: 'games', instances: [], answers: [] };
    expect(taskReport(none.answers, 'end-actual')).toMatchObject({ exm: null, lgm: null, n: 0 });
    expect(pathLengthFigures(reported(none))[0].series.map(({ points }) => points)).toEqual([[], []]);
    expect(sharesOf(pseudoLegalTable(reported(none)), 'end-actual').Total).toEqual({ errors: [], total: [] });
  });

  it('columns have a width of at least one ply', () => {
    expect(() => lengthBins({ from: 1, to: 9, width: 0 })).toThrow(RangeError);
    expect(lengthBins({ from: 5, to: 5, width: 10 })).toEqual([{ from: 5, to: 5 }]);
  });
});
