import { parseFormula } from './parse-formula.ts';
import { isStatement, references, type Formula } from './formula.ts';
import { METRICS, conditionNames, metricsOf, type Condition, type Prediction, type Suite } from './suite.ts';

/** Where in a suite something stands; what is left out is not meant. */
export interface Place {
  /** The item's own number. */
  item?: number;
  condition?: string;
  region?: number;
  /** 0-based place among the predictions. */
  prediction?: number;
  /** Of the prediction's formula, from 1. */
  character?: number;
}

export interface Problem {
  place: Place;
  message: string;
  /** A suite with an error cannot be run; a note says what is unusual and is read all the same. */
  kind: 'error' | 'note';
}

/** 'Item 3, condition "x", region 2'; '' for the suite as a whole. */
export function placeText({ item, condition, region, prediction }: Place): string {
  const parts = [
    ...(prediction === undefined ? [] : [`prediction ${prediction + 1}`]),
    ...(item === undefined ? [] : [`item ${item}`]),
    ...(condition === undefined ? [] : [`condition "${condition.slice(0, 60)}"`]),
    ...(region === undefined ? [] : [`region ${region}`]),
  ].join(', ');
  return parts.charAt(0).toUpperCase() + parts.slice(1);
}

/** "Item 3, condition "x", region 2: it has edge spaces." */
export function problemText({ place, message }: Problem): string {
  const where = placeText(place);
  return where === '' ? message : `${where}: ${message}`;
}

/** A region with the highest number that is asked of every condition; more is no suite but a hostile file. */
const MOST_REGIONS = 1000;

/**
 * What is wrong or unusual in a suite beyond the shape of its JSON: region numbers, conditions, metric, formulas and
 * what they refer to.
 */
export function checkSuite(suite: Suite): Problem[] {
  const problems: Problem[] = [];
  const error = (place: Place, message: string): void => void problems.push({ place, message, kind: 'error' });
  const note = (place: Place, message: string): void => void problems.push({ place, message, kind: 'note' });

  if (metricsOf(suite) === null)
    error(
      {},
      `meta.metric is ${JSON.stringify(suite.meta.metric).slice(0, 60)}; write one of ${METRICS.join(', ')}, a list of them, or "all".`,
    );
  const numbers = Object.keys(suite.region_meta).map(Number);
  const count = numbers.length;
  if (count === 0 || count > MOST_REGIONS || numbers.some((n) => !(Number.isInteger(n) && n >= 1 && n <= count)))
    error(
      {},
      `region_meta must number its regions from 1 without gaps, at most ${MOST_REGIONS} of them; it has ${Object.keys(suite.region_meta).slice(0, 12).join(', ') || 'none'}.`,
    );
  if (suite.items.length === 0) error({}, 'The suite has no items; write at least one.');

  const names = conditionNames(suite);
  const wanted = new Set(names);
  const seen = new Set<number>();
  for (const { item_number: item, conditions } of suite.items) {
    if (seen.has(item)) error({ item }, 'another item has this number; number each item once.');
    seen.add(item);
    const own = conditions.map(({ condition_name }) => condition_name);
    if (new Set(own).size < own.length) error({ item }, `a condition stands twice in ${own.join(', ').slice(0, 120)}.`);
    else if (own.length !== wanted.size || own.some((name) => !wanted.has(name)))
      error(
        { item },
        `its conditions are ${own.join(', ').slice(0, 120) || 'none'}; those of the first item are ${names.join(', ').slice(0, 120) || 'none'}, and all items must have the same.`,
      );
    for (const condition of conditions) problems.push(...checkRegions(item, condition, count));
  }

  for (const [prediction, { formula }] of suite.predictions.entries()) {
    if (formula === undefined) {
      note({ prediction }, 'it has no formula, so it is stored and not evaluated.');
      continue;
    }
    const parsed = parseFormula(formula);
    if (!parsed.ok) {
      error({ prediction, character: parsed.error.where?.character }, parsed.error.message);
      continue;
    }
    if (!isStatement(parsed.value)) note({ prediction }, 'it compares nothing; any value but 0 counts as true.');
    for (const { region, condition, at } of references(parsed.value)) {
      const place = { prediction, character: at };
      if (!wanted.has(condition))
        error(
          place,
          `Character ${at}: there is no condition "${condition}"; the conditions are ${names.join(', ').slice(0, 120)}.`,
        );
      if (region !== '*' && !(region >= 1 && region <= count))
        error(place, `Character ${at}: there is no region ${region}; the regions are 1 to ${count}.`);
    }
  }
  return problems;
}

function checkRegions(item: number, { condition_name: condition, regions }: Condition, count: number): Problem[] {
  const problems: Problem[] = [];
  const numbers = regions.map(({ region_number }) => region_number);
  const ascending = numbers.every((number, i) => number === i + 1);
  if (!ascending || numbers.length !== count)
    problems.push({
      place: { item, condition },
      message: `its regions are ${numbers.slice(0, 12).join(', ') || 'none'}; write 1 to ${count}, each once and in this order.`,
      kind: 'error',
    });
  for (const { region_number: region, content } of regions) {
    const unusual = /[\r\n\t]/.test(content)
      ? 'it has a line break or a tab, which is read as a space.'
      : content !== content.trim()
        ? 'it has a space at an edge, which is left out.'
        : / {2}/.test(content)
          ? 'it has several spaces in a row.'
          : null;
    if (unusual !== null) problems.push({ place: { item, condition, region }, message: unusual, kind: 'note' });
  }
  return problems;
}

/** The formulas of a suite that passed `checkSuite`, with their places among its predictions. */
export function formulasOf(suite: Suite): { prediction: number; formula: Formula; text: string }[] {
  return suite.predictions.flatMap(({ formula: text }: Prediction, prediction) => {
    const parsed = text === undefined ? null : parseFormula(text);
    return parsed?.ok ? [{ prediction, formula: parsed.value, text: text! }] : [];
  });
}
