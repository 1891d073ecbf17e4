import { expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { gamedayVerbs } from './gameday.ts';

const HALF = `<inning num="1" away_team="aaa" home_team="hhh"><top>
  <atbat num="1" b="4" s="0" o="0" batter="11" event="Walk" des="Ann walks.">
    <pitch des="Ball" type="B"/><pitch des="Ball In Dirt" type="B"/><pitch des="Ball" type="B"/><pitch des="Ball" type="B"/>
    <runner id="11" start="" end="1B" event="Walk"/>
  </atbat>
  <atbat num="2" b="0" s="1" o="0" batter="12" event="Double" away_team_runs="1" home_team_runs="0">
    <pitch des="Called Strike" type="S"/>
    <runner id="11" start="1B" end="2B" event="Stolen Base 2B"/>
    <pitch des="In play, run(s)" type="X"/>
    <runner id="19" start="2B" end="" event="Double" score="T"/>
    <runner id="12" start="" end="2B" event="Double"/>
  </atbat>
  <atbat num="3" b="0" s="2" o="1" batter="13" event="Strikeout">
    <pitch des="Foul" type="S"/><pitch des="Foul Tip" type="S"/><pitch des="Foul" type="S"/><pitch des="Foul Bunt" type="S"/>
  </atbat>
  <atbat num="4" b="0" s="0" o="3" batter="14" event="Grounded Into DP">
    <pitch des="In play, out(s)" type="X"/>
    <runner id="12" start="2B" end="" event="Grounded Into DP"/>
  </atbat>
</top>`;

it('tells pitches, steals, pinch runners, runs and outs', () => {
  const game = unwrap(gamedayVerbs(`<game>${HALF}</inning></game>`, 'gid_2015_04_05_aaamlb_hhhmlb_1/inning_all.xml'));
  expect(game.problems).toEqual([]);
  expect(game.id).toBe('gid_2015_04_05_aaamlb_hhhmlb_1');
  expect(game.tokens.join(' ')).toBe(
    '<sog> <newbatter> (id_100) <ball> <ball> <ball> <ball> <advance> (plate) (first) <atbat> ' +
      '<newbatter> (id_101) <strike> <advance> (first) (second) <hit> <sub> (id_102) (id_100) ' +
      '<advance> (second) (score) <advance> (plate) (second) <atbat> ' +
      '<newbatter> (id_103) <foul> <strike> <foul> <strike> <out> (plate) <atbat> ' +
      '<newbatter> (id_104) <caught_stealing> (second) <out> (plate) <atbat>',
  );
  expect([game.away, game.home, game.runs]).toEqual(['aaa', 'hhh', [1, 0]]);
  expect(game.records.map(({ outs }) => outs)).toEqual([0, 0, 1, 3]);
});

it('does not count who is left on base as out', () => {
  const left = HALF.replace('o="3" batter="14" event="Grounded Into DP"', 'o="2" batter="14" event="Flyout"');
  const { tokens } = unwrap(gamedayVerbs(`<game>${left}</inning></game>`, 'x.xml'));
  expect(tokens.slice(-5).join(' ')).toBe('<newbatter> (id_104) <out> (plate) <atbat>');
});

it.each([
  ['', 'the file is empty'],
  ['<game><inning num="1">', 'is missing'],
  ['<game></game>', 'no plate appearances'],
  ['<game><inning num="x"></inning></game>', 'the number "x"'],
])('refuses %s', (text, expected) => {
  const read = gamedayVerbs(text, 'x.xml');
  expect(read.ok ? '' : read.error.message).toContain(expected);
});

it('reads a hostile file in no time', () => {
  const started = performance.now();
  const text = `<game>${'<atbat '.repeat(20_000)}${' a="'.repeat(20_000)}</game>`;
  expect(gamedayVerbs(text, 'x.xml').ok).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});
