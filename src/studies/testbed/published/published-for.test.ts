import { expect, it } from 'vitest';
import { presets } from '../../../config/presets.ts';
import { parseRunConfig, type RunConfig } from '../../../config/run-config.ts';
import { unwrap } from '../../../base/result.ts';
import { besidePublished, publishedFor } from './published-for.ts';

const config = (change: object, model: object): RunConfig =>
  unwrap(parseRunConfig({ ...presets[0].config, domain: 'chess', notation: 'rap:15', ...change, model }));
const gpt2 = { kind: 'gpt2', layers: 4, width: 128, heads: 4, context: 352, dropout: 0 };
const lstm = { kind: 'lstm', layers: 2, width: 128, context: 352, dropout: 0 };
const published = (games: number, change: object = {}, model: object = gpt2) => {
  const found = publishedFor(config(change, model), games);
  if (!found) return null;
  const { perplexity, ...shares } = found.values;
  return [found.label, ...Object.values(shares).map((share) => (100 * share).toFixed(1)), perplexity];
};

it('is the row of the same kind of model, notation and number of games (Toshniwal et al. 2022, Tables 4 to 7)', () => {
  expect(published(180_000)).toEqual(['Train-L', '97.0', '54.7', '100.0', '91.8', 7.4]);
  expect(published(15_000)).toEqual(['Train-S', '88.4', '33.3', '91.3', '78.8', 15.9]);
  expect(published(50_000, { notation: 'uci' })).toEqual(['Train-M', '92.9', '42.2', 11.6]);
});

it('is null where the paper has no such model', () => {
  expect(published(15_000, { notation: 'splat' })).toBeNull();
  expect(published(28_500)).toBeNull();
  expect(published(15_000, { objective: 'valid' })).toBeNull();
  expect(publishedFor(config({}, gpt2), null)).toBeNull();
  expect(
    published(
      15_000,
      {},
      presets.map((one) => one.config.model).find(({ kind }) => kind === 'lfm2')!,
    ),
  ).toBeNull();
  // Only the transformer's perplexity and starting squares are in Tables 4 and 5.
  expect(published(15_000, {}, lstm)).toEqual(['Train-S', '59.5', '21.9', undefined]);
});

it('leaves out what the paper’s print has wrong', () => {
  const found = publishedFor(config({ notation: 'uci' }, { ...gpt2, window: 50 }), 200_000);
  expect(found?.values).toEqual({});
});

it('is set beside a model in a sentence, by what both have', () => {
  const scores = (start: number | null) => ({
    long: { tasks: { 'end-actual': { lgm: 0.5 }, 'start-actual': { lgm: start } } },
    perplexity: { perplexity: 21 },
  });
  expect(besidePublished(config({}, gpt2), 15_000, scores(0.75))).toBe(
    'Train-S of Toshniwal et al. (2022, Tables 4 to 7), UCI + RAP, 85 million parameters, 15,000 games played by people, has after 51 to 100 plies of games of theirs: 88.4% of answers to where a piece goes legal (this one 50.0%), 91.3% of answers to where a piece stands legal (this one 75.0%), 15.9 perplexity a move (this one 21.0).',
  );
  expect(besidePublished(config({}, gpt2), 15_000, scores(null))).not.toContain('stands');
  expect(besidePublished(config({}, gpt2), 100_000, scores(0.75))).toBeNull();
});
