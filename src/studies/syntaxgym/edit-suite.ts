import type { Condition, Item, Suite } from './suite.ts';

/** Edits of a suite, each of which gives a new one. Places are counted from 0. */

const REFERENCE = /([([]\s*)(\d+|\*)(\s*;%\s*)([A-Za-z0-9_-]+)(\s*%)/g;

function emptyCondition(condition_name: string, regions: number): Condition {
  return {
    condition_name,
    regions: Array.from({ length: regions }, (_, i) => ({ region_number: i + 1, content: '' })),
  };
}

/** A suite to begin with: two conditions of two regions, one item, and a prediction that compares them. */
export function newSuite(name: string, domain: string | null): Suite {
  return {
    meta: { name, metric: 'sum', ...(domain !== null && { domain }), tags: [] },
    region_meta: { 1: 'context', 2: 'answer' },
    predictions: [{ type: 'formula', formula: '(2;%fits%) < (2;%fails%)' }],
    items: [{ item_number: 1, conditions: ['fits', 'fails'].map((one) => emptyCondition(one, 2)) }],
  };
}

const replaced = <T>(list: readonly T[], place: number, value: T): T[] =>
  list.map((one, i) => (i === place ? value : one));
const without = <T>(list: readonly T[], place: number): T[] => list.filter((_, i) => i !== place);

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = without(list, from);
  return [...rest.slice(0, to), list[from], ...rest.slice(to)];
}

export function setContent(suite: Suite, item: number, condition: string, region: number, content: string): Suite {
  const conditions = suite.items[item].conditions.map((one) =>
    one.condition_name === condition
      ? { ...one, regions: replaced(one.regions, region, { ...one.regions[region], content }) }
      : one,
  );
  return { ...suite, items: replaced(suite.items, item, { ...suite.items[item], conditions }) };
}

/** An item with the content of another behind it; its number is the next that is free. */
export function copyItem(suite: Suite, item: number): Suite {
  const item_number = Math.max(...suite.items.map((one) => one.item_number)) + 1;
  const copy: Item = { ...suite.items[item], item_number };
  return { ...suite, items: [...suite.items.slice(0, item + 1), copy, ...suite.items.slice(item + 1)] };
}

/** An item without content behind the last. */
export function addItem(suite: Suite): Suite {
  const numbers = suite.items.map((one) => one.item_number);
  const conditions = (suite.items[0]?.conditions ?? []).map(({ condition_name, regions }) =>
    emptyCondition(condition_name, regions.length),
  );
  return { ...suite, items: [...suite.items, { item_number: Math.max(0, ...numbers) + 1, conditions }] };
}

export const removeItem = (suite: Suite, item: number): Suite => ({ ...suite, items: without(suite.items, item) });

export const moveItem = (suite: Suite, from: number, to: number): Suite => ({
  ...suite,
  items: moved(suite.items, from, to),
});

const everyItem = (suite: Suite, change: (conditions: Condition[]) => Condition[]): Suite => ({
  ...suite,
  items: suite.items.map((item) => ({ ...item, conditions: change(item.conditions) })),
});

/** The name, or the name with a number behind it where it is taken. */
export function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let n = 2; taken.includes(free); n++) free = `${name}_${n}`;
  return free;
}

export function addCondition(suite: Suite): Suite {
  const name = freeName(
    'condition',
    suite.items.flatMap(({ conditions }) => conditions.map(({ condition_name }) => condition_name)),
  );
  const regions = Object.keys(suite.region_meta).length;
  return everyItem(suite, (conditions) => [...conditions, emptyCondition(name, regions)]);
}

export const removeCondition = (suite: Suite, name: string): Suite =>
  everyItem(suite, (conditions) => conditions.filter(({ condition_name }) => condition_name !== name));

export function moveCondition(suite: Suite, name: string, to: number): Suite {
  return everyItem(suite, (conditions) => {
    const from = conditions.findIndex(({ condition_name }) => condition_name === name);
    return from < 0 ? conditions : moved(conditions, from, to);
  });
}

