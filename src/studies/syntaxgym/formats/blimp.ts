import * as v from 'valibot';
import { issueText } from '../../../config/issue-text.ts';
import { Budget } from '../../../base/budget.ts';
import { jsonValue } from '../../../base/json.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { suiteOf } from '../read-suite.ts';
import { comparedMetric, type Item, type Suite } from '../suite.ts';
import { comparisonsOf, pairOf } from './comparisons.ts';

const PairSchema = v.looseObject({
  sentence_good: v.string(),
  sentence_bad: v.string(),
  UID: v.optional(v.string()),
  linguistics_term: v.optional(v.string()),
});

/**
 * A suite of minimal pairs from BLiMP's JSON Lines (Warstadt et al. 2020): the good sentence is to be the likelier one.
 * Other fields stay with their items. Fails with `bad-pairs`, naming the line.
 */
export function suiteFromPairs(text: string, name: string): Result<Suite> {
  const items: Item[] = [];
  const tags = new Set<string>();
  let uid: string | null = null;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const wrong = (message: string) =>
      fail('bad-pairs', `${name}, line ${i + 1}: ${message}; write {"sentence_good": "…", "sentence_bad": "…"}.`, {
        file: name,
        line: i + 1,
      });
    const raw = jsonValue(line, new Budget(name));
    if (!raw.ok) return wrong(raw.error.message);
    const pair = v.safeParse(PairSchema, raw.value);
    if (!pair.success) return wrong(issueText(pair.issues, 'the line'));
    const { sentence_good, sentence_bad, ...fields } = pair.output;
    uid ??= fields.UID ?? null;
    if (fields.linguistics_term !== undefined) tags.add(fields.linguistics_term);
    items.push({
      ...fields,
      item_number: items.length + 1,
      conditions: [conditionOf('good', sentence_good), conditionOf('bad', sentence_bad)],
    });
  }
  const base = name.replace(/^.*[\\/]/, '').replace(/\.jsonl$/i, '');
  const suite = suiteOf({
    meta: { name: uid ?? base, metric: 'sum', ...(tags.size > 0 && { tags: [...tags] }) },
    region_meta: { 1: 'sentence' },
    predictions: [{ type: 'formula', formula: '(*;%good%) < (*;%bad%)' }],
    items,
  });
  return suite.ok ? suite : fail(suite.error.code, `${name}: ${suite.error.message}`, { file: name });
}

/**
 * The pairs of a suite whose predictions compare two regions after the same text: sentences up to the regions, so that
 * the likelier sentence is the one whose region is less surprising. Fails with `not-pairs` for other suites.
 */
export function suiteToPairs(suite: Suite): Result<string> {
  const comparisons = comparisonsOf(suite);
  const wrong = (why: string) =>
    fail('not-pairs', `${suite.meta.name} is no suite of pairs: ${why} Export it with --to lm-eval.`);
  if (comparisons === null) return wrong('its predictions are more than comparisons of two regions.');
  if (comparedMetric(suite) !== 'sum') return wrong('its metric is not sum.');
  const lines: string[] = [];
  for (const item of suite.items)
    for (const comparison of comparisons) {
      const pair = pairOf(item, comparison);
      if (!pair.ok) return wrong(pair.error.message);
      const [sentence_good, sentence_bad] = [pair.value.good, pair.value.bad].map(({ before, text }) =>
        before === '' ? text : `${before} ${text}`,
      );
      const about = {
        field: 'syntax',
        linguistics_term: suite.meta.tags?.[0] ?? suite.meta.name,
        UID: suite.meta.name,
      };
      lines.push(JSON.stringify({ sentence_good, sentence_bad, ...about, pairID: `${lines.length}` }));
    }
  return ok(lines.join('\n') + '\n');
}

const conditionOf = (condition_name: string, content: string): Item['conditions'][number] => ({
  condition_name,
  regions: [{ region_number: 1, content }],
});
