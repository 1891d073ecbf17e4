import type { Lesson } from '../lesson.ts';

export const rules: Lesson = {
  id: 'rules',
  title: 'Which rule is hardest?',
  goal: 'You test single rules of chess by pairs of games that differ in one respect, as linguists test grammar.',
  minutes: 10,
  steps: [
    {
      title: 'Minimal pairs',
      text: [
        'To test whether somebody knows a rule of grammar, one compares two sentences that differ in it alone: “the dogs bark”, “the dogs barks”. Who knows the rule finds the second more surprising.',
        'Each suite here does that for a rule of chess, with 200 pairs.',
      ],
      look: 'The list of rules. Which do you think is learned last?',
      place: { hash: '#/suites' },
      check: {
        question: 'Why must the two sentences differ in one respect only?',
        answers: [
          {
            text: 'So that nothing but the rule can explain a difference.',
            right: true,
            why: 'Any other difference could be what the model reacts to.',
          },
          { text: 'To keep them short.', why: 'Length is not the point.' },
          { text: 'Because the model reads only two.', why: 'It reads each by itself.' },
        ],
      },
    },
    {
      title: 'Ask the shipped model',
      text: [
        'Press “Ask the shipped model”. It reads all pairs of all suites, which takes some minutes; the first results come at once.',
      ],
      look: 'The share of pairs in which the forbidden move was the more surprising one. Half is chance.',
      place: { hash: '#/suites' },
      check: {
        question: 'A suite comes out at 52% of 200 pairs. What does the model know of that rule?',
        answers: [
          { text: 'Half of it', why: 'Guessing gives half.' },
          {
            text: 'Nothing that this test can show',
            right: true,
            why: '52 of 100 lies well within what a coin gives.',
          },
          { text: 'Most of it', why: 'Most would be near 100%.' },
        ],
      },
    },
    {
      title: 'Read the items',
      text: [
        'Open the suite with the lowest score, and in it an item that the model got wrong. The boards show both games.',
      ],
      look: 'What is forbidden in the one and allowed in the other, and what the model must remember to see it.',
      place: { hash: '#/suites' },
      check: {
        question:
          'Castling is forbidden after the king has moved, even if it has gone back. What must a model remember?',
        answers: [
          { text: 'Where the king stands', why: 'The board is the same as before it moved.' },
          {
            text: 'Something that no picture of the board shows',
            right: true,
            why: 'The history counts, not the position alone.',
          },
          { text: 'Whose turn it is', why: 'That, too; but it is not enough.' },
        ],
      },
    },
  ],
  discussion: [
    'Order the rules by the model’s score. Does the order follow how rare a rule is in games, or how much must be remembered?',
    'Write a suite of your own for one rule of a language you speak.',
  ],
};
