import { defineCommand } from 'citty';
import { unwrap } from '../../src/base/result.ts';
import { perplexity } from '../../src/studies/asking/perplexity.ts';
import { tokenPerplexity } from '../../src/studies/asking/token-perplexity.ts';
import { modelArgs, openModel } from '../open-model.ts';
import { gamesList, progressBar, writeResult } from '../node-io.ts';

export default defineCommand({
  meta: {
    name: 'perplexity',
    description: 'Perplexity on games: canonical and a move (testbed definition), or a token of SPLAT.',
  },
  args: {
    ...modelArgs,
    games: {
      type: 'string',
      required: true,
      description: 'GAMES: .uci.txt, .pgn, .jsonl, .parquet, a shard folder; - for standard input',
    },
  },
  async run({ args }) {
    const { engine, domain, notation } = await openModel(args.model, args.engine);
    const games = await gamesList([args.games], domain);
    const bar = progressBar('games');
    const options = { rowsPerBatch: 8, onGames: bar.update };
    if (notation.tokensPer !== 'square') {
      const held = unwrap(await tokenPerplexity(engine, games, notation, options));
      bar.end();
      writeResult(held);
      return;
    }
    const { tooLong, ...rest } = unwrap(await perplexity(engine, games, notation, options));
    bar.end();
    if (tooLong > 0)
      console.error(
        `${tooLong === 1 ? 'One game is' : `${tooLong} games are`} longer than the model's context of ${engine.model.context} tokens and left out.`,
      );
    writeResult(rest);
  },
});
