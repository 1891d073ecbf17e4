import type { RunConfig } from '../../../config/run-config.ts';
import { real, whole, type ChoiceSpec, type FieldSpec, type SwitchSpec } from './field-specs.ts';

const layers = whole('model.layers', 'Layers', 1, 48);
const width = whole('model.width', 'Width', 8, 2048, { step: 8 });
const heads = whole('model.heads', 'Heads', 1, 64);
const context = whole('model.context', 'Context', 16, 1024, { suffix: 'tokens' });
const dropout = real('model.dropout', 'Dropout', 0, 0.9, { step: 0.05 });
const window = whole('model.window', 'Window', 1, 1024, {
  suffix: 'tokens',
  none: 'all before it',
  words: 'How many tokens back a token sees, itself included.',
});
const slots: SwitchSpec = {
  kind: 'switch',
  path: 'model.slots',
  label: 'Slot embedding',
  words:
    'Tells the model what kind of token comes next in the spelling (from, to, piece) and whose move it is, nothing about the board.',
};

const start: ChoiceSpec = {
  kind: 'choice',
  path: 'model.start',
  label: 'Weights at the start',
  options: [
    { value: 'gpt2', label: 'As GPT-2: small and random' },
    { value: 'zero-out', label: 'Layers silent at first' },
  ],
  words: 'Layers that add nothing at first learn faster here; GPT-2 starts every weight at random.',
};

const tied: SwitchSpec = {
  kind: 'switch',
  path: 'model.tied',
  label: 'One table for input and output',
  words:
    'Tied: the vectors by which tokens are read also score the next token. Untied, the scores have a table of their own, which costs as many weights again.',
};

const mlp = whole('model.mlp', 'Gated unit', 8, 8192, {
  step: 8,
  suffix: 'wide',
  words: 'The inner width of each layer’s feed-forward part; about 8/3 of the width is usual.',
});

const rotaryBase = real('model.rotaryBase', 'Rotary base', 10, 1e8, {
  words: 'Positions are told by rotation; a larger base turns more slowly and reaches further.',
});

