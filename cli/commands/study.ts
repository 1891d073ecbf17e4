import { readShipped } from '../shipped-file.ts';
import { basename, resolve } from 'node:path';
import { defineCommand, type ArgsDef, type CommandDef } from 'citty';
import { inputError, unwrap } from '../../src/base/result.ts';
import { assessmentsFile } from '../../src/studies/assessments-file.ts';
import { storedStudies, type StoredStudy } from '../../src/studies/studies.ts';
import type { Assessed, StudyGames } from '../../src/studies/study.ts';
import { openSubject } from '../assessed-models.ts';
import { comparedGames } from '../compared-games.ts';
import { writeText } from '../folder-store.ts';
import { report, shareBar, writeResult } from '../node-io.ts';
import { modelArgs } from '../open-model.ts';
import { gamesSet } from '../report-page.ts';
import { measuredNumbers } from '../report-numbers.ts';
import { settingArgs, settingsOf } from '../setting-options.ts';

/** The options of every study; those of its settings follow. */
function optionsOf(study: StoredStudy): ArgsDef {
  const games = 'a folder made by prepare, or GAMES, which are split as the model’s were';
  return {
    ...modelArgs,
    ...(study.games === null ? {} : { games: { type: 'string', required: true, description: games } }),
    ...settingArgs(study.settings),
    out: { type: 'string', description: 'also keep the whole assessment in this file, for report --from' },
  };
}

function commandOf(study: StoredStudy): CommandDef {
  return defineCommand({
    meta: { name: study.name, description: `${study.title}: ${study.source}.` },
    args: optionsOf(study),
    async run({ args }) {
      const given = args as Record<string, string | boolean | undefined>;
      const { model: path, engine: backend, games: from, out } = given as Record<string, string | undefined>;
      const settings = await settingsOf(study.settings, given);
      const { engine, domain, subject } = await openSubject(path!, basename(resolve(path!)), backend);
      try {
        const { notation, config } = subject;
        if (!study.appliesTo({ domain: domain.name, notation: notation.name }))
          throw inputError('does-not-apply', `${path}: ${study.refusal}`);
        let games: StudyGames | null = null;
        if (study.games !== null) {
          const read = await comparedGames(from!, config === null ? [] : [config]);
          games = { ...gamesSet(read, domain.name), manifest: await read.manifestFor(config?.data.limit ?? null) };
        }
        const bar = shareBar();
        const clock = (): number => performance.now();
        const made = await study.assess(engine, subject, games, settings, {
          onProgress: bar.onProgress,
          clock,
          readShipped,
        });
        bar.end();
        const assessment = unwrap(made) as Assessed;
        // A table of the games that models learned from tells of no others.
        const counted = study.stored.games?.of === 'asked' || games?.manifest === config?.data.manifest;
        const facts = games === null || !counted ? null : (study.stored.games?.count(games) ?? null);
        const stored = { study, assessments: [assessment], games: facts === null ? [] : [facts] };
        if (out !== undefined) await writeText(out, `${JSON.stringify(assessmentsFile(stored))}\n`);
        const drawn = study.stored.report([assessment] as never[], []);
        if (drawn.notice !== '' && drawn.notice !== games?.notice) report(drawn.notice);
        writeResult({ study: study.name, model: subject.about.name, ...measuredNumbers(drawn) });
      } finally {
        engine.dispose();
      }
    },
  }) as CommandDef;
}

export default defineCommand({
  meta: {
    name: 'study',
    description:
      'Ask a model all that a study asks, and print the numbers of its tables as a report has them: shares in percent.',
  },
  subCommands: () => Object.fromEntries(storedStudies().map((study) => [study.name, commandOf(study)])),
});
