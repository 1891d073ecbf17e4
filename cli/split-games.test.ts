import { writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { commandFolder } from '../fixtures/command-line/folder.ts';
import { gameLines } from '../fixtures/given-games.ts';
import { presets } from '../src/config/presets.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import { comparedGames } from './compared-games.ts';
import { preparedOnce } from './sweep-games.ts';
import { trainingGames } from './training-games.ts';

const { at } = commandFolder('split');

beforeAll(() => {
  writeFileSync(at('games.uci.txt'), gameLines(60, 'some', 30));
  writeFileSync(at('other.uci.txt'), gameLines(60, 'other', 30));
});

/** A run on the games with this seed, as `train` would name its data. */
async function trainedOn(data: string, seed: number): Promise<RunConfig> {
  const { manifest } = await trainingGames(data, { limit: null, seed });
  return { ...presets[0].config, seed, data: { games: data, manifest, limit: null } };
}

it('splits the loose games of a sweep once, whatever the seed of a run', async () => {
  const data = await preparedOnce(at('games.uci.txt'), at('swept'));
  const [one, two] = [await trainedOn(data, 1), await trainedOn(data, 2)];
  expect(one.data.manifest).toBe(two.data.manifest);
  const { train, dev, probe } = await comparedGames(data, [one, two]);
  const learned = new Set([...train].map(String));
  expect(learned.size).toBe(54);
  expect([...dev, ...probe].filter((game) => learned.has(String(game)))).toEqual([]);
  expect(dev.length + probe.length).toBe(6);

  expect(await preparedOnce(at('games.uci.txt'), at('swept'))).toBe(data);
  expect(await preparedOnce(data, at('again'))).toBe(data);
  await expect(preparedOnce(at('other.uci.txt'), at('swept'))).rejects.toMatchObject({
    failure: { code: 'other-games' },
  });
});

it('refuses loose games for models that split them each in its own way', async () => {
  const games = at('games.uci.txt');
  const [one, two] = [await trainedOn(games, 1), await trainedOn(games, 2)];
  expect(one.data.manifest).not.toBe(two.data.manifest);
  await expect(comparedGames(games, [one, two])).rejects.toMatchObject({ failure: { code: 'other-split' } });
  const learned = new Set([...(await trainingGames(games, { limit: null, seed: 2 })).train].map(String));
  const { dev, probe } = await comparedGames(games, [two, two]);
  expect([...dev, ...probe].filter((game) => learned.has(String(game)))).toEqual([]);
});
