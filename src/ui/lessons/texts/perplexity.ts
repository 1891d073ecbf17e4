import type { Lesson } from '../lesson.ts';

export const perplexity: Lesson = {
  id: 'perplexity',
  title: 'Why is perplexity not enough?',
  goal: 'See how a model can guess the next word well and still not know the world that the text describes.',
  minutes: 10,
  steps: [
    {
      title: 'How unsure is it?',
      text: [
        'Language models are usually compared by perplexity: how many equally likely continuations the model chooses among, on average. Lower is better.',
        'It is cheap to measure and always available. This lesson asks what it leaves out.',
      ],
      look: 'The settings of the next run: a small model, 1,200 steps.',
      place: { hash: '#/train', settings: 'preset=nano&schedule.steps=1200&evaluation.every=100' },
      check: {
        question: 'On games it has never seen, a model has a perplexity of 10 per token. How unsure is it?',
        answers: [
          {
            text: 'As unsure as someone predicting the roll of a ten-sided die for each token.',
            right: true,
            why: 'That is what the number means, on average.',
          },
          {
            text: 'It gets ten tokens in a hundred wrong.',
            why: 'Perplexity measures how surprised it is, not how often it is wrong.',
          },
          { text: 'It knows ten moves.', why: 'It is an average over all tokens, easy and hard.' },
        ],
      },
    },
    {
      title: 'Two curves of one run',
      text: [
        'Press “Train” and follow two numbers: perplexity in the row of figures, and the share of legal answers in the chart. Switch the chart to “51 to 100 plies”.',
      ],
      look: 'Perplexity falls steeply in the first steps. Does the share of legal answers after long prefixes rise as soon?',
      place: { hash: '#/train' },
      sign: { steps: 600 },
      check: {
        question: 'What can a model learn in the first hundred steps that lowers perplexity without a board?',
        answers: [
          {
            text: 'Which squares are common, and that a square follows a square.',
            right: true,
            why: 'Counting is enough for that, and it explains most of the first fall.',
          },
          { text: 'Where the rooks stand.', why: 'For that it must follow the game.' },
          {
            text: 'Nothing: it falls for other reasons.',
            why: 'It falls because the model predicts something better. The question is what.',
          },
        ],
      },
    },
    {
      title: 'A floor under perplexity',
      text: [
        'Suppose that someone plays random legal moves, picking each of about 30 with equal chance. Even a model that knows the board and the rules perfectly cannot guess which one comes next.',
        'Ask the shipped model about such positions: tick “Random play too” and press “Ask”. It takes about a minute.',
      ],
      look: 'The rows for random play beside those for games: the share of legal answers there, where no habit helps.',
      place: { hash: '#/probe/testbed' },
      check: {
        question: 'What is the lowest perplexity per move that any model can reach on such games?',
        answers: [
          {
            text: '1, if it knows the rules.',
            why: 'The rules say which moves are allowed, not which one the die picks.',
          },
          { text: 'About 30.', right: true, why: 'It is as unsure as the die, and yet every answer can be legal.' },
          { text: 'About 80, the number of tokens.', why: 'That is a model that does not know the rules either.' },
        ],
      },
    },
    {
      title: 'When the two disagree',
      text: [
        'Two models were trained for this lab on the same three million tokens. The first reaches a perplexity of 29.7, the second 30.6.',
        'After long prefixes, the first completes 61% of the moves legally and finds 60% of the pieces. The second completes 64% and finds 65%.',
      ],
      look: 'Perplexity favours one model; both other measures favour the other.',
      place: { hash: '#/train' },
      check: {
        question: 'Which of the two knows better where the pieces are?',
        answers: [
          {
            text: 'The first: its perplexity is lower.',
            why: 'It is slightly better at guessing which moves people play. That is a different question.',
          },
          { text: 'The second.', right: true, why: 'Asked about the board, it answers legally more often.' },
          {
            text: 'They are equally good.',
            why: 'Good point: four or five points could still be chance, and only repeating the training would tell. But both measures point to the second.',
          },
        ],
      },
    },
  ],
  discussion: [
    'A company claims that its model understands the world because it has the lowest perplexity. What would you ask it to measure?',
    'Name another kind of text whose world you could check the way the lab checks a chess board.',
  ],
};
