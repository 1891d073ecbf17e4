import { ok } from '../../base/result.ts';
import type { RunConfig } from '../../config/run-config.ts';
import type { Live, LiveChart, LivePanel, LiveReference, LiveScores } from '../live.ts';
import { baseballSuites, chessSuites } from './builders/suite-games.ts';
import { computeSurprisals } from './compute-surprisals.ts';
import { accuracy, evaluate } from './evaluate.ts';
import { engineModel } from './models/engine-model.ts';
import { gameReader } from './models/game-tokenizer.ts';
import { suitesIn } from './shipped.ts';
import type { Suite } from './suite.ts';

const GAMES: readonly { domain: string; rules: readonly { name: string; title: string; comment: string }[] }[] = [
  chessSuites,
  baseballSuites,
];

/** The suites' shortest items, so that asking all suites costs no more than the other scores do. */
export function liveSuitesPath(domain: string): string {
  return `suites/live/${domain}.json`;
}

/** One learning curve for each shipped suite of the run's game: which of its rules a model has learned, and when. */
export const syntaxgymLive: Live = {
  panel,
  async prepare(config, notation, _games, readShipped) {
    const shipped = GAMES.some(({ domain }) => domain === config.domain);
    // Games without suites, and a copy of the lab without its suites, train without these curves.
    const text = shipped ? await readShipped?.(liveSuitesPath(config.domain)).catch(() => null) : null;
    const read = text ? suitesIn(text, liveSuitesPath(config.domain)) : ok([]);
    if (!read.ok) return read;
    const suites = read.value;
    return ok({
      empty: suites.length === 0,
      panel: () => ({
        ...panel(config),
        ...(suites.length === 0 ? { views: [] } : { references: [...panel(config).references, ...baselines(suites)] }),
      }),
      async evaluate(engine, pause) {
        const model = engineModel(engine, gameReader(notation), 'run');
        const scores: Record<string, LiveScores[string]> = {};
        for (const suite of suites) {
          const computed = await computeSurprisals(suite, model, { pause });
          // A context too short for every item leaves no point on the curve.
          if (computed.ok) scores[suite.meta.name] = accuracy(evaluate(computed.value.suite));
        }
        return ok(scores);
      },
    });
  },
};

function panel({ domain }: RunConfig): LivePanel {
  const rules = GAMES.find((game) => game.domain === domain)?.rules ?? [];
  const charts = rules.map(({ name, title, comment }): LiveChart => ({
    ...{ name: `suite-${name.replaceAll('_', '-')}`, title, description: comment, unit: 'share' },
    scores: [{ name: `${domain}_${name}`, title, label: 'right', headline: false }],
  }));
  return {
    study: 'syntaxgym',
    title: 'Which rules does it know?',
    views: charts.length === 0 ? [] : [{ title: 'Rules', charts, listed: true, note: NOTE }],
    references: [{ label: 'chance', values: Object.fromEntries(charts.map(({ scores: [{ name }] }) => [name, 0.5])) }],
  };
}

/** What a table of bigrams or of places in the text comes to on each suite. */
function baselines(suites: readonly Suite[]): LiveReference[] {
  return (['bigram', 'position'] as const).map((label) => ({
    label,
    values: Object.fromEntries(
      suites.flatMap(({ meta: { name, baselines } }) => (baselines ? [[name, baselines[label]]] : [])),
    ),
  }));
}

const NOTE =
  'Share of pairs in which what the rules allow surprises the model less than what they forbid, among the shortest items of each test suite. A rule counts as learned where the whole 95% interval lies above the baselines: chance, and what tables of bigrams and of positions come to without a board. Dotted: the highest of them.';
