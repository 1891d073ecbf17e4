import type { Engine } from '../../../engine/engine.ts';
import { probabilities } from '../../asking/metrics.ts';
import type { Questions } from '../questions/questions.ts';
import type { VariableBelief } from './trace-answer.ts';

/** The form that asks for a variable of the state (Demeter and Downey 2021, section 3.3). */
const ASSIGNMENT = 'assignment';
/** Values told of a variable. */
const SHOWN = 4;

/**
 * What the model answers for every variable that the assignment question can ask: its share for each value among the
 * values possible, and what the program says is true. One pass: the question without its argument is run once, and each
 * variable is a leaf of it. [end] is not asked for here, since after an answer it has nothing to choose from. Empty for a
 * game without that question. Rejects with a RangeError where events, question and variable do not fit the context.
 */
export async function believedState(
  engine: Engine,
  questions: Questions,
  prefix: Uint16Array,
): Promise<VariableBelief[]> {
  const form = questions.forms.find(({ name }) => name === ASSIGNMENT);
  if (form?.takes.length !== 1) return [];
  const asked = form.takes[0].map((variable) => {
    const line = questions.ask(prefix, ASSIGNMENT, [variable]);
    const { prompt, candidates } = questions.encode(line);
    return { variable, truth: line.answer!, prompt, candidates: candidates! };
  });
  const [{ leaves }] = await engine.leafLogits(
    [asked[0].prompt.slice(0, -1)],
    [asked.map(({ prompt }) => prompt.at(-1)!)],
  );
  return asked.map(({ variable, truth, candidates }, i) => {
    const shares = probabilities(candidates.map((token) => leaves[i][token]));
    const values = candidates.map((token, k) => ({
      value: questions.vocabulary.tokens[token],
      probability: shares[k],
    }));
    return {
      variable: variable.replace(/^\[(.+)\]$/, '$1'),
      truth,
      // Sorting keeps the order of equals, which is the question's own.
      values: [...values].sort((a, b) => b.probability - a.probability).slice(0, SHOWN),
      truthProbability: values.find(({ value }) => value === truth)?.probability ?? 0,
    };
  });
}
