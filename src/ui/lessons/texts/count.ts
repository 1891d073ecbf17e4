import type { Lesson } from '../lesson.ts';

export const count: Lesson = {
  id: 'count',
  title: 'Baseball: what is the count?',
  goal: 'Train a model on the events of baseball games, and find out whether it keeps track of balls, strikes and outs.',
  minutes: 12,
  steps: [
    {
      title: 'Another world in words',
      text: [
        'Here the text lists what happens on the field in words: a new batter, ball, strike, foul, out. Nobody tells the model that three strikes make an out or that there are bases.',
        'Step through the game under the diamond with the arrow buttons.',
      ],
      look: 'After each word, the diamond shows the balls, strikes, outs and runners that result.',
      place: { hash: '#/train', settings: 'domain=baseball' },
      check: {
        question: 'A batter has three balls, and the next word is “ball”. What must follow?',
        answers: [
          {
            text: 'The batter walks to first base.',
            right: true,
            why: 'The fourth ball is a walk; the game cannot go on in any other way.',
          },
          { text: 'A new inning', why: 'That takes three outs.' },
          {
            text: 'Anything may follow.',
            why: 'Usually several words may follow. After the fourth ball only one can.',
          },
        ],
      },
    },
    {
      title: 'Train it',
      text: [
        'Press “Train”. It takes a few minutes. You can keep stepping through the game while it learns; its guesses for the next word appear under the diamond.',
      ],
      look: 'Its guesses just after the second strike and just after the third.',
      place: { hash: '#/train' },
      sign: { steps: 200 },
      check: {
        question: 'Which of these shows that it counts strikes?',
        answers: [
          { text: 'It expects “strike” often.', why: 'Strikes are common; a simple table knows that.' },
          {
            text: 'It expects an out after a third strike but not after a second.',
            right: true,
            why: 'The words just before are the same; only the count is different.',
          },
          { text: 'It never writes a word that does not exist.', why: 'That is spelling.' },
        ],
      },
    },
    {
      title: 'How often is it allowed?',
      text: [
        'The chart shows how often the word that it finds most likely is allowed by the rules, compared with a random word.',
      ],
      look: 'The milestones: when does it beat random words?',
      place: { hash: '#/train' },
      sign: { steps: 400 },
      check: {
        question: 'Which of these can a model get right without counting?',
        answers: [
          { text: 'That a new batter has a number', right: true, why: 'The number always follows the same word.' },
          {
            text: 'That the third out ends the half inning',
            why: 'It must have counted two others, perhaps long before.',
          },
          { text: 'That the fourth ball is a walk', why: 'It must have counted three others.' },
        ],
      },
    },
    {
      title: 'What it believes',
      text: [
        'The Probe page asks the run what it believes about the state of the game: open “State”, choose a game and press the button. Its answers appear beside the true state.',
        'A run that has read only games must first learn to answer questions; the page says how.',
      ],
      look: 'Which part of the state does it track best: balls, strikes, outs, the runners or the score?',
      place: { hash: '#/probe/state' },
      check: {
        question: 'Which should be hardest to keep track of?',
        answers: [
          { text: 'Balls and strikes', why: 'They start again with every batter.' },
          { text: 'Outs', why: 'They start again with every half inning.' },
          { text: 'The score', right: true, why: 'It adds up over the whole game, and no word states it.' },
        ],
      },
    },
  ],
  discussion: [
    'Which rule of baseball would you test next, and which two lines of events would show it?',
    'The text is full of balls and strikes, and home runs are rare. How does that affect what is learned first?',
  ],
};
