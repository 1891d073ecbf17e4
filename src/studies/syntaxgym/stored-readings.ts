import { chanceOf } from './baselines.ts';
import { withoutSurprisals } from './edit-suite.ts';
import type { SyntaxGymAssessment } from './study.ts';
import { metricsOf, type Item, type Suite } from './suite.ts';

type ReadSuite = SyntaxGymAssessment['suites'][number];

/** The sentences of an item: what a model's surprisals depend on. */
const textOf = ({ item_number, conditions }: Item): string =>
  JSON.stringify([
    item_number,
    conditions.map(({ condition_name, regions }) => [condition_name, regions.map(({ content }) => content)]),
  ]);

/** Texts of stored suites, which are large and never change. */
const known = new WeakMap<Suite, readonly string[]>();

function textsOf(suite: Suite): readonly string[] {
  const texts = known.get(suite) ?? suite.items.map(textOf);
  known.set(suite, texts);
  return texts;
}

/**
 * A suite with the surprisals that a model's stored reading has for its very sentences; null where the sentences or the
 * metrics are others. Predictions, names and tags are those of the suite, so that a new prediction asks no model again.
 */
export function readingOfSuite(suite: Suite, stored: ReadSuite): ReadSuite | null {
  const left = new Set(stored.unanswered.map(({ item }) => item));
  const texts = textsOf(suite).filter((_, i) => !left.has(suite.items[i].item_number));
  const storedTexts = textsOf(stored.suite);
  if (texts.length !== storedTexts.length || texts.some((text, i) => text !== storedTexts[i])) return null;
  const metrics = metricsOf(suite) ?? [];
  const values = stored.suite.items[0]?.conditions[0]?.regions[0]?.metric_value ?? {};
  if (metrics.some((metric) => !(metric in values))) return null;
  const { meta, region_meta, predictions } = suite;
  const merged = { ...stored.suite, meta: { ...meta, model: stored.suite.meta.model }, region_meta, predictions };
  const same = JSON.stringify(predictions) === JSON.stringify(stored.suite.predictions);
  return { ...stored, suite: merged, chance: same ? stored.chance : chanceOf(suite) };
}

/** What a model is known to have answered of some suites, from its assessments, newest first; null where nothing. */
export function readingsOf(
  suites: readonly Suite[],
  assessments: readonly SyntaxGymAssessment[],
): SyntaxGymAssessment | null {
  const newest = assessments.find(({ suites: read }) =>
    suites.some((suite) => read.some((one) => readingOfSuite(suite, one) !== null)),
  );
  if (newest === undefined) return null;
  const { subject } = newest;
  const same = readBy(subject, assessments);
  const found = suites.flatMap((suite) => firstOf(same, (one) => readingOfSuite(suite, one)) ?? []);
  return { subject, suites: found };
}

function firstOf<T, U>(list: readonly T[], value: (one: T) => U | null): U | null {
  for (const one of list) {
    const found = value(one);
    if (found !== null) return found;
  }
  return null;
}

/** The suites that the model has not read yet. */
export function unreadSuites(
  suites: readonly Suite[],
  subject: SyntaxGymAssessment['subject'],
  assessments: readonly SyntaxGymAssessment[],
): Suite[] {
  const read = readBy(subject, assessments);
  return suites.filter((suite) => !read.some((one) => readingOfSuite(suite, one) !== null));
}

/** What a model has read: one of the same weights, as far as a description tells. */
function readBy(subject: SyntaxGymAssessment['subject'], assessments: readonly SyntaxGymAssessment[]): ReadSuite[] {
  const told = ['name', 'kind', 'parameters', 'notation', 'steps', 'seed'] as const;
  const same = assessments.filter((one) => told.every((field) => one.subject[field] === subject[field]));
  return same.flatMap(({ suites }) => suites);
}

/** The suites of assessments as they were before a model read them. */
export const suitesOfAssessments = (assessments: readonly SyntaxGymAssessment[]): Suite[] =>
  assessments.flatMap(({ suites }) => suites.map(({ suite }) => withoutSurprisals(suite)));
