import type { Lesson } from '../lesson.ts';

export const firstMinute: Lesson = {
  id: 'first-minute',
  title: 'What does it know after thirty seconds?',
  goal: 'You watch a model learn chess from text alone, and say at each moment what it knows and what it only imitates.',
  minutes: 10,
  steps: [
    {
      title: 'A text, not a board',
      text: [
        'The model reads games written as squares: “e2 e4 e7 e5” means that a piece went from e2 to e4 and another from e7 to e5. It never sees a board, the pieces or the rules.',
        'On the right a model that was trained for hours answers the question under the board: where does the bishop on f1 go?',
      ],
      look: 'The darker a square, the likelier the model finds it. A ring marks a square that the rules allow.',
      place: { hash: '#/train', settings: 'preset=nano' },
      check: {
        question: 'A square is dark and has no ring. What has happened?',
        answers: [
          {
            text: 'The model likes a move that is illegal.',
            right: true,
            why: 'Colour is the model’s opinion, rings are the rules.',
          },
          { text: 'The move is legal but bad.', why: 'Every legal square has a ring, good or bad.' },
          {
            text: 'Nothing: rings come later.',
            why: 'Rings are drawn at once; they come from the rules, not from the model.',
          },
        ],
      },
    },
    {
      title: 'Train one of your own',
      text: [
        'Press “Train”. A new model, with random weights, takes the place of the trained one and begins to read games. It works on this device alone.',
      ],
      look: 'The first answers on the board: nearly every square is as likely as any other.',
      place: { hash: '#/train' },
      sign: { steps: 1 },
      check: {
        question: 'The text has about 80 different tokens. How likely does an untrained model find each?',
        answers: [
          {
            text: 'About 1 in 80.',
            right: true,
            why: 'It has no reason to prefer any. Its perplexity is then about 80.',
          },
          {
            text: 'About 1 in 30, the number of legal moves.',
            why: 'It would need the rules to leave out the others.',
          },
          {
            text: 'Zero, since it knows nothing.',
            why: 'Probabilities sum to one: who knows nothing spreads them evenly.',
          },
        ],
      },
    },
    {
      title: 'Thirty seconds later',
      text: [
        'The large sentence above the curves says what the model has come to. Numbers in circles mark where each milestone was reached.',
        'The first milestone is spelling: after a square comes a square. The second says more: the model does better than a table that counts which square follows which, and has no board.',
      ],
      look: 'The dotted line “no board”. Does the green curve lie above it, with its whole shaded interval?',
      place: { hash: '#/train' },
      sign: { steps: 300 },
      check: {
        question: 'Which milestone is the first sign that the model follows the game?',
        answers: [
          {
            text: '“spells moves”',
            why: 'Spelling needs no board: after the first square of a move comes the second.',
          },
          {
            text: '“beats a table without a board”',
            right: true,
            why: 'What the table cannot know, the model must have from the moves before.',
          },
          { text: 'A falling loss', why: 'The loss falls from spelling and from habits of play, too.' },
        ],
      },
    },
    {
      title: 'Ask it yourself',
      text: [
        'Click a piece on the large board; the model is asked where that piece goes. Try a knight, then a bishop or a rook with pieces in its way. Then play a few moves by dragging, and ask again.',
      ],
      look: 'The line under the answers: the share of its probability that lies on legal squares.',
      place: { hash: '#/train' },
      check: {
        question: 'For which pieces must a model know where the others stand?',
        answers: [
          { text: 'Knights', why: 'They jump; only their target may not hold a piece of their own colour.' },
          {
            text: 'Bishops, rooks and queens',
            right: true,
            why: 'Other pieces close their lines, and these change with every move.',
          },
          {
            text: 'None, the shape of the move is enough.',
            why: 'The shape says where a piece could go on an empty board.',
          },
        ],
      },
    },
    {
      title: 'Kinds of errors',
      text: [
        'Each wrong answer has a name. “Syntax”: it is no square at all. “Unreachable”: no such piece goes there, even on an empty board. “Path obstruction”: something stands in the way. “Pseudo legal”: the piece could go there, but its king would be in check.',
      ],
      look: 'The reasons in rust beside the answers. Which kind is most frequent now, and which was at the start?',
      place: { hash: '#/train' },
      check: {
        question: 'A bishop on f1 is said to go to h3, and a pawn of its own stands on g2. Which error is it?',
        answers: [
          { text: 'Unreachable', why: 'On an empty board the bishop reaches h3.' },
          { text: 'Path obstruction', right: true, why: 'The diagonal is right, the pawn on g2 closes it.' },
          { text: 'Pseudo legal', why: 'That would be a move that only leaves the king in check.' },
        ],
      },
    },
    {
      title: 'The same question, before and after',
      text: [
        'When the run is over, the small boards show one question as the model learned: a rook that other pieces close in. Only who knows where they stand can answer it.',
      ],
      look: 'From board to board, the colour gathers on the two open squares. How far has your model come, and how far the trained one?',
      place: { hash: '#/train' },
      sign: { steps: 'all' },
      check: {
        question: 'After 51 to 100 plies fewer answers are legal than after 5 to 50. Why?',
        answers: [
          {
            text: 'There are more moves to follow, and late positions are less alike.',
            right: true,
            why: 'Habits of the opening no longer help; each error of the board it keeps stays.',
          },
          {
            text: 'The late questions are about other rules.',
            why: 'The question is the same: where does this piece go?.',
          },
          { text: 'Late positions have fewer legal moves.', why: 'Often they have more, since the board is open.' },
        ],
      },
    },
  ],
  discussion: [
    'At which moment would you say that your model “knows” where the pieces are? Which measurement would convince a doubter?',
    'What does the model get right from habit alone? Describe a question that habit cannot answer.',
  ],
};
