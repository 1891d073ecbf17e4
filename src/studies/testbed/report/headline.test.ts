import { expect, it } from 'vitest';
import { assessment, set } from '../../../../fixtures/hand-made.ts';
import { testbedHeadline } from './headline.ts';

it('the headline is of the question that all compared models were asked', () => {
  const model = (name: string, sets = [set]): ReturnType<typeof assessment> => ({
    ...assessment({ name, steps: name.length }, sets),
  });
  const endsAlone = { ...set, answers: set.answers.filter(({ task }) => task === 'end-actual') };
  const both = testbedHeadline([model('a'), model('bb', [endsAlone])])!;
  expect(both.better).toBe('names a legal square for more of the pieces after 51 to 100 plies');
  expect(both.scores.map(({ name, value }) => [name, value])).toEqual([
    ['a', 50],
    ['bb', 50],
  ]);
  expect(both.scores[0].ci95![0]).toBeCloseTo(15.004, 2);
  expect(both.sameQuestions).toBe(true);
  expect(both.leftOut).toEqual([]);
  const short = testbedHeadline([model('a'), model('bb', [{ ...set, range: 'short' }])])!;
  expect(short.leftOut).toEqual([{ name: 'bb', why: 'it was not asked after 51 to 100 plies' }]);
  const fewer = { ...set, instances: set.instances.slice(0, 1), answers: set.answers.slice(0, 1) };
  expect(testbedHeadline([model('a', [endsAlone]), model('bb', [fewer])])!.sameQuestions).toBe(false);
  expect(testbedHeadline([])).toBeNull();
});
