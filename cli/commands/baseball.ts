import { defineCommand } from 'citty';
import { checkGame } from '../../src/data/baseball/check.ts';
import { RETROSHEET_NOTICE, verbGames } from '../../src/data/baseball/sources.ts';
import { InputError, inputError } from '../../src/base/result.ts';
import {
  budgetOf,
  nameOf,
  openBytes,
  progressBar,
  report,
  usageError,
  writeJsonLine,
  writeResult,
} from '../node-io.ts';

/** Differences told one by one; the rest are counted. */
const LISTED = 20;

const trace = defineCommand({
  meta: {
    name: 'trace',
    description:
      'Play-by-play files (Retrosheet, Gameday, StatsAPI) as SPLAT verbs; --check holds them to their record.',
  },
  args: {
    files: { type: 'positional', required: false, description: 'files, or archives of files' },
    check: { type: 'boolean', description: "one object: the share that agrees with the sources' own record" },
  },
  async run({ args }) {
    if (args._.length === 0) throw usageError('give at least one file of play-by-play.');
    const bar = progressBar('games');
    const totals = { score: 0, outs: { agree: 0, of: 0 }, runners: { agree: 0, of: 0 }, counts: { agree: 0, of: 0 } };
    const skipped: Record<string, number> = {};
    let games = 0;
    let listed = 0;
    let noticed = false;
    const list = (text: string): void => {
      if (listed++ < LISTED) report(text);
    };
    for (const path of args._)
      for await (const read of verbGames(openBytes(path), nameOf(path), budgetOf(path))) {
        if (!read.ok) {
          // A file that holds no games at all is the caller's mistake, not a game to be skipped.
          if (read.error.code === 'unknown-kind' || read.error.code === 'empty') throw new InputError(read.error);
          skipped[read.error.code] = (skipped[read.error.code] ?? 0) + 1;
          list(read.error.message);
          continue;
        }
        const { source, game } = read.value;
        if (source === 'retrosheet' && !noticed) {
          report(RETROSHEET_NOTICE);
          noticed = true;
        }
        games++;
        bar.update(games);
        if (!args.check) {
          const { id, away, home, tokens } = game;
          // The source goes with the verbs, so that Retrosheet's notice is shown where they are used.
          writeJsonLine({ id, away, home, tokens: tokens.join(' '), source });
          for (const problem of game.problems) list(`${id}, ${problem.at}: ${problem.text}`);
          continue;
        }
        const agreement = checkGame(game);
        totals.score += Number(agreement.score);
        for (const what of ['outs', 'runners', 'counts'] as const) {
          totals[what].agree += agreement[what].agree;
          totals[what].of += agreement[what].of;
        }
        for (const { at, text } of agreement.differences) list(`${game.id}, ${at}: ${text}`);
      }
    bar.end();
    if (listed > LISTED) report(`and ${listed - LISTED} more differences.`);
    if (games === 0 && listed > 0) throw inputError('no-games', 'No game could be read; see the lines above.');
    if (!args.check) return;
    const share = ({ agree, of }: { agree: number; of: number }): number | null => (of === 0 ? null : agree / of);
    writeResult({
      games,
      agree: {
        score: games === 0 ? null : totals.score / games,
        outs: share(totals.outs),
        runners: share(totals.runners),
        counts: share(totals.counts),
      },
      skipped,
    });
  },
});

export default defineCommand({
  meta: { name: 'baseball', description: 'Baseball as verbs.' },
  subCommands: { trace },
});
