import type { Lesson } from '../lesson.ts';

export const ownGames: Lesson = {
  id: 'own-games',
  title: 'Your own games',
  goal: 'You train on games that you bring, and find out which of your habits a model picks up.',
  minutes: 12,
  needs:
    'A file of your own games, or your club’s: PGN from any chess site or program. A few hundred are good, fifty will do.',
  steps: [
    {
      title: 'What it reads now',
      text: [
        'The embedded games were played by an engine against itself. Some are kept apart: those that perplexity is measured on, and those that questions are made from.',
      ],
      look: 'The numbers of games to train on and held out, and how long the games are.',
      place: { hash: '#/data', settings: 'preset=nano' },
      check: {
        question: 'Why are some games held out?',
        answers: [
          {
            text: 'To see what the model knows beyond what it could have learned by heart.',
            right: true,
            why: 'On games that it read, it might only remember.',
          },
          { text: 'To save time.', why: 'A thousand games more would take little longer.' },
          { text: 'Because they are bad.', why: 'They are drawn at random.' },
        ],
      },
    },
    {
      title: 'Bring yours',
      text: [
        'Most sites export all your games as one PGN file. Drop it on the box, or choose it. Nothing leaves this device.',
        'Then press “Use for the next run” at the new set.',
      ],
      look: 'The report: how many games were read, and for what reason others were left out.',
      place: { hash: '#/data' },
      check: {
        question: 'A game with an illegal move is left out. Why not read it up to there?',
        answers: [
          {
            text: 'Something in it is wrong, and nobody knows where it began.',
            right: true,
            why: 'A misread move may come to light only plies later.',
          },
          { text: 'It would be too short.', why: 'It might be long enough.' },
          { text: 'The model refuses it.', why: 'The model reads any tokens; the lab checks.' },
        ],
      },
    },
    {
      title: 'Train on them',
      text: ['Go on with “Train”. With few games the model reads each of them many times.'],
      look: 'Training loss against perplexity on held-out games: if the first falls while the second rises, it learns by heart.',
      place: { hash: '#/train' },
      sign: { steps: 300 },
      check: {
        question: 'The loss still falls, and perplexity on held-out games rises. What is going on?',
        answers: [
          {
            text: 'Overfitting: it remembers these games and gets worse on others.',
            right: true,
            why: 'More games, fewer steps or a smaller model help.',
          },
          { text: 'It learns the rules.', why: 'Then it would get better on other games, too.' },
          { text: 'An error of measurement', why: 'The two can go apart, and often do with few games.' },
        ],
      },
    },
    {
      title: 'Your opening',
      text: ['Play the first moves of your favourite opening on the board, and see what the model expects next.'],
      look: 'Does it answer as your opponents do? Play one unusual move, and ask again.',
      place: { hash: '#/train' },
      check: {
        question: 'It expects your usual move with 80%. What does it know?',
        answers: [
          {
            text: 'Your habit',
            right: true,
            why: 'It has counted well. Whether it knows the board, only a position off the habit can tell.',
          },
          { text: 'That the move is good', why: 'It learned what is played, not what wins.' },
          { text: 'Where all your pieces are', why: 'In an opening that it has read often it need not.' },
        ],
      },
    },
  ],
  discussion: [
    'Which of your habits did the model pick up, and how could you tell a habit from an understanding of the position?',
    'Would you publish a model trained on your games? What could somebody find out from it?',
  ],
};
