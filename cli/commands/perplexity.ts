import { defineCommand } from 'citty';
import { unwrap } from '../../src/base/result.ts';
import { perplexity } from '../../src/probes/perplexity.ts';
import { modelArgs, openModel } from '../open-model.ts';
import { gamesList, progressBar, writeJsonLine } from '../node-io.ts';

export default defineCommand({
  meta: { name: 'perplexity', description: 'Canonical perplexity a move (testbed definition).' },
  args: {
    ...modelArgs,
    games: {
      type: 'string',
      required: true,
      description: 'GAMES: .uci.txt, .pgn, .jsonl, .parquet, a shard folder; - for standard input',
    },
  },
  async run({ args }) {
    const { engine, notation } = await openModel(args.model, args.engine);
    const bar = progressBar('games');
    const report = unwrap(
      await perplexity(engine, await gamesList([args.games]), notation, {
        rowsPerBatch: 8,
        onGames: (done, of) => bar.update(done, of),
      }),
    );
    bar.end();
    const { tooLong, ...rest } = report;
    if (tooLong > 0)
      console.error(
        `${tooLong === 1 ? 'One game is' : `${tooLong} games are`} longer than the model's context of ${engine.model.context} tokens and left out.`,
      );
    writeJsonLine(rest);
  },
});
