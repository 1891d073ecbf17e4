import { Chess } from 'chess.js';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { whyIllegal } from '../../../domains/baseball/rules.ts';
import { simulateGames } from '../../../domains/baseball/simulator/game.ts';
import { BaseballState } from '../../../domains/baseball/state.ts';
import { traces } from '../../../domains/baseball/traces.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { randomGame } from '../../../domains/chess/rules/random-game.ts';
import { checkSuite } from '../check-suite.ts';
import { computeSurprisals } from '../compute-surprisals.ts';
import { evaluate, succeeds } from '../evaluate.ts';
import { ngramModel } from '../models/ngram-model.ts';
import { shippedSuites } from '../shipped.ts';
import type { Suite } from '../suite.ts';
import { buildSuites } from './build-suite.ts';
import { baseballSuites, chessSuites } from './suite-games.ts';

const folder = new URL('../../../../public/suites/', import.meta.url);
const textOf = async (path: string): Promise<string> => readFileSync(new URL(path, new URL('../', folder)), 'utf8');
const read = ['chess', 'baseball'].map((domain) => shippedSuites(textOf, [], domain));
const shipped = (await Promise.all(read)).flatMap(unwrap);
/** The folder holds these and nothing else. */
const listed = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'index.json');
const chessGames = Array.from({ length: 300 }, (_, i) => randomGame(seededRandom('suite test', i), 90));
const gamesOf: Record<string, Uint16Array[]> = { chess: chessGames, baseball: [...simulateGames(60, 3)] };

const baselinesOf = Object.fromEntries(
  Object.entries(gamesOf).map(([domain, games]) => {
    const notation = unwrap(unwrap(domainNamed(domain)).notation(domain === 'chess' ? 'uci' : 'splat'));
    return [domain, (['bigram', 'position'] as const).map((context) => ngramModel(notation, context, games))];
  }),
);

/** Text and answer of a condition. */
function asked(suite: Suite, item: number, condition: 'fits' | 'fails'): { text: string; answer: string } {
  const found = suite.items[item].conditions.find((one) => one.condition_name === condition)!;
  return { text: found.regions[0].content, answer: found.regions[1].content };
}

/** What chess.js says of a continuation; of "q" and of a start square alone, whether a move goes on so. */
function isLegal({ text, answer }: { text: string; answer: string }): boolean {
  const moves = text.split(' ');
  const open = /^[nbrq]$|^[a-h][1-8]$/.test(answer) ? moves.pop()! : null;
  const board = new Chess();
  const play = (uci: string): boolean => {
    try {
      return Boolean(board.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci.slice(4) || undefined }));
    } catch {
      return false;
    }
  };
  for (const uci of moves) expect(play(uci), `${uci} in ${text}`).toBe(true);
  if (open === null) return play(answer);
  if (answer === 'q') return board.moves({ verbose: true }).some(({ lan }) => lan === `${open}q`);
  return (
    board.moves({ verbose: true }).some(({ lan }) => lan === open) &&
    play(open) &&
    board.moves({ verbose: true }).some(({ from }) => from === answer)
  );
}

describe('the suites that come with the lab', () => {
  it('are at least twelve of chess and eight of baseball, with 200 items each and nothing wrong in them', () => {
    const of = (domain: string): Suite[] => shipped.filter(({ meta }) => meta.domain === domain);
    expect(of('chess').length).toBeGreaterThanOrEqual(12);
    expect(of('baseball').length).toBeGreaterThanOrEqual(8);
    expect(listed).toHaveLength(shipped.length);
    for (const suite of shipped) {
      expect(checkSuite(suite), suite.meta.name).toEqual([]);
      expect(suite.items, suite.meta.name).toHaveLength(200);
    }
  });

  it.each(shipped.map((suite) => [suite.meta.name, suite] as const))(
    '%s is at chance for what knows a token or a place only',
    async (_, suite) => {
      for (const model of baselinesOf[suite.meta.domain!]) {
        const computed = unwrap(await computeSurprisals(suite, model));
        const right = evaluate(computed.suite).items.filter(succeeds).length;
        // A move that no game had at this place is as surprising as another: neither fits better.
        const ties = computed.suite.items.filter(({ conditions }) => {
          const [fits, fails] = conditions.map(({ regions }) => regions[1].metric_value!.sum);
          return fits === fails;
        });
        expect(ties.length, model.name).toBeLessThan(6);
        expect(right + ties.length / 2, model.name).toBe(suite.items.length / 2);
      }
    },
  );

  it('tell legal chess moves from illegal ones, as chess.js does', () => {
    for (const suite of shipped.filter(({ meta }) => meta.domain === 'chess'))
      for (let item = 0; item < suite.items.length; item += 40) {
        expect(isLegal(asked(suite, item, 'fits')), `${suite.meta.name} ${item + 1}`).toBe(true);
        expect(isLegal(asked(suite, item, 'fails')), `${suite.meta.name} ${item + 1}`).toBe(false);
      }
  });

  it('let only what the rules of baseball allow fit', () => {
    for (const suite of shipped.filter(({ meta }) => meta.domain === 'baseball'))
      for (let item = 0; item < suite.items.length; item += 5) {
        const { text, answer } = asked(suite, item, 'fits');
        const state = new BaseballState();
        for (const event of unwrap(traces.parse(text))) state.play(event);
        if (answer === '[end]') expect(state.over, suite.meta.name).toBe(true);
        else {
          const whole = answer === '<newbatter>' ? `${answer} (id_149)` : answer;
          const line = unwrap(traces.parse(`${text} ${whole}`));
          expect(whyIllegal(state, line[line.length - 1]), `${suite.meta.name} ${item + 1}`).toBeNull();
        }
      }
  });
});

describe('building suites', () => {
  it('gives the same suites for the same games and seed, and others for another seed', () => {
    const build = (seed: number): string =>
      JSON.stringify(buildSuites(chessSuites, chessGames.slice(0, 8), { items: 2, seed, source: '' }));
    expect(build(1)).toBe(build(1));
    expect(build(2)).not.toBe(build(1));
  });

  it('uses no game more than twice, and makes fewer items where games do not suffice', () => {
    const suites = buildSuites(baseballSuites, [...simulateGames(3, 9)], { items: 200, seed: 1, source: '' });
    for (const { items } of suites) expect(items.length).toBeLessThanOrEqual(6);
  });
});
