import * as v from 'valibot';
import { kindOfModel } from './kind.ts';
import { context, dropout, heads, headsProblem, layers, slots, start, tied, width, window } from './shared-fields.ts';

export const gpt2 = kindOfModel(
  v.strictObject({ kind: v.literal('gpt2'), layers, width, heads, context, dropout, window, slots, start, tied }),
  {
    title: 'GPT-2',
    description: 'A transformer with learned positions, the kind the paper trained.',
    family: 'transformer',
    library: 'Hugging Face',
    problemOf: headsProblem,
  },
);
