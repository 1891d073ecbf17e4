import type { Lesson } from '../lesson.ts';

export const rules: Lesson = {
  id: 'rules',
  title: 'Which rule is hardest?',
  goal: 'Test single rules of chess with pairs of games that differ in one respect, as linguists test grammar.',
  minutes: 10,
  steps: [
    {
      title: 'Minimal pairs',
      text: [
        'To test whether someone knows a rule of grammar, linguists compare two sentences that differ only in that rule: “the dogs bark” and “the dogs barks”. Someone who knows the rule finds the second more surprising.',
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
            why: 'The model could be reacting to any other difference.',
          },
          { text: 'To keep them short.', why: 'Length does not matter here.' },
          { text: 'Because the model reads only two.', why: 'It reads each one by itself.' },
        ],
      },
    },
    {
      title: 'Ask the shipped model',
      text: [
        'Press “Ask the shipped model”. It reads every pair of every suite, which takes a few minutes. The first results appear at once.',
      ],
      look: 'The share of pairs in which the model found the forbidden move more surprising. Chance gives half.',
      place: { hash: '#/suites' },
      check: {
        question: 'The model gets 52% of the 200 pairs in a suite right. What does it know about that rule?',
        answers: [
          { text: 'Half of it', why: 'Guessing gives half.' },
          {
            text: 'Nothing that this test can show',
            right: true,
            why: 'Tossing a coin gives 104 of 200 or more about three times in ten.',
          },
          { text: 'Most of it', why: 'Most would be near 100%.' },
        ],
      },
    },
    {
      title: 'Read the items',
      text: [
        'Open the suite with the lowest score, and then an item that the model got wrong. The boards show both games.',
      ],
      look: 'What is forbidden in one and allowed in the other, and what the model must remember to tell them apart.',
      place: { hash: '#/suites' },
      check: {
        question:
          'Castling is forbidden once the king has moved, even if it has moved back. What must the model remember?',
        answers: [
          { text: 'Where the king stands', why: 'The board is the same as before it moved.' },
          {
            text: 'Something that no picture of the board shows',
            right: true,
            why: 'The history of the game counts, not just the position.',
          },
          { text: 'Whose turn it is', why: 'It must know that too, but it is not enough.' },
        ],
      },
    },
  ],
  discussion: [
    'Sort the rules by the model’s score. Does the order follow how rarely a rule matters in games, or how much must be remembered?',
    'Write a suite of your own for one rule of a language you speak.',
  ],
};
