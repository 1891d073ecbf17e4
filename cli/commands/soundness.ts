import { defineCommand } from 'citty';
import { unwrap } from '../../src/base/result.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { equivalence } from '../../src/studies/equivalence/equivalence.ts';
import { legalGames } from '../../src/studies/self-play/legal-games.ts';
import { soundness } from '../../src/studies/soundness/soundness.ts';
import { gamesList, shareBar, wholeNumber, writeResult } from '../node-io.ts';
import { modelArgs, openModel } from '../open-model.ts';
import { SOUNDNESS_GAMES } from '../shipped-scores.ts';

/** As the Probe page asks them: suffixes of a pair, epsilon. */
const SUFFIXES = 30;
const EPSILON = 0.01;

export default defineCommand({
  meta: {
    name: 'soundness',
    description: 'Beyond the tables: fully legal self-play, adversaries that play legally, one position by two orders.',
  },
  args: {
    ...modelArgs,
    games: {
      type: 'string',
      required: true,
      description: 'GAMES that the model has not seen; all that is played begins with 10 plies of one',
    },
    n: { type: 'string', default: '100', description: 'games, attacks of each adversary and pairs' },
    temperature: { type: 'string', default: '1', description: 'of the self-play; 0 takes the likeliest token' },
    seed: { type: 'string', default: '1', description: 'seed of every draw' },
  },
  async run({ args }) {
    const n = wholeNumber('--n', args.n, 1);
    const seed = wholeNumber('--seed', args.seed, 0);
    const temperature = Number(args.temperature);
    const games = Corpus.from(await gamesList([args.games]));
    const { engine, notation } = await openModel(args.model, args.engine);
    const bar = shareBar();
    const asked = { games, count: n, ...SOUNDNESS_GAMES, seed };
    const alone = unwrap(await legalGames(engine, notation, { ...asked, temperature }, bar));
    const attacked = unwrap(await soundness(engine, notation, asked, bar));
    const pairs = { games, pairs: n, suffixes: SUFFIXES, epsilon: EPSILON, seed };
    const equal = unwrap(await equivalence(engine, notation, pairs, bar));
    bar.end();
    writeResult({ legalGames: alone, soundness: attacked, equivalence: equal });
  },
});
