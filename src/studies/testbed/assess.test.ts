import { describe, expect, it } from 'vitest';
import { guessingEngine } from '../../../fixtures/guessing-engine.ts';
import { sampleModel } from '../../../fixtures/sample-run.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { presets } from '../../config/presets.ts';
import { chess } from '../../domains/chess/chess.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import { uciLine } from '../../domains/chess/replay.ts';
import { assess, assessedModel } from './assess.ts';
import { makeInstances, type Instance } from './instances.ts';
import { makeMaterial } from './material.ts';

const rap = unwrap(chess.notation('rap:15'));
const games = (name: string, count: number, plies: number) =>
  Array.from({ length: count }, (_, i) => randomGame(seededRandom(name, i), plies));
const probe = games('probe', 80, 101);
const dev = games('dev', 6, 20);
const options = { ranges: ['short', 'long'], instances: 12, perplexityGames: 4, randomPlay: true } as const;
const material = async () => unwrap(await makeMaterial({ train: probe.slice(0, 3), dev, probe }, options));

describe('makeMaterial', () => {
  it('makes the instances that makeInstances makes, and as many of random play', async () => {
    const { dev: held, test, sets } = await material();
    expect([held.length, test.length]).toEqual([4, 0]);
    expect(sets.map(({ range, source }) => `${range}, ${source}`)).toEqual([
      'short, games',
      'long, games',
      'short, random play',
      'long, random play',
    ]);
    for (const set of sets) expect(set.instances).toHaveLength(12);
    const long = { range: [51, 100] as const, n: 12, seed: 42, avoid: probe.slice(0, 3) };
    expect(sets[1].instances).toEqual(await makeInstances(probe, long));
  });

  it('opens no training game, whatever the source', async () => {
    const opening = (await material()).sets.flatMap(({ instances }) => instances.map(({ prefix }) => prefix));
    const trained = probe.slice(0, 3).map((game) => uciLine(game));
    expect(opening.filter((prefix) => trained.some((game) => game.startsWith(`${prefix} `)))).toEqual([]);
    // One game of random play is moved to the training games: its instance goes, the others stay.
    const { sets } = await material();
    const [gone] = sets[3].instances;
    const again = await makeMaterial(
      { train: [Uint16Array.from(unwrap(chess.traces.parse(gone.prefix)))], dev, probe: [] },
      { ...options, ranges: ['long'] },
    );
    const prefixes = unwrap(again).sets[1].instances.map(({ prefix }) => prefix);
    expect(prefixes).toHaveLength(12);
    expect(prefixes.slice(0, 11)).toEqual(sets[3].instances.slice(1).map(({ prefix }) => prefix));
  });

  it('draws anew with another seed, and stops when told', async () => {
    const other = unwrap(await makeMaterial({ train: [], dev, probe }, { ...options, seed: 7 }));
    expect(other.sets[2].instances[0].prefix).not.toBe((await material()).sets[2].instances[0].prefix);
    const stopped = await makeMaterial({ train: [], dev, probe }, { ...options, cancelled: () => true });
    expect(stopped).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

describe('assess', () => {
  it('gives perplexities and all answers, and tells how far it is', async () => {
    const { engine } = guessingEngine();
    const shares: number[] = [];
    let pauses = 0;
    const given = unwrap(
      await assess(engine, rap, await material(), {
        onProgress: ({ label, share }) => {
          expect(label).toMatch(/^(Perplexity on held-out games|Start and end squares after \d+ to \d+ plies.*)$/);
          shares.push(share);
        },
        pause: async () => void pauses++,
      }),
    );
    // A move is two targets, or three where it promotes; the end of a game is one more, and counts as a move.
    const words = dev.slice(0, 4).flatMap((game) => uciLine(game).split(' '));
    const targets = words.reduce((sum, { length }) => sum + (length === 5 ? 3 : 2), 4);
    expect(given.perplexity.dev).toMatchObject({ games: 4, moves: 80 });
    expect(given.perplexity.dev!.perplexity).toBeCloseTo(Math.exp(targets / 84), 10);
    expect(given.perplexity.test).toBeNull();
    expect(given.sets.map(({ answers }) => answers.length)).toEqual([48, 48, 48, 48]);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBeCloseTo(1, 12);
    expect(pauses).toBeGreaterThan(8);
  });

  it('asks a model that never saw piece names for end squares alone', async () => {
    const { engine, prompts } = guessingEngine();
    const given = unwrap(await assess(engine, unwrap(chess.notation('uci')), await material()));
    expect(new Set(given.sets[0].answers.map(({ task }) => task))).toEqual(new Set(['end-actual', 'end-other']));
    expect(prompts.flat().filter((token) => /^[PNBRQK]$/.test(token))).toEqual([]);
  });

  it('leaves out what the context cannot hold, for each notation by its own length', async () => {
    const made = await material();
    const written = ({ prefix, oracle_prefix }: Instance) => ({
      // Tokens of the prefix as each notation writes it: squares and promotions, and for the oracle piece names.
      'rap:15': prefix.match(/[a-h][1-8]|[qrbn]/g)!.length,
      ap: oracle_prefix.match(/[PNBRQK]|[a-h][1-8]|[qrbn]/g)!.length,
    });
    for (const [name, asked] of [
      ['rap:15', 1],
      ['ap', 2],
    ] as const) {
      const { engine } = guessingEngine(80);
      const given = unwrap(await assess(engine, unwrap(chess.notation(name)), made));
      const [short] = made.sets;
      const fitting = short.instances.filter((instance) => 1 + written(instance)[name] + asked <= 80);
      expect(given.sets[0].instances).toEqual(fitting);
      expect(fitting.length).toBeGreaterThan(0);
      expect(fitting.length).toBeLessThan(12);
      expect(given.sets[0].answers).toHaveLength(4 * fitting.length);
      expect(given.sets[1]).toMatchObject({ instances: [], answers: [] });
    }
  });

  it('stops between two batches', async () => {
    const { engine, prompts } = guessingEngine();
    const made = await material();
    let asked = 0;
    const stopped = await assess(engine, rap, made, { rowsPerBatch: 2, cancelled: () => ++asked > 6 });
    expect(stopped).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(prompts.length).toBeLessThan(4 * 12);
    expect(prompts.length).toBeGreaterThan(0);
  });

  it('has nothing to say where there is nothing to ask', async () => {
    const { engine } = guessingEngine();
    expect(unwrap(await assess(engine, rap, { dev: [], test: [], sets: [] }))).toEqual({
      perplexity: { dev: null, test: null },
      sets: [],
    });
  });
});

describe('assessedModel', () => {
  it('takes the shape from the model and the rest from the run', () => {
    const config = { ...presets[0].config, seed: 5, data: { ...presets[0].config.data, limit: 15_000 } };
    const facts = { name: 'tiny 2', notation: 'rap:15', config, steps: 9, tokens: 99, trainGames: null };
    expect(assessedModel(sampleModel, facts)).toMatchObject({
      name: 'tiny 2',
      kind: 'gpt2',
      layers: 1,
      notation: 'rap:15',
      objective: 'next',
      games: config.data.games,
      trainGames: 15_000,
      steps: 9,
      tokens: 99,
      seed: 5,
    });
    expect(assessedModel(sampleModel, { ...facts, config: null, trainGames: 3 })).toMatchObject({
      trainGames: 3,
      games: '',
      planned: null,
    });
    const early = { ...config, schedule: { ...config.schedule, steps: 12, epochs: 3, patience: 1 } };
    expect(assessedModel(sampleModel, { ...facts, config: early })).toMatchObject({ steps: 9, planned: 12 });
  });
});
