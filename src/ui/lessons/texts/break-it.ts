import type { Lesson } from '../lesson.ts';

export const breakIt: Lesson = {
  id: 'break-it',
  title: 'Break it',
  goal: 'Look for positions in which a good model fails, and learn why an average hides them.',
  minutes: 10,
  steps: [
    {
      title: 'Nearly always right',
      text: [
        'Asked about games between people, the shipped model names a legal square about 95 times in 100. It sounds as if it knows the game. In this lesson you are its opponent.',
      ],
      look: 'Ask it about any piece you like on the board. Can you find one it gets wrong?',
      place: { hash: '#/train', settings: 'preset=nano' },
      check: {
        question:
          'A model is right 99 times in 100. How likely is it to play a game of 80 plies without an illegal move?',
        answers: [
          { text: '99%', why: 'That is the chance for one ply. It has to be right 80 times in a row.' },
          { text: '45%', right: true, why: '0.99 to the power of 80 is 0.45.' },
          { text: '20%', why: 'That is roughly what 98 in 100 would give.' },
        ],
      },
    },
    {
      title: 'It plays alone',
      text: [
        'Let it play both sides of 10 games of at most 60 plies, and press “Ask”. Nothing corrects it, and the first illegal move ends the game.',
      ],
      look: 'The share of games without an illegal move, and its interval. Open a game: at which ply does it fail?',
      place: { hash: '#/probe/self-play' },
      check: {
        question:
          'At temperature 0 the model always picks its most likely token. Why does each game still start from the moves of a real one?',
        answers: [
          {
            text: 'Otherwise every game would be the same.',
            right: true,
            why: 'Without randomness it would play the same game a hundred times.',
          },
          { text: 'The model cannot begin a game.', why: 'It can: openings are what it has seen most often.' },
          { text: 'To make it harder.', why: 'It may make it harder, but that is not the reason.' },
        ],
      },
    },
    {
      title: 'Under attack',
      text: [
        'Now opponents try to make it break the rules while playing only legal moves themselves. Ask for 5 games against each opponent.',
      ],
      look: 'Which opponent succeeds most often: the random one, the one that plays the move the model thinks least likely, or the one that searches for its errors?',
      place: { hash: '#/probe/soundness' },
      check: {
        question: 'Why are strange moves so effective?',
        answers: [
          {
            text: 'The positions become unlike those in the games it read, so habits no longer help.',
            right: true,
            why: 'Then only a model that really keeps track of the board answers legally.',
          },
          { text: 'Different rules apply to them.', why: 'Every move is legal; the rules are the same.' },
          { text: 'The model gets tired.', why: 'Its weights are the same at every move.' },
        ],
      },
    },
    {
      title: 'Change one thing',
      text: [
        'Write a prefix that ends with the square of a bishop, rook or queen, choose “Remove a piece”, and remove one that stands in its way. The lab looks for other moves that lead to the same board without that piece, and asks the model about both.',
      ],
      look: 'Do the squares behind the removed piece open up, and does everything else stay the same?',
      place: { hash: '#/probe/what-if' },
      check: {
        question: 'The answers change where the piece was in the way, and nowhere else. What does that show?',
        answers: [
          {
            text: 'That its answers depend on where the piece is, as if it kept a board.',
            right: true,
            why: 'That is the strongest evidence that questions from outside can give.',
          },
          {
            text: 'That it stores a picture of the board.',
            why: 'How the model stores it cannot be seen from outside.',
          },
          {
            text: 'Nothing: the moves were different.',
            why: 'They were. That is why the lab looks for moves that differ as little as possible.',
          },
        ],
      },
    },
  ],
  discussion: [
    'You want to use a model where one error in a hundred is too many. Which of these tests would you ask for?',
    'Describe the trickiest position that you found. What did the model seem to believe?',
  ],
};
