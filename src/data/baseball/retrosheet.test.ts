import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../fixtures/shared-data.ts';
import { unwrap } from '../../base/result.ts';
import { retrosheetGames } from './retrosheet-records.ts';
import { checkGame } from './check.ts';
import { retrosheetVerbs } from './retrosheet.ts';
import { verbGames } from './sources.ts';

const HEAD = [
  'id,ANA201904040',
  'version,2',
  'info,visteam,TEX',
  'info,hometeam,ANA',
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((p, i) => `start,${p},"${p}, the visitor",0,${i + 1},${i + 1}`),
  ...['j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r'].map((p, i) => `start,${p},"${p}",1,${i + 1},${i + 1}`),
];
const read = (...lines: string[]) => unwrap([...retrosheetGames([...HEAD, ...lines], 'test.EVA')][0]);
const tokensOf = (...lines: string[]) => {
  const { tokens, problems } = retrosheetVerbs(read(...lines));
  expect(problems).toEqual([]);
  return tokens.join(' ');
};

it('tells pitches, hits, runners from the lead runner on, and the end of each plate appearance', () => {
  expect(tokensOf('play,1,0,a,12,CFBX,S7', 'play,1,0,b,00,X,D8.1-H', 'play,1,0,c,02,SSS,K')).toBe(
    '<sog> <newbatter> (id_100) <strike> <foul> <ball> <hit> <advance> (plate) (first) <atbat> ' +
      '<newbatter> (id_101) <hit> <advance> (first) (score) <advance> (plate) (second) <atbat> ' +
      '<newbatter> (id_102) <strike> <strike> <strike> <out> (plate) <atbat>',
  );
});

it('goes on after four balls where the umpire lost count, and the replay agrees', () => {
  // As in the game at Washington of 23 September 2020.
  const game = retrosheetVerbs(read('play,1,0,a,42,BSFBBB>F>F>X,S7'));
  expect(game.tokens.join(' ')).toBe(
    '<sog> <newbatter> (id_100) <ball> <strike> <foul> <ball> <ball> <ball> <foul> <foul> <hit> <advance> (plate) (first) <atbat>',
  );
  expect(checkGame(game).differences.filter(({ at }) => at !== 'the end')).toEqual([]);
});

it('goes on within a plate appearance, whose pitches each record repeats', () => {
  expect(
    tokensOf('play,1,0,a,30,BBBB,W', 'play,1,0,b,11,B1C>B,SB2', 'play,1,0,b,00,,NP', 'play,1,0,b,22,BCB.LLX,8'),
  ).toBe(
    '<sog> <newbatter> (id_100) <ball> <ball> <ball> <ball> <advance> (plate) (first) <atbat> ' +
      '<newbatter> (id_101) <ball> <strike> <ball> <advance> (first) (second) <foul> <strike> <out> (plate) <atbat>',
  );
});

it('moves runners that a force pushes on where the record leaves them out', () => {
  expect(tokensOf('play,1,0,a,00,,W', 'play,1,0,b,00,,W.1-2', 'play,1,0,c,00,X,5(2)/FO/G')).toContain(
    '<caught_stealing> (second) <advance> (first) (second) <advance> (plate) (first) <atbat>',
  );
});

it('gives the plate appearance to the batter who ends it, and tells of runners replaced on base', () => {
  const tokens = tokensOf(
    'play,1,0,a,00,,S7',
    'play,1,0,b,01,C,NP',
    'sub,x,"X",0,2,11',
    'sub,y,"Y",0,1,12',
    'play,1,0,x,01,C.X,8',
  );
  expect(tokens).toContain('<newbatter> (id_101) <strike> <sub> (id_102) (id_100) <out> (plate) <atbat>');
});

it('places the runner of extra innings by an appearance of his own', () => {
  expect(tokensOf('radj,i,2', 'play,1,0,a,00,X,S8.2-H')).toBe(
    '<sog> <newbatter> (id_100) <advance> (plate) (second) <atbat> ' +
      '<newbatter> (id_101) <hit> <advance> (second) (score) <advance> (plate) (first) <atbat>',
  );
});

it('names what contradicts what went before, and goes on', () => {
  const { problems } = retrosheetVerbs(read('play,1,0,a,00,X,8', 'play,1,0,b,00,X,SB3', 'play,1,1,j,00,X,QQ'));
  expect(problems.map(({ at, text }) => `${at}: ${text}`)).toEqual([
    'line 24: nobody stands on (second) to be moved',
    'line 25: inning 1 ended with 1 outs',
    'line 25: "QQ" is no play of Retrosheet\'s',
  ]);
});

it.each([
  [[''], 'the file is empty'],
  [['play,1,0,a,00,X,8'], 'begins with an "id" record'],
  [[...HEAD, 'play,1,0,a'], 'is no play'],
  [[...HEAD, 'start,a,"A",7,1,1'], 'does not name a player'],
  [[...HEAD, 'nonsense,1'], 'is no record of an event file'],
])('refuses %j', (lines, expected) => {
  const [first] = [...retrosheetGames(lines, 'bad.EVN')];
  expect(first.ok ? '' : first.error.message).toContain(expected);
});

const seasons = sharedData('data/baseball');

describe.skipIf(!seasons.present)(`a real season ${seasons.needed}`, () => {
  // Major League Baseball's own total of runs in that regular season. 2015's 20,647 are found as well, in nine seconds more.
  it.each([[2019, 2429, 23_467]])(
    '%i: %i games, %i runs; the replay of the verbs agrees with the file',
    async (season, games, runs) => {
      const bytes = readFileSync(`${seasons.path}/retrosheet-${season}.zip`);
      const stream = (async function* () {
        yield new Uint8Array(bytes);
      })();
      const found = { games: 0, runs: 0, score: 0, outs: 0, runners: 0, appearances: 0, differences: [] as string[] };
      for await (const read of verbGames(stream, `${season}.zip`)) {
        const { game } = unwrap(read);
        const { score, outs, runners, differences } = checkGame(game);
        found.games++;
        found.runs += game.runs[0] + game.runs[1];
        found.score += Number(score);
        found.outs += outs.agree;
        found.runners += runners.agree;
        found.appearances += outs.of;
        found.differences.push(...differences.map(({ at, text }) => `${game.id} ${at}: ${text}`));
      }
      expect(found.differences).toEqual([]);
      const { appearances } = found;
      expect(appearances).toBeGreaterThan(75 * games);
      expect(found).toMatchObject({ games, runs, score: games, outs: appearances, runners: appearances });
    },
  );
});
