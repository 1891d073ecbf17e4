import type { Lesson } from '../lesson.ts';

export const perplexity: Lesson = {
  id: 'perplexity',
  title: 'Why is perplexity not enough?',
  goal: 'You see that a model can guess the next word well and still not know the world that the text is about.',
  minutes: 10,
  steps: [
    {
      title: 'How unsure is it?',
      text: [
        'Language models are usually compared by perplexity: how many equally likely continuations the model chooses among, on average. Lower is better.',
        'The number is cheap and always at hand. This lesson asks what it leaves out.',
      ],
      look: 'The settings of the next run: a small model, 600 steps.',
      place: { hash: '#/train', settings: 'preset=nano&schedule.steps=600&evaluation.every=50' },
      check: {
        question: 'On games that it never saw, a model has a perplexity of 10 a token. How unsure is it?',
        answers: [
          {
            text: 'As somebody who rolls a ten-sided die for each token.',
            right: true,
            why: 'That is what the number means, on average.',
          },
          {
            text: 'It is wrong in ten of a hundred tokens.',
            why: 'Perplexity counts how surprised it is, not how often it errs.',
          },
          { text: 'It knows ten moves.', why: 'It is an average over all tokens, certain and uncertain ones.' },
        ],
      },
    },
    {
      title: 'Two curves of one run',
      text: [
        'Press “Train” and follow two numbers: perplexity in the line of figures, and the share of legal answers in the chart. Switch the chart to “51 to 100 plies”.',
      ],
      look: 'Perplexity falls steeply in the first steps. Does the legal share after long prefixes rise as soon?',
      place: { hash: '#/train' },
      sign: { steps: 300 },
      check: {
        question: 'What can a model learn in the first hundred steps that lowers perplexity and needs no board?',
        answers: [
          {
            text: 'Which squares are frequent, and that a square follows a square.',
            right: true,
            why: 'Counting is enough for that, and it is most of the first fall.',
          },
          { text: 'Where the rooks stand.', why: 'For that it must follow the game.' },
          {
            text: 'Nothing: it falls for other reasons.',
            why: 'It falls because the model predicts better; the question is what.',
          },
        ],
      },
    },
    {
      title: 'A floor under perplexity',
      text: [
        'Suppose that somebody plays legal moves at random, each of about 30 with the same chance. Even a model that knows board and rules perfectly cannot guess which comes next.',
        'Ask the shipped model about such positions: tick “Random play too” and press “Ask”. It takes about a minute.',
      ],
      look: 'The rows for random play beside those for games: the share of legal answers there, where no habit helps.',
      place: { hash: '#/probe/testbed' },
      check: {
        question: 'What is the lowest perplexity a move that any model can reach on such random games?',
        answers: [
          { text: '1, if it knows the rules.', why: 'The rules say what is allowed, not what the die says.' },
          { text: 'About 30.', right: true, why: 'It is as unsure as the die. And yet it can be legal every time.' },
          { text: 'About 80, the number of tokens.', why: 'That is a model that does not know the rules either.' },
        ],
      },
    },
    {
      title: 'When the two disagree',
      text: [
        'Two models were trained for this lab on the same three million tokens. The first reaches a perplexity of 29.7, the second 30.6.',
        'After long prefixes the first ends 61% of the moves legally and finds 60% of the pieces, the second 64% and 65%.',
      ],
      look: 'The difference of perplexity is in favour of one model, both others in favour of the other.',
      place: { hash: '#/train' },
      check: {
        question: 'Which of them knows better where the pieces are?',
        answers: [
          {
            text: 'The first: its perplexity is lower.',
            why: 'It guesses the moves that people play a little better. That is another question.',
          },
          { text: 'The second.', right: true, why: 'Asked about the board, it answers legally more often.' },
          {
            text: 'They are alike.',
            why: 'Four and five points in long games are more than chance for this many questions only if repeated: a good thing to ask. But the lean is to the second.',
          },
        ],
      },
    },
  ],
  discussion: [
    'A company says that its model understands the world because its perplexity is the lowest. What would you ask it to measure?',
    'Name a text other than chess whose world you could check as the lab checks a board.',
  ],
};
