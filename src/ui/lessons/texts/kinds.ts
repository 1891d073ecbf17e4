import type { Lesson } from '../lesson.ts';

export const kinds: Lesson = {
  id: 'kinds',
  title: 'Transformer or LSTM?',
  goal: 'You train two kinds of model on the same games for the same number of steps, and compare what each can keep track of.',
  minutes: 12,
  steps: [
    {
      title: 'Two ways to remember',
      text: [
        'An LSTM reads from left to right and keeps one memory of fixed size: everything it knows of the game must fit into it. A transformer can look back at every token that it has read.',
        'Before you try: which will follow a chess game better, and where will the difference show?',
      ],
      look: 'The settings: a GPT-2 with 4 layers of 64, 800 steps.',
      place: {
        hash: '#/train',
        settings:
          'preset=gpt2-slots&model.layers=4&model.width=64&model.heads=4&schedule.steps=800&evaluation.every=100',
      },
      check: {
        question: 'A rook last moved 90 plies ago. What must each model do to know where it stands?',
        answers: [
          {
            text: 'The LSTM must have kept it in memory; the transformer can look back.',
            right: true,
            why: 'That is the difference between the two.',
          },
          { text: 'Both must have kept it in memory.', why: 'The transformer has the whole text before it.' },
          { text: 'Both can look back.', why: 'The LSTM has only its memory.' },
        ],
      },
    },
    {
      title: 'Train the transformer',
      text: [
        'Press “Train” and note three numbers at the end: the seconds, the legal share after 5 to 50 plies, and the one after 51 to 100.',
      ],
      look: 'The chart for both lengths.',
      place: { hash: '#/train' },
      sign: { steps: 'all' },
      check: {
        question: 'What must be equal for a fair comparison of two kinds?',
        answers: [
          { text: 'The number of layers', why: 'A layer of one kind does other work than one of the other.' },
          {
            text: 'Either the time, the computation or the number of parameters; and one says which.',
            right: true,
            why: 'Each is fair in its own way, and the answer may differ.',
          },
          { text: 'Nothing, the better one wins.', why: 'A larger or longer trained model wins for that alone.' },
        ],
      },
    },
    {
      title: 'Train the LSTM',
      text: [
        'The form now holds an LSTM with about as many parameters. Press “Train” again, and note the same three numbers.',
      ],
      look: 'How many seconds a step takes, and how far the two lengths lie apart.',
      place: {
        hash: '#/train',
        settings:
          'preset=gpt2-slots&model.kind=lstm&model.layers=2&model.width=112&schedule.steps=800&evaluation.every=100',
      },
      sign: { steps: 'all' },
      check: {
        question: 'The difference between the kinds is larger in one of the two lengths. Which would you expect?',
        answers: [
          { text: '5 to 50 plies', why: 'There is less to remember there.' },
          {
            text: '51 to 100 plies',
            right: true,
            why: 'The more moves, the more a memory of fixed size must hold. Do your numbers agree?.',
          },
          { text: 'None', why: 'Look at your numbers; and remember their intervals.' },
        ],
      },
    },
    {
      title: 'Measure both',
      text: [
        'A hundred questions leave an interval of some ten points either way. To be surer, measure both runs: choose one under “Model”, press “Ask”, then the other. The Compare page puts them side by side, with the paper’s own values.',
      ],
      look: 'Whether the intervals overlap.',
      place: { hash: '#/probe/testbed' },
      check: {
        question: 'One model has 42.5 ± 10 and the other 36 ± 10. What may you say?',
        answers: [
          { text: 'The first is better.', why: 'The intervals overlap widely: chance could turn it round.' },
          {
            text: 'That it cannot be told yet; more questions or more runs are needed.',
            right: true,
            why: 'Four times the questions halve the interval.',
          },
          { text: 'They are equal.', why: 'Not seeing a difference is not seeing that there is none.' },
        ],
      },
    },
  ],
  discussion: [
    'Your comparison held the number of steps equal. Would equal time have changed the winner?',
    'In the paper of Toshniwal et al., Table 7, GPT-2 ends 74% of the moves legally after long prefixes where it read 15,000 games, and the LSTM 60%; where they read 200,000 games, 98% and 93%. What do you think brings them together?',
  ],
};
