import { fail, ok, type Result } from '../../../base/result.ts';
import { formulasOf } from '../check-suite.ts';
import type { Formula, Reference } from '../formula.ts';
import { comparedMetric, type Item, type Suite } from '../suite.ts';
import { comparisonsOf, pairOf, readingOf, type Reading } from './comparisons.ts';

/** A file to be written: its name in the folder, and its text. */
export interface ExportedFile {
  name: string;
  text: string;
}

/**
 * A task of EleutherAI's lm-evaluation-harness (0.4) whose accuracy is that of the suite. Where one region is to be less
 * surprising than others after the same text, it is a plain multiple-choice task. Otherwise the harness is asked for the
 * probabilities of beginnings of sentences, from whose differences `utils.py` gets the regions' surprisals and evaluates
 * the predictions. Fails with `not-exportable` for metrics other than sum, which are not of whole regions.
 * @param end the text of the token that ends a sentence, where the model is asked with one ("<|endoftext|>" for GPT-2):
 * syntaxgym-core counts it to the last region, and the harness knows of none
 */
export function suiteToLmEval(suite: Suite, end = ''): Result<ExportedFile[]> {
  const task = taskName(suite);
  const formulas = formulasOf(suite).map(({ formula }) => formula);
  if (comparedMetric(suite) !== 'sum')
    return fail(
      'not-exportable',
      `${suite.meta.name}: the harness knows sums alone, and the metric is ${comparedMetric(suite)}.`,
    );
  if (formulas.length === 0) return fail('not-exportable', `${suite.meta.name} has no predictions; write one.`);
  const choices = choicesOf(suite, end);
  const rows = choices ?? suite.items.map((item) => beginningsOf(item, formulas, end));
  const files = [
    { name: `${task}.yaml`, text: yaml(task, suite, choices === null) },
    { name: `${task}.jsonl`, text: rows.map((row) => JSON.stringify(row) + '\n').join('') },
  ];
  return ok(choices === null ? [...files, { name: 'utils.py', text: UTILS }] : files);
}

/** Names of tasks are names of files and of command-line options. */
const taskName = ({ meta: { name } }: Suite): string =>
  `syntaxgym_${name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80)}`;

interface ChoiceRow {
  item_number: number;
  context: string;
  choices: string[];
  label: 0;
}

/** An item as a choice among regions, the first being the right one; null where the suite is of another kind. */
function choicesOf(suite: Suite, end: string): ChoiceRow[] | null {
  const comparisons = comparisonsOf(suite);
  if (comparisons === null) return null;
  const [{ likelier }] = comparisons;
  if (
    comparisons.some((one) => one.likelier.condition !== likelier.condition || one.likelier.region !== likelier.region)
  )
    return null;
  const rows: ChoiceRow[] = [];
  for (const item of suite.items) {
    const pairs = comparisons.map((comparison) => pairOf(item, comparison));
    if (!pairs.every((pair) => pair.ok)) return null;
    const { good } = pairs[0].value;
    const { before } = good;
    const lead = before === '' ? '' : ' ';
    const choices = [good, ...pairs.map((pair) => pair.value.bad)].map((one) => lead + ended(one.text, one, end));
    // The harness decides between equal texts by their order, and ours is that neither is likelier.
    if (new Set(choices).size < choices.length) return null;
    rows.push({ item_number: item.item_number, context: before, choices, label: 0 });
  }
  return rows;
}

const ended = (text: string, { last }: Reading, end: string): string => (last ? text + end : text);

/** [operator, left, right], {"plus": i, "minus": j} for a region by the places of two beginnings, or a number. */
type Tree = number | { plus: number; minus: number } | [string, Tree, Tree];

/** An item as the beginnings of sentences that its predictions need, -1 being the empty one. */
function beginningsOf(item: Item, formulas: readonly Formula[], end: string) {
  const choices: string[] = [];
  const placeOf = (text: string): number => {
    if (text === '') return -1;
    const known = choices.indexOf(text);
    return known >= 0 ? known : choices.push(text) - 1;
  };
  const region = (reference: Reference): Tree => {
    const reading = readingOf(item, reference);
    const { before, text } = reading;
    if (text === '') return { plus: placeOf(before), minus: placeOf(before) };
    const whole = before === '' ? text : `${before} ${text}`;
    return { plus: placeOf(ended(whole, reading, end)), minus: placeOf(before) };
  };
  const tree = (formula: Formula): Tree => {
    if (formula.kind === 'number') return formula.value;
    if (formula.kind === 'region') return region(formula);
    const first = tree(formula.first);
    const operands = formula.rest.map(({ operator, operand }) => ({ operator, value: tree(operand) }));
    if (formula.level === 'comparison')
      return operands
        .map(({ operator, value }, i): Tree => [operator, i === 0 ? first : operands[i - 1].value, value])
        .reduce((left, right) => ['&', left, right]);
    return operands.reduce<Tree>((left, { operator, value }) => [operator, left, value], first);
  };
  const predictions = formulas.map(tree);
  return { item_number: item.item_number, context: '', choices, label: 0, predictions: JSON.stringify(predictions) };
}

function yaml(task: string, { meta }: Suite, general: boolean): string {
  const about = `${meta.name}${meta.reference ? ` (${meta.reference})` : ''}`.replace(/\s+/g, ' ');
  return `# SyntaxGym test suite ${about}
# In this folder: lm_eval --model hf --model_args pretrained=gpt2 --include_path . --tasks ${task}
task: ${task}
tag: syntaxgym
dataset_path: json
dataset_kwargs:
  data_files:
    test: ${task}.jsonl
test_split: test
output_type: multiple_choice
doc_to_text: context
doc_to_choice: choices
doc_to_target: label
target_delimiter: ""
num_fewshot: 0
${general ? 'process_results: !function utils.process_results\n' : ''}metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
`;
}

const UTILS = `"""Evaluates the predictions of a SyntaxGym suite from the log-likelihoods of beginnings of sentences."""

import json
import math


def value(tree, surprisals):
    if isinstance(tree, (int, float)):
        return tree
    if isinstance(tree, dict):
        return surprisals[tree["plus"]] - surprisals[tree["minus"]]
    operator, left, right = tree[0], value(tree[1], surprisals), value(tree[2], surprisals)
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "<":
        return left < right
    if operator == ">":
        return left > right
    if operator == "=":
        return abs(left - right) <= 1e-3 + 1e-5 * abs(right)
    if operator == "&":
        return left and right
    return left or right


def process_results(doc, results):
    # Bits; the place -1 is that of the empty beginning.
    surprisals = [-likelihood / math.log(2) for likelihood, _ in results] + [0.0]
    holds = all(value(tree, surprisals) for tree in json.loads(doc["predictions"]))
    return {"acc": float(holds)}
`;
