import type { Lesson } from '../lesson.ts';

export const firstMinute: Lesson = {
  id: 'first-minute',
  title: 'What does it know after thirty seconds?',
  goal: 'Watch a model learn chess from text alone, and decide at each moment what it knows and what it merely imitates.',
  minutes: 10,
  steps: [
    {
      title: 'A text, not a board',
      text: [
        'The model reads games written as squares: “e2 e4 e7 e5” means that a piece went from e2 to e4 and another from e7 to e5. It never sees a board, the pieces or the rules.',
        'The board shows what a model that was trained for hours answers to the question under it: where does the bishop on f1 go?',
      ],
      look: 'The darker the square, the more likely the model thinks it is. A ring marks a square that the rules allow.',
      place: { hash: '#/train', settings: 'preset=nano' },
      check: {
        question: 'A square is dark but has no ring. What does that mean?',
        answers: [
          {
            text: 'The model favours an illegal move.',
            right: true,
            why: 'Colour shows what the model thinks; rings show the rules.',
          },
          { text: 'The move is legal but bad.', why: 'Every legal square has a ring, good or bad.' },
          {
            text: 'Nothing: the rings appear later.',
            why: 'The rings are drawn at once. They come from the rules, not from the model.',
          },
        ],
      },
    },
    {
      title: 'Train one of your own',
      text: [
        'Press “Train”. A new model, with random weights, replaces the trained one and starts reading games. All of the work is done on this device.',
      ],
      look: 'The first answers on the board: nearly every square is as likely as any other.',
      place: { hash: '#/train' },
      sign: { steps: 1 },
      check: {
        question: 'The text has about 80 different tokens. How likely is each of them to an untrained model?',
        answers: [
          {
            text: 'About 1 in 80.',
            right: true,
            why: 'It has no reason to prefer any. Its perplexity is then about 80.',
          },
          {
            text: 'About 1 in 30, the number of legal moves.',
            why: 'It would have to know the rules to rule out the others.',
          },
          {
            text: 'Zero, since it knows nothing.',
            why: 'Probabilities add up to one. A model that knows nothing spreads them evenly.',
          },
        ],
      },
    },
    {
      title: 'Thirty seconds later',
      text: [
        'The large sentence above the curves says how far the model has come. The numbers in circles mark where it reached each milestone.',
        'The first milestone is spelling: after a square comes a square. The second says more: the model beats a table that merely counts which square follows which, and so has no board.',
      ],
      look: 'The dotted line “no board”. Is the green curve above it, including its whole shaded interval?',
      place: { hash: '#/train' },
      sign: { steps: 700 },
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
            why: 'Whatever the table cannot know, the model must have learned from earlier moves.',
          },
          { text: 'A falling loss', why: 'Spelling and habits of play lower the loss too.' },
        ],
      },
    },
    {
      title: 'Ask it yourself',
      text: [
        'Click a piece on the large board to ask the model where that piece goes. Try a knight, then a bishop or a rook with pieces in its way. Then play a few moves by dragging, and ask again.',
      ],
      look: 'The line under the answers: how much of the model’s probability is on legal squares.',
      place: { hash: '#/train' },
      check: {
        question: 'For which pieces must the model know where the others are?',
        answers: [
          { text: 'Knights', why: 'They jump. Only a piece of their own colour on the target square can stop them.' },
          {
            text: 'Bishops, rooks and queens',
            right: true,
            why: 'Other pieces block their lines, and the blocks change with every move.',
          },
          {
            text: 'None, the shape of the move is enough.',
            why: 'The shape only says where the piece could go on an empty board.',
          },
        ],
      },
    },
    {
      title: 'Kinds of errors',
      text: [
        'Each wrong answer has a name. “Unreachable”: no piece of any kind could get there from that square, even on an empty board. “Syntax”: a piece of another kind could, but not this one. “Path obstruction”: something stands in the way. “Pseudo legal”: the piece could go there, but its king would be in check.',
      ],
      look: 'The reasons in rust beside the answers. Which kind is most common now, and which was most common at the start?',
      place: { hash: '#/train' },
      check: {
        question: 'The model moves a bishop from f1 to h3, but one of its own pawns is on g2. Which error is that?',
        answers: [
          { text: 'Unreachable', why: 'On an empty board the bishop could reach h3.' },
          { text: 'Path obstruction', right: true, why: 'The diagonal is right, but the pawn on g2 blocks it.' },
          { text: 'Pseudo legal', why: 'That is a move whose only fault is that it leaves the king in check.' },
        ],
      },
    },
    {
      title: 'The same question, before and after',
      text: [
        'When the run is over, the small boards show its answers to one question as it learned: where can a rook go that is hemmed in by other pieces? Only a model that knows where they are can answer.',
      ],
      look: 'From board to board, the colour moves to the two open squares. How far did your model get, and how far did the trained one?',
      place: { hash: '#/train' },
      sign: { steps: 'all' },
      check: {
        question: 'Fewer answers are legal after 51 to 100 plies than after 5 to 50. Why?',
        answers: [
          {
            text: 'There are more moves to keep track of, and later positions have less in common.',
            right: true,
            why: 'Opening habits no longer help, and any mistake in the model’s picture of the board stays there.',
          },
          {
            text: 'The later questions are about different rules.',
            why: 'The question is the same: where does this piece go?',
          },
          { text: 'Later positions have fewer legal moves.', why: 'They often have more, because the board is open.' },
        ],
      },
    },
  ],
  discussion: [
    'At what point would you say that your model “knows” where the pieces are? What measurement would convince a sceptic?',
    'What does the model get right from habit alone? Describe a question that habit cannot answer.',
  ],
};
