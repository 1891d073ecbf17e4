import type { Lesson } from '../lesson.ts';

export const kinds: Lesson = {
  id: 'kinds',
  title: 'Transformer or LSTM?',
  goal: 'Train two kinds of model on the same games for the same number of steps, and compare what each can keep track of.',
  minutes: 12,
  steps: [
    {
      title: 'Two ways to remember',
      text: [
        'An LSTM reads from left to right and keeps one memory of fixed size, which must hold everything it knows about the game. A transformer can look back at every token it has read.',
        'Before you try it: which will follow a chess game better, and where will the difference show?',
      ],
      look: 'The settings: a GPT-2 with 4 layers of 64, 800 steps.',
      place: {
        hash: '#/train',
        settings:
          'preset=gpt2-slots&model.layers=4&model.width=64&model.heads=4&schedule.steps=800&evaluation.every=100',
      },
      check: {
        question: 'A rook last moved 90 plies ago. What must each model do to know where the rook is?',
        answers: [
          {
            text: 'The LSTM must have kept it in memory; the transformer can look back.',
            right: true,
            why: 'That is the difference between the two.',
          },
          { text: 'Both must have kept it in memory.', why: 'The transformer has the whole text before it.' },
          { text: 'Both can look back.', why: 'The LSTM has nothing but its memory.' },
        ],
      },
    },
    {
      title: 'Train the transformer',
      text: [
        'Press “Train” and write down three numbers at the end: the seconds, and the share of legal answers after 5 to 50 and after 51 to 100 plies.',
      ],
      look: 'The chart for both lengths.',
      place: { hash: '#/train' },
      sign: { steps: 'all' },
      check: {
        question: 'What must be equal for a fair comparison of two kinds?',
        answers: [
          { text: 'The number of layers', why: 'A layer of one kind does different work from a layer of the other.' },
          {
            text: 'Time, computation or the number of parameters, as long as one says which.',
            right: true,
            why: 'Each is fair in its own way, and each may give a different answer.',
          },
          {
            text: 'Nothing: the better one wins.',
            why: 'A model that is larger or trained for longer may win for that reason alone.',
          },
        ],
      },
    },
    {
      title: 'Train the LSTM',
      text: [
        'The form now holds an LSTM with about as many parameters. Press “Train” again, and write down the same three numbers.',
      ],
      look: 'How many seconds the run takes, and how far apart the two lengths are.',
      place: {
        hash: '#/train',
        settings:
          'preset=gpt2-slots&model.kind=lstm&model.layers=2&model.width=112&schedule.steps=800&evaluation.every=100',
      },
      sign: { steps: 'all' },
      check: {
        question: 'The two kinds differ more at one of the two lengths. Which one would you expect?',
        answers: [
          { text: '5 to 50 plies', why: 'There is less to remember there.' },
          {
            text: '51 to 100 plies',
            right: true,
            why: 'The more moves there are, the more a memory of fixed size must hold. Do your numbers agree?',
          },
          { text: 'None', why: 'Look at your numbers, and remember their intervals.' },
        ],
      },
    },
    {
      title: 'Measure both',
      text: [
        'A hundred questions leave an uncertainty of about ten points either way. To be more certain, measure both runs: choose one under “Model” and press “Ask”, then do the same with the other. The Compare page puts them side by side, with the paper’s own values.',
      ],
      look: 'Whether the intervals overlap.',
      place: { hash: '#/probe/testbed' },
      check: {
        question: 'One model has 42.5 ± 10 and the other 36 ± 10. What can you conclude?',
        answers: [
          {
            text: 'The first is better.',
            why: 'The intervals overlap widely: by chance alone it could be the other way round.',
          },
          {
            text: 'Nothing yet: more questions or more runs are needed.',
            right: true,
            why: 'Four times as many questions halve the interval.',
          },
          { text: 'They are equal.', why: 'Not seeing a difference does not show that there is none.' },
        ],
      },
    },
  ],
  discussion: [
    'You compared the two after the same number of steps. Would the winner be different after the same amount of time?',
    'In the paper of Toshniwal et al., Table 7, GPT-2 ends 74% of the moves legally after long prefixes where it read 15,000 games, and the LSTM 60%; where they read 200,000 games, 98% and 93%. Why do you think they come closer together?',
  ],
};
