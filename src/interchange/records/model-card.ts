import { layersOf, modelKindOf } from '../../config/model-schema.ts';
import { learnsPieces, taughtIn } from '../../config/objectives.ts';
import type { RunConfig } from '../../config/run-config.ts';
import type { TokenizerRules } from '../../base/tokenizer-rules.ts';
import { ofSafetensors } from './readme-section.ts';

interface CardFacts {
  tokens: readonly string[];
  rules: TokenizerRules | null;
  readings: boolean;
  /** What its tokens are where they are those of its first maker. */
  brought?: 'text' | 'moves';
}

/** The header that huggingface.co reads, and how the libraries of a folder's kind open it. */
export function modelCard(config: RunConfig, { tokens, rules, readings, brought }: CardFacts): string {
  const { title } = modelKindOf(config.model);
  const kind = `${title.startsWith('L') ? 'An' : 'A'} ${title}`;
  const parts = [
    [
      '---',
      'library_name: transformers',
      'pipeline_tag: text-generation',
      `tags: [${['blindfold', config.domain, 'world-model', config.notation].map((tag) => JSON.stringify(tag)).join(', ')}]`,
      'license: unknown',
      '---',
    ].join('\n'),
    `${kind} that Blindfold trained on ${brought ? LEARNED[brought] : gamesAnd(config)}: ${layersOf(config.model)} layers of ${config.model.width}, ${config.model.context} tokens of context. Whoever publishes it chooses its licence, in the first lines of this file.`,
    brought === 'moves'
      ? WHOLE_MOVES
      : rules || brought
        ? usage(promptOf(rules, tokens)) + (brought ? '' : BEGINS)
        : withoutTokenizer(readings),
  ];
  if (learnsPieces(config))
    parts.push(
      'Behind the first square of a move the model also learned the letter of the piece that moves, so some of the probability may be on the letters there. Leave them out when you compare squares. `generate` does so by `suppress_tokens` of generation_config.json.',
    );
  if (readings)
    parts.push(
      `## Slots

The model was trained with slots: each position carries, besides its token, what kind of token it is and whose move it belongs to. Both follow from the notation alone. In this folder, the vocabulary has one row for each way in which a token can be read, so slots need not be supplied. The residual stream has some extra columns, which mark what may follow. No layer reads or writes them. The head does: it puts the logit of a reading that cannot occur at a position far below the others. The remaining logits are those of the trained model.`,
    );
  return `${parts.join('\n\n')}\n`;
}

function gamesAnd(config: RunConfig): string {
  const taught = taughtIn(config);
  return taught === null ? 'the moves of games and nothing else' : `the moves of games, ${taught}`;
}

const LEARNED = {
  text: 'games and questions about them as text, from third-party weights',
  moves: 'the moves of games, from third-party weights',
};

const WHOLE_MOVES = `A token is a whole move, as the model's first maker wrote it, and the files of the tokenizer are those that it came with. \`record.tokens\` in blindfold.json lists the tokens in the order of their ids; a game begins with \`bos_token_id\` of config.json.

${ofSafetensors(`\`\`\`python
import json
import torch
from transformers import AutoModelForCausalLM

tokens = json.load(open("blindfold.json"))["record"]["tokens"]
model = AutoModelForCausalLM.from_pretrained(".").eval()
ids = [model.config.bos_token_id]  # the ids of the game's moves follow
probabilities = model(torch.tensor([ids])).logits[0, -1].softmax(-1)  # of the token that comes next
for p, token in zip(*probabilities.topk(5)):
    print(f"{p:.3f} {tokens[token]}")
\`\`\``)}`;

const BEGINS = '\n\nThe tokenizer puts the token that begins a game first.';

/** What a reader may ask; a model of text has read lines that begin so. */
function promptOf(rules: TokenizerRules | null, tokens: readonly string[]): string {
  if (rules === null) return '[start]';
  return rules.fused || tokens.includes('e4') ? 'e2e4 e7e5 g1f3' : tokens.slice(4, 7).join(' ');
}

function usage(prompt: string): string {
  return ofSafetensors(`\`\`\`python
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(".")
model = AutoModelForCausalLM.from_pretrained(".").eval()
inputs = tokenizer(${JSON.stringify(prompt)}, return_tensors="pt")
probabilities = model(**inputs).logits[0, -1].softmax(-1)  # of the token that comes next
for p, token in zip(*probabilities.topk(5)):
    print(f"{p:.3f} {tokenizer.decode(token)}")
print(tokenizer.decode(model.generate(**inputs, max_new_tokens=8)[0], skip_special_tokens=True))
\`\`\``);
}

function withoutTokenizer(readings: boolean): string {
  if (!readings)
    return 'The tokens are those of `record.tokens` in blindfold.json, in the order of their ids; there is no tokenizer.';
  return `Patterns cannot tell how a token of this notation is read, so there is no tokenizer: slots.json is the automaton that tells it.

${ofSafetensors(`\`\`\`python
import json
import torch
from transformers import AutoModelForCausalLM

grammar = json.load(open("slots.json"))
tokens = json.load(open("blindfold.json"))["record"]["tokens"]

def readings_of(ids):
    state, readings = 0, []
    for token in ids:
        at = state * len(tokens) + token
        readings.append(grammar["reading"][at])
        state = grammar["next"][at]
    return readings

model = AutoModelForCausalLM.from_pretrained(".").eval()
ids = [1]  # a game begins with the token 1; its events follow
logits = model(torch.tensor([readings_of(ids)])).logits[0, -1]
\`\`\``)}`;
}
