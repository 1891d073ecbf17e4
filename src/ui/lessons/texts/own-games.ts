import type { Lesson } from '../lesson.ts';

export const ownGames: Lesson = {
  id: 'own-games',
  title: 'Your own games',
  goal: 'Train on games of your own, and find out which of your habits a model picks up.',
  minutes: 12,
  needs:
    'a file of your own games, or your club’s: PGN from any chess site or program. A few hundred games are good; fifty will do.',
  steps: [
    {
      title: 'What it reads now',
      text: [
        'The games that come with the lab were played by an engine against itself. Some are held out: perplexity is measured on them, and questions are made from them.',
      ],
      look: 'How many games are for training, how many are held out, and how long they are.',
      place: { hash: '#/data', settings: 'preset=nano' },
      check: {
        question: 'Why are some games held out?',
        answers: [
          {
            text: 'To see what the model knows beyond what it could have learned by heart.',
            right: true,
            why: 'On games it has read, it might simply remember.',
          },
          { text: 'To save time.', why: 'A thousand more games would take little longer.' },
          { text: 'Because they are bad.', why: 'They are drawn at random.' },
        ],
      },
    },
    {
      title: 'Bring yours',
      text: [
        'Most sites export all your games as one PGN file. Drop it on the box, or choose it. Nothing leaves this device.',
        'Then press “Use for the next run” beside the new set.',
      ],
      look: 'The report: how many games were read, and why others were left out.',
      place: { hash: '#/data' },
      check: {
        question: 'A game with an illegal move is left out. Why not read it up to there?',
        answers: [
          {
            text: 'Something in it is wrong, and nobody knows where the error began.',
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
      text: ['Now press “Train”. With few games, the model reads each of them many times.'],
      look: 'Training loss against perplexity on held-out games: if the first falls while the second rises, the model is learning games by heart.',
      place: { hash: '#/train' },
      sign: { steps: 600 },
      check: {
        question: 'The loss keeps falling, but perplexity on held-out games rises. What is going on?',
        answers: [
          {
            text: 'Overfitting: it memorizes these games and gets worse on others.',
            right: true,
            why: 'More games, fewer steps or a smaller model help.',
          },
          { text: 'It learns the rules.', why: 'Then it would get better on other games too.' },
          { text: 'A measurement error', why: 'The two can diverge, and often do when there are few games.' },
        ],
      },
    },
    {
      title: 'Your opening',
      text: ['Play the first moves of your favourite opening on the board, and see what the model expects next.'],
      look: 'Does it answer as your opponents do? Play one unusual move, and ask again.',
      place: { hash: '#/train' },
      check: {
        question: 'It gives your usual move 80%. What does it know?',
        answers: [
          {
            text: 'Your habit',
            right: true,
            why: 'It has counted well. Only an unusual position can show whether it knows the board.',
          },
          { text: 'That the move is good', why: 'It learned what is played, not what wins.' },
          {
            text: 'Where all your pieces are',
            why: 'In an opening that it has read many times, it does not need to know.',
          },
        ],
      },
    },
  ],
  discussion: [
    'Which of your habits did the model pick up, and how can you tell a habit from an understanding of the position?',
    'Would you publish a model trained on your games? What could someone find out from it?',
  ],
};