/** Renames a condition in all items, and where formulas refer to it. */
export function renameCondition(suite: Suite, from: string, to: string): Suite {
  const renamed = everyItem(suite, (conditions) =>
    conditions.map((one) => (one.condition_name === from ? { ...one, condition_name: to } : one)),
  );
  return withReferences(renamed, (region, condition) => [region, condition === from ? to : condition]);
}

export const renameRegion = (suite: Suite, region: number, name: string): Suite => ({
  ...suite,
  region_meta: { ...suite.region_meta, [`${region + 1}`]: name },
});

export function addRegion(suite: Suite): Suite {
  const count = Object.keys(suite.region_meta).length;
  const added = everyItem(suite, (conditions) =>
    conditions.map((one) => ({ ...one, regions: [...one.regions, { region_number: count + 1, content: '' }] })),
  );
  return renameRegion(added, count, `region ${count + 1}`);
}

/** Removes a region from all sentences; formulas that refer to it refer to region 0 from then on, which is an error. */
export const removeRegion = (suite: Suite, region: number): Suite =>
  arrangeRegions(suite, (list) => without(list, region));

export const moveRegion = (suite: Suite, from: number, to: number): Suite =>
  arrangeRegions(suite, (list) => moved(list, from, to));

/** Puts regions in another order, numbers them anew, and has formulas refer to the same ones. */
function arrangeRegions(suite: Suite, arrange: (regions: number[]) => number[]): Suite {
  const names = Object.keys(suite.region_meta)
    .map(Number)
    .sort((a, b) => a - b)
    .map((number) => suite.region_meta[number]);
  const order = arrange(names.map((_, i) => i));
  const arranged = everyItem(suite, (conditions) =>
    conditions.map((one) => ({
      ...one,
      regions: order.flatMap((old, i) => (one.regions[old] ? { ...one.regions[old], region_number: i + 1 } : [])),
    })),
  );
  const region_meta = Object.fromEntries(order.map((old, i) => [`${i + 1}`, names[old]]));
  return withReferences({ ...arranged, region_meta }, (region, condition) => [
    region === '*' ? region : `${order.indexOf(Number(region) - 1) + 1}`,
    condition,
  ]);
}

/** The suite with its formulas' references replaced; the rest of their text stays as it was written. */
function withReferences(
  suite: Suite,
  replace: (region: string, condition: string) => readonly [region: string, condition: string],
): Suite {
  return {
    ...suite,
    predictions: suite.predictions.map((prediction) => {
      if (prediction.formula === undefined) return prediction;
      const formula = prediction.formula.replace(
        REFERENCE,
        (_, open: string, region: string, middle: string, condition: string, close: string) => {
          const [number, name] = replace(region, condition);
          return `${open}${number}${middle}${name}${close}`;
        },
      );
      return { ...prediction, formula };
    }),
  };
}

export const setPrediction = (suite: Suite, place: number, formula: string): Suite => ({
  ...suite,
  predictions: replaced(suite.predictions, place, { ...suite.predictions[place], formula }),
});

export const addPrediction = (suite: Suite): Suite => ({
  ...suite,
  predictions: [...suite.predictions, { type: 'formula', formula: '' }],
});

export const removePrediction = (suite: Suite, place: number): Suite => ({
  ...suite,
  predictions: without(suite.predictions, place),
});

export const setMeta = (suite: Suite, meta: Partial<Suite['meta']>): Suite => ({
  ...suite,
  meta: { ...suite.meta, ...meta },
});

/** The suite as it was written: without the surprisals of a model. */
export function withoutSurprisals(suite: Suite): Suite {
  const meta = { ...suite.meta };
  delete meta.model;
  const items = suite.items.map((item) => ({
    ...item,
    conditions: item.conditions.map((condition) => ({
      ...condition,
      regions: condition.regions.map((one) => {
        const region = { ...one };
        delete region.metric_value;
        delete region.oovs;
        return region;
      }),
    })),
  }));
  return { ...suite, meta, items };
}