/** The fields of each kind of model, in the order of the form. */
export const modelFields: Record<RunConfig['model']['kind'], readonly FieldSpec[]> = {
  gpt2: [layers, width, heads, context, dropout, window, slots, start, tied],
  qwen3: [
    layers,
    width,
    heads,
    context,
    mlp,
    window,
    rotaryBase,
    whole('model.shift', 'Token shift', 0, 8, {
      suffix: 'tokens back',
      words:
        'Before each attention a token mixes in so many of the tokens right before it, each number of its vector with learned weights of its own, so that a layer need not first find its neighbours. 0 for none.',
    }),
    slots,
    tied,
  ],
  lfm2: [
    {
      kind: 'choice',
      path: 'model.pattern',
      label: 'Layers are',
      options: [
        { value: 'ca', label: 'Convolution, attention' },
        { value: 'caa', label: 'Convolution, then attention twice' },
        { value: 'caaa', label: 'Convolution, then attention three times' },
        { value: 'caaaa', label: 'Convolution, then attention four times' },
        { value: 'caaaaa', label: 'Convolution, then attention five times' },
        { value: 'caaaaaaa', label: 'Convolution, then attention seven times' },
        { value: 'caca', label: 'Convolution and attention in turn, four in all' },
        { value: 'cacacaca', label: 'Convolution and attention in turn, eight in all' },
        { value: 'aaaa', label: 'Attention four times' },
      ],
      words:
        'A convolution reads the tokens right before, each number of a vector with weights of its own, and lets a gate decide what of it counts; attention looks for what it needs in all that came before. A link or the command line may write any row of the letters c and a.',
    },
    width,
    heads,
    context,
    mlp,
    whole('model.taps', 'Convolutions read', 1, 8, {
      suffix: 'tokens',
      words: 'The token itself and those right before it.',
    }),
    rotaryBase,
    slots,
    tied,
  ],
  lstm: [
    layers,
    width,
    context,
    dropout,
    whole('model.truncation', 'Learning looks back', 1, 1024, {
      suffix: 'tokens',
      none: 'to the beginning',
      words:
        'The state is carried through the whole game either way. With a number, a mistake teaches only the steps since the last multiple of it, not those before (truncated back-propagation through time).',
    }),
    slots,
  ],
  reformer: [
    layers,
    width,
    heads,
    context,
    dropout,
    {
      kind: 'choice',
      path: 'model.pattern',
      label: 'Layers are',
      options: [
        { value: 'local,local,lsh,local', label: 'Local, local, hashed, local, and so on' },
        { value: 'local,lsh', label: 'Local and hashed in turn' },
        { value: 'local', label: 'All local' },
        { value: 'lsh', label: 'All hashed' },
      ],
      words:
        'A local layer sees a chunk of neighbours. A hashed one sorts tokens so that those with like vectors stand together, and sees a chunk of those.',
    },
    whole('model.chunk', 'Chunk', 1, 1024, {
      suffix: 'tokens',
      words: 'A token sees the earlier tokens of its own chunk and of the chunk before.',
    }),
    whole('model.buckets', 'Buckets', 1, 1024, {
      words: 'Into how many groups a hashed layer sorts the tokens, an even number; with 1 it sorts by position alone.',
    }),
    whole('model.rounds', 'Rounds of hashing', 1, 16, {
      words: 'Each round sorts anew by other random directions; more rounds miss less and cost more.',
    }),
    {
      kind: 'choice',
      path: 'model.positions',
      label: 'Positions',
      options: [
        { value: 'axial', label: 'Axial: row and column of a grid' },
        { value: 'learned', label: 'One vector for each place' },
      ],
    },
    whole('model.axialRows', 'Rows of the grid', 1, 1024, { none: 'near the root of the context' }),
    whole('model.axialWidth', 'Width for the row', 1, 2047, {
      none: 'a third',
      words: 'On a grid a place is told by its row and its column, each with a part of the width. Of no use otherwise.',
    }),
    slots,
    start,
  ],
  performer: [
    layers,
    width,
    heads,
    context,
    dropout,
    {
      kind: 'choice',
      path: 'model.kernel',
      label: 'Features',
      options: [
        { value: 'softmax', label: 'Exponential: stand in for usual attention' },
        { value: 'relu', label: 'ReLU: an attention of their own' },
      ],
    },
    whole('model.features', 'Features of a head', 1, 4096, {
      none: 'its width times its logarithm',
      words: 'Each is one random direction; more of them come nearer to usual attention.',
    }),
    whole('model.redraw', 'Draw anew every', 0, 1e8, {
      suffix: 'steps',
      words: 'So that the model does not lean on one draw of directions; 0 keeps the first.',
    }),
    whole('model.localHeads', 'Local heads', 0, 64),
    whole('model.localWindow', 'Their chunk', 1, 1024, {
      suffix: 'tokens',
      words: 'So many of the heads use no features: a token sees its own chunk and the one before, exactly.',
    }),
    slots,
    start,
  ],
};

export const modelKindWords: Record<RunConfig['model']['kind'], string> = {
  gpt2: 'A transformer with learned positions, the kind the paper trained.',
  qwen3: 'A transformer as they are built today: rotary positions, RMSNorm, gated units.',
  lfm2: 'A modern transformer in which some layers read only the tokens right before, by a gated convolution.',
  lstm: 'Reads one token after another and keeps one state, as language models did before attention.',
  reformer:
    'A transformer that looks only at neighbours and, in hashed layers, at tokens whose vectors are alike; the paper compared it. Only the slower reference engine runs it.',
  performer:
    'A transformer that reads the row through random features, at a cost that does not grow with the square of its length; the paper compared it. Only the slower reference engine runs it.',
};
