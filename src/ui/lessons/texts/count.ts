import type { Lesson } from '../lesson.ts';

export const count: Lesson = {
  id: 'count',
  title: 'Baseball: what is the count?',
  goal: 'You train a model on the events of baseball games and find out whether it keeps balls, strikes and outs.',
  minutes: 12,
  steps: [
    {
      title: 'Another world in words',
      text: [
        'Here the text is what happens on the field, as words: a new batter, ball, strike, foul, out. Nobody tells the model that three strikes are an out or that there are bases.',
        'Step through the game under the diamond with the arrow buttons.',
      ],
      look: 'After each word the diamond shows what follows from it: balls, strikes, outs, runners.',
      place: { hash: '#/train', settings: 'domain=baseball' },
      check: {
        question: 'A batter has three balls, and the next word is “ball”. What must follow?',
        answers: [
          {
            text: 'The batter walks to first base.',
            right: true,
            why: 'The fourth ball is a walk; the game cannot go on otherwise.',
          },
          { text: 'A new inning', why: 'That takes three outs.' },
          {
            text: 'Anything may follow.',
            why: 'Most of the time several words may follow; after the fourth ball it is forced.',
          },
        ],
      },
    },
    {
      title: 'Train it',
      text: [
        'Press “Train”. It takes some minutes; you may go on stepping through the game while it learns, and its guesses for the next word appear under the diamond.',
      ],
      look: 'Its guesses just after the second strike and just after the third.',
      place: { hash: '#/train' },
      sign: { steps: 200 },
      check: {
        question: 'Which of its guesses shows that it counts strikes?',
        answers: [
          { text: 'It expects “strike” often.', why: 'Strikes are frequent; a table knows that.' },
          {
            text: 'After a third strike it expects an out, after a second it does not.',
            right: true,
            why: 'The words just before are the same; only the count differs.',
          },
          { text: 'It never writes a word that does not exist.', why: 'That is spelling.' },
        ],
      },
    },
    {
      title: 'How often is it allowed?',
      text: [
        'The chart shows how often its most likely word is one that the rules allow, beside the words of a random one.',
      ],
      look: 'The milestones: when does it beat random words?',
      place: { hash: '#/train' },
      sign: { steps: 400 },
      check: {
        question: 'Which of these may a model get right without a count?',
        answers: [
          { text: 'That a new batter has a number', right: true, why: 'It always follows the same word.' },
          {
            text: 'That the third out ends the half inning',
            why: 'It must have counted two others, some of them long ago.',
          },
          { text: 'That the fourth ball is a walk', why: 'It must have counted three others.' },
        ],
      },
    },
    {
      title: 'What it believes',
      text: [
        'The Probe page asks the run what it believes about the state of the game: open “State”, choose a game and press the button. Its answers stand beside the truth.',
        'A run that has read games alone must first be taught the questions: the page says how.',
      ],
      look: 'Which part of the state does it keep best: balls, strikes, outs, the runners or the score?',
      place: { hash: '#/probe/state' },
      check: {
        question: 'Which should be hardest to keep?',
        answers: [
          { text: 'Balls and strikes', why: 'They begin anew with every batter.' },
          { text: 'Outs', why: 'They begin anew with every half inning.' },
          { text: 'The score', right: true, why: 'It is the sum of the whole game, and no word says it.' },
        ],
      },
    },
  ],
  discussion: [
    'Which rule of baseball would you test next, and which two lines of events would show it?',
    'Balls and strikes fill the text, home runs are rare. What does that do to what is learned first?',
  ],
};
