/** A term of the field, explained in a sentence or two. */
export interface GlossaryEntry {
  term: string;
  /** Other spellings, such as a plural or an abbreviation. */
  also?: readonly string[];
  /** Names that mean this only where nothing else stands beside them, as in the heading of a column. */
  alone?: readonly string[];
  definition: string;
  /** Where it comes from; left out for common knowledge. */
  source?: string;
}

const TESTBED = 'Toshniwal et al. 2022';
const SPLAT = 'Demeter and Downey 2021';
const WORLD_MODELS = 'Vafa et al. 2024';

/** Every term that the page explains, in the order of the alphabet. */
export const GLOSSARY: readonly GlossaryEntry[] = [
  {
    term: 'Actual and Other',
    alone: ['piece moved in the game', 'moved piece', 'another piece'],
    definition:
      'Actual asks about the piece that moved next in the game, Other about another piece that could have moved.',
    source: TESTBED,
  },
  {
    term: 'AdamW',
    definition:
      'The usual optimiser of language models: every weight has a learning rate of its own, scaled by its recent gradients.',
    source: 'Loshchilov and Hutter 2019',
  },
  {
    term: 'AP',
    also: ['UCI + AP', 'oracle'],
    definition:
      'Always pieces: the letter of the piece stands before every move, in training and in tests. Such a model is the paper’s oracle, the measure of what could be reached.',
    source: TESTBED,
  },
  {
    term: 'Assignment',
    definition: 'A question about one part of the state, such as which piece stands on e4 or how many are out.',
    source: SPLAT,
  },
  {
    term: 'Attack succeeds',
    definition:
      'The share of games in which an opponent that plays legal moves brings the model to a position where its next move is illegal.',
    source: 'Balogh and Jelasity 2026',
  },
  {
    term: 'Compression',
    definition:
      'Two orders of moves lead to the same position, where the same moves are legal. The share of such pairs after which the model, too, expects the same tokens.',
    source: WORLD_MODELS,
  },
  {
    term: 'Dev games',
    also: ['dev'],
    definition: 'Held-out games on which a model is measured while it trains, to choose its best weights.',
  },
  {
    term: 'Distinction',
    definition:
      'Two different positions allow different moves. Precision is the share of the differences that the model makes that are real, recall the share of the real ones that it makes.',
    source: WORLD_MODELS,
  },
  {
    term: 'End-Actual',
    definition:
      'The prompt ends with the start square of the move that was really played, and the model says where that piece goes.',
    source: TESTBED,
  },
  {
    term: 'End-Other',
    definition:
      'The prompt ends with the square of another piece that could have moved. No move was played from there, so there is no exact answer.',
    source: TESTBED,
  },
  {
    term: 'ExM',
    also: ['exact move'],
    alone: ['exact'],
    definition: 'Exact move: the share of prompts for which the model’s likeliest answer is the move really played.',
    source: TESTBED,
  },
  {
    term: 'Fine-tuning',
    also: ['fine-tuned', 'fine-tune'],
    definition:
      'Training that goes on from a model that has already learned something else: here from whole games to questions about them.',
    source: SPLAT,
  },
  {
    term: 'Goal state',
    definition: 'A question that gives a part of a later state and asks for five events that lead to it.',
    source: SPLAT,
  },
  {
    term: 'Held out',
    also: ['held-out'],
    definition:
      'Games that no model of the set is trained on. What a model scores on them it cannot have learned by heart.',
  },
  {
    term: 'In-pattern mass',
    also: ['in-pattern'],
    definition:
      'Probability on legal moves and on those that the piece could make alone on an empty board, though something on the real board stops it.',
    source: SPLAT,
  },
  {
    term: 'Interval',
    also: ['intervals', '95% interval', '95% intervals'],
    definition:
      'The range in which the true value lies with 95% confidence, given how many answers there are. Shares have Wilson’s interval.',
    source: 'Wilson 1927',
  },
  {
    term: 'Legal mass',
    definition: 'The probability that the model puts on tokens that the rules allow next, all of them together.',
    source: SPLAT,
  },
  {
    term: 'Legal verbs',
    definition: 'How well the model’s likeliest next tokens match those that the rules allow, measured by R-precision.',
    source: SPLAT,
  },
  {
    term: 'LgM',
    also: ['legal move'],
    alone: ['legal'],
    definition: 'Legal move: the share of prompts for which the model’s likeliest answer is one that the rules allow.',
    source: TESTBED,
  },
  {
    term: 'Loss',
    definition:
      'Cross-entropy in nats a token: the mean of the negative logarithm of the probability that the model gave the right token. Zero would be certainty.',
  },
  {
    term: 'Manifest',
    also: ['fingerprint'],
    definition:
      'The list of a set’s files with their checksums. Its hash names the set: a run that was trained on these games goes on with these alone.',
  },
  {
    term: 'Muon',
    definition:
      'An optimiser that moves each weight matrix in all its directions alike, by making the update orthogonal. A step learns more and costs more than one of AdamW.',
    source: 'Jordan 2024',
  },
  {
    term: 'No board',
    definition:
      'A baseline: for each start square, the destination most common in the training games. It sees no position, so a model above this line has begun to follow the board.',
  },
  {
    term: 'Path obstruction',
    definition: 'A wrong answer: the piece moves so, but another piece stands in the way.',
    source: TESTBED,
  },
  {
    term: 'Perplexity',
    definition:
      'Between how many equally likely moves or tokens the model hesitates on average: e to the power of the mean loss. Lower is better, and 1 is certainty. A perplexity a move counts each move once, however many tokens it takes.',
    source: TESTBED,
  },
  {
    term: 'Ply',
    also: ['plies'],
    definition: 'One move of one side. A move of White and the answer of Black are two plies.',
  },
  {
    term: 'Pre-training',
    also: ['pre-trained'],
    definition: 'The first training, on whole games, before anything is asked.',
    source: SPLAT,
  },
  {
    term: 'Prefix',
    also: ['prefixes'],
    definition: 'The beginning of a game, up to where a question is asked.',
    source: TESTBED,
  },
  {
    term: 'Pseudo legal',
    definition: 'A wrong answer: the piece could go there, but the king would be left in check.',
    source: TESTBED,
  },
  {
    term: 'R-precision',
    also: ['R-prec'],
    definition:
      'Where n answers are right, the share of the model’s n likeliest tokens that are among them, over the whole vocabulary.',
    source: TESTBED,
  },
  {
    term: 'Random answers',
    definition:
      'A baseline: for legal verbs a random order of all tokens, for a question the right answer of another question of its kind.',
  },
  {
    term: 'Random legal',
    also: ['random legal, exact'],
    definition:
      'A baseline: the share of exact answers that is expected when one of the legal answers is drawn at random. Drawing a legal answer requires knowing the board, and every answer drawn would be legal.',
    source: TESTBED,
  },
  {
    term: 'RAP',
    also: ['UCI + RAP'],
    definition:
      'Randomly annotated pieces: in training, the letter of the piece stands before a share of the moves, “RAP 15” before 15%. The model can then be asked where a kind of piece stands.',
    source: TESTBED,
  },
  {
    term: 'Self-play',
    definition:
      'The model plays both sides, drawing each move from its own probabilities. What counts is how many games end without an illegal move.',
    source: 'Karvonen 2024',
  },
  {
    term: 'Slot',
    also: ['slots', 'spelling'],
    definition:
      'Where a token stands within its move, and whose move it is. Counting tokens is enough to know both. A model with slots reads this hint beside every token; it says nothing about the board.',
  },
  {
    term: 'Start-Actual',
    definition:
      'The prompt ends with the letter of the piece that really moved, and the model says from which square one of that kind can move.',
    source: TESTBED,
  },
  {
    term: 'Start-Other',
    definition:
      'The prompt ends with the letter of another piece that could have moved. No such move was played, so there is no exact answer.',
    source: TESTBED,
  },
  {
    term: 'Surprisal',
    definition:
      'How unexpected a token is to a model, in bits: the logarithm to base 2 of one over its probability. That of a region is the sum over its tokens.',
  },
  {
    term: 'Syntax',
    definition: 'A wrong answer: a piece of another kind could go there, but not the kind that stands on the square.',
    source: TESTBED,
  },
  {
    term: 'Temperature',
    definition:
      'How boldly a sample is taken: at 1 from the model’s own probabilities, below 1 nearer to its likeliest token, at 0 always that one.',
  },
  {
    term: 'UCI',
    definition: 'A move as its start square and its end square: e2e4. A model reads each square as one token.',
    source: TESTBED,
  },
  {
    term: 'Unreachable',
    definition: 'A wrong answer: no piece at all could go there from the start square, even on an empty board.',
    source: TESTBED,
  },
  {
    term: 'Who’s winning',
    definition: 'A question about which side is ahead: by the value of the pieces in chess, by the score in baseball.',
    source: SPLAT,
  },
];
