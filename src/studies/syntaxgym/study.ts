import * as v from 'valibot';
import { fail, ok, type Result } from '../../base/result.ts';
import { endedEarly } from '../asking/cancellation.ts';
import type { Measuring } from '../asking/measuring.ts';
import type { Study } from '../study.ts';
import type { Engine } from '../../engine/engine.ts';
import { share } from '../stored-numbers.ts';
import { SubjectSchema, type AssessedModel } from '../subject-schema.ts';
import { chanceOf } from './baselines.ts';
import { computeSurprisals, type ComputedSuite } from './compute-surprisals.ts';
import { syntaxgymLive } from './live.ts';
import { engineModel } from './models/engine-model.ts';
import type { Notation } from '../../domains/domain.ts';
import type { SentenceReader } from './models/sentence-reader.ts';
import { textReader } from './models/text-reader.ts';
import { gameReader } from './models/game-tokenizer.ts';
import { syntaxgymReport } from './report.ts';
import { shippedSuites, suitesIn } from './shipped.ts';
import { conditionNames, SuiteSchema, titleOf, type Suite } from './suite.ts';

export const syntaxgymSettings = v.object({
  /** Names of shipped suites with commas between them; those of the model's game where none is named. */
  suites: v.optional(v.string(), ''),
  /** A suite as JSON, or a list of suites, to be run instead; and its name in messages. */
  text: v.optional(v.string(), ''),
  name: v.optional(v.string(), 'the suite'),
});

const SyntaxGymSchema = v.object({
  subject: SubjectSchema,
  suites: v.array(
    v.object({
      /** With the surprisal of every region of every item. */
      suite: SuiteSchema,
      unanswered: v.array(v.object({ item: v.number(), condition: v.string(), reason: v.string() })),
      chance: share,
    }),
  ),
});
export type SyntaxGymAssessment = v.InferOutput<typeof SyntaxGymSchema>;

/** Test suites on a model of the lab. */
export const syntaxgym: Study<v.InferOutput<typeof syntaxgymSettings>, SyntaxGymAssessment> = {
  name: 'syntaxgym',
  title: 'Test suites',
  source:
    'Gauthier, Hu, Wilcox, Qian and Levy, “SyntaxGym: An Online Platform for Targeted Evaluation of Language Models”, ACL 2020',
  description:
    'Does the model find what the rules forbid more surprising than what they allow? An item counts where every prediction of its suite holds. A model that knows the rule of a suite reaches 100%; one that knows how often moves occur and no more stays near the suite’s chance.',
  appliesTo: () => true,
  refusal: 'Suites are asked of any model.',
  settings: syntaxgymSettings,
  games: null,
  assess: (engine, { notation, config, about }, _games, settings, measuring) =>
    asked(engine, { reader: readerOf(notation), domain: config?.domain ?? null, about }, settings, measuring),
  assessText: (engine, { tokenizer, about }, settings, measuring) =>
    asked(engine, { reader: textReader(tokenizer), domain: TEXT, about }, settings, measuring),
  live: syntaxgymLive,
  stored: {
    schema: SyntaxGymSchema,
    label: ({ suites }) => (suites.length === 1 ? titleOf(suites[0].suite) : `${suites.length} suites`),
    report: (assessments) => syntaxgymReport(syntaxgym, assessments),
  },
};

/** What a model reads that reads no game; suites of text name no domain. */
const TEXT = 'text';

/** A sentence in the tokens of a game, or as the tokenizer of a model reads it that learned games as text. */
const readerOf = (notation: Notation): SentenceReader =>
  notation.text ? textReader(notation.text.tokenizer) : gameReader(notation);

/** The suites that the settings name or bring, read by the model. */
function asked(
  engine: Engine,
  { reader, domain, about }: { reader: SentenceReader; domain: string | null; about: AssessedModel },
  { suites: named, text, name }: v.InferOutput<typeof syntaxgymSettings>,
  measuring: Measuring,
): Promise<Result<SyntaxGymAssessment>> {
  return endedEarly(async () => {
    const names = named
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    const chosen = text === '' ? await shipped(measuring.readShipped, names, domain) : suitesIn(text, name);
    if (!chosen.ok) return chosen;
    const foreign = chosen.value.find(
      ({ meta }) => domain !== null && meta.domain !== undefined && meta.domain !== domain,
    );
    if (foreign !== undefined)
      return fail(
        'other-game',
        `${foreign.meta.name} is a suite of ${foreign.meta.domain}, and this model reads ${domain}; choose a model of ${foreign.meta.domain}.`,
      );
    const model = engineModel(engine, reader, about.name);
    const suites: SyntaxGymAssessment['suites'] = [];
    let unread: Result<never> | null = null;
    for (const suite of chosen.value) {
      const onProgress = ({ share }: { share: number }): void =>
        measuring.onProgress?.({
          label: `Reading ${titleOf(suite)}`,
          share: (suites.length + share) / chosen.value.length,
        });
      const computed = await computeSurprisals(suite, model, { ...measuring, onProgress });
      if (!computed.ok && computed.error.code !== 'nothing-answered') return computed;
      if (!computed.ok) unread = computed;
      suites.push({
        ...(computed.ok ? computed.value : noneOf(suite, computed.error.message)),
        chance: chanceOf(suite),
      });
    }
    // One suite that a model cannot read says something of the model; all of them are a mistake.
    if (unread !== null && suites.every(({ suite }) => suite.items.length === 0)) return unread;
    return ok({ subject: about, suites });
  });
}

/** A suite of which a model can read no item. */
function noneOf(suite: Suite, reason: string): ComputedSuite {
  const condition = conditionNames(suite)[0];
  const unanswered = suite.items.map(({ item_number: item }) => ({ item, condition, reason }));
  return { suite: { ...suite, items: [] }, unanswered };
}

async function shipped(
  read: Measuring['readShipped'],
  names: readonly string[],
  domain: string | null,
): Promise<Result<Suite[]>> {
  if (read) return shippedSuites(read, names, domain);
  return fail('no-suites', 'No suites are at hand here; give one.');
}
