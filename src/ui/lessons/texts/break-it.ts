import type { Lesson } from '../lesson.ts';

export const breakIt: Lesson = {
  id: 'break-it',
  title: 'Break it',
  goal: 'You look for the positions in which a good model fails, and learn why an average hides them.',
  minutes: 10,
  steps: [
    {
      title: 'Right nearly always',
      text: [
        'Asked about games of people, the shipped model names a legal square about 95 times in 100. That sounds as if it knew the game. In this lesson you are the opponent.',
      ],
      look: 'Ask it on the board about any piece you like. Do you find one where it errs?',
      place: { hash: '#/train', settings: 'preset=nano' },
      check: {
        question:
          'A model is right 99 times in 100. How likely is it to write a game of 80 plies without an illegal one?',
        answers: [
          { text: '99%', why: 'That is for one ply; it must be right 80 times in a row.' },
          { text: '45%', right: true, why: '0.99 multiplied by itself 80 times is 0.45.' },
          { text: '20%', why: 'That is about what 98 in 100 gives.' },
        ],
      },
    },
    {
      title: 'It plays alone',
      text: [
        'Let it play both sides of 10 games, to 60 plies at most, and press “Ask”. Nobody corrects it; the first illegal move ends a game.',
      ],
      look: 'The share of games without an illegal move, and its interval. Open a game: after which ply does it fail?',
      place: { hash: '#/probe/self-play' },
      check: {
        question:
          'At temperature 0 the model always takes its likeliest token. Why does each game still begin with moves of a real one?',
        answers: [
          {
            text: 'Otherwise all games would be the same game.',
            right: true,
            why: 'Without chance it plays one game a hundred times.',
          },
          { text: 'The model cannot begin a game.', why: 'It can: openings are what it has seen most.' },
          { text: 'To make it harder.', why: 'That may follow, but it is not the reason.' },
        ],
      },
    },
    {
      title: 'Under attack',
      text: ['Now opponents try to make it break the rules, by legal moves alone. Ask for 5 games for each opponent.'],
      look: 'Which opponent succeeds most often: the random one, the one that plays what the model finds least likely, or the one that looks for its errors?',
      place: { hash: '#/probe/soundness' },
      check: {
        question: 'Why do strange moves work so well?',
        answers: [
          {
            text: 'Positions become unlike those of the games it read, so that habits no longer help.',
            right: true,
            why: 'Then only a board that is really followed gives legal answers.',
          },
          { text: 'The rules are different for them.', why: 'All moves are legal; the rules are the same.' },
          { text: 'The model gets tired.', why: 'Its weights are the same at every move.' },
        ],
      },
    },
    {
      title: 'Change one thing',
      text: [
        'Write a prefix that ends with a bishop, rook or queen, and choose “Remove a piece”: one that stands in its way. The lab looks for other moves that lead to the same board without that piece, and asks the model both times.',
      ],
      look: 'Does the answer open up behind the removed piece, and does everything else stay as it was?',
      place: { hash: '#/probe/what-if' },
      check: {
        question: 'The answers change where the piece was in the way, and nowhere else. What does that tell?',
        answers: [
          {
            text: 'That its answers depend on the piece’s place, as if it kept a board.',
            right: true,
            why: 'It is the strongest evidence that asking from outside can give.',
          },
          { text: 'That it stores a picture of the board.', why: 'How it is stored cannot be seen from outside.' },
          {
            text: 'Nothing, the moves were different.',
            why: 'They were; that is why the comparison looks for as few differences as it can.',
          },
        ],
      },
    },
  ],
  discussion: [
    'You want to use a model where one error in a hundred is too much. Which of these tests would you ask for?',
    'Describe the most devious position that you found. What did the model seem to believe?',
  ],
};
