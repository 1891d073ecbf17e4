import { expect, it } from 'vitest';
import { splatAssessment } from '../../fixtures/hand-made-splat.ts';
import { subject } from '../../fixtures/hand-made.ts';
import { listToy, toy } from '../../fixtures/toy-study.ts';
import { unwrap } from '../base/result.ts';
import { assessmentsFile, parseAssessments } from './assessments-file.ts';
import { splat } from './splat/study.ts';
import type { StoredStudy } from './studies.ts';

const read = (value: unknown) => parseAssessments(JSON.stringify(value), 'kept.json');

it('what is written is read again, with no games, one set or several', () => {
  const statistics = { games: 3, tokens: 200, meanTokens: 66.5, vocabulary: 4390, questions: null };
  const sets = ['one', 'two'].map((name) => ({ name, domain: 'chess', statistics }));
  for (const many of [0, 1, 2]) {
    const stored = { study: splat as StoredStudy, assessments: [splatAssessment()], games: sets.slice(0, many) };
    expect(unwrap(read(assessmentsFile(stored)))).toEqual(stored);
  }
});

it('a study of the list is known by its name, in the file or in the records of a device', () => {
  const takeOff = listToy();
  try {
    const assessment = { subject, game: '', answers: [{ token: 'e2', probability: 0.5 }] };
    const record = { id: 'a', study: 'toy', run: null, createdAt: 1, asked: { games: '' }, assessment };
    for (const written of [record, [record], { assessments: [record] }, { study: 'toy', assessments: [assessment] }])
      expect(unwrap(read(written))).toEqual({ study: toy, assessments: [assessment], games: [] });
    const damaged = { ...assessment, answers: [{ token: 'e2', probability: 2 }] };
    expect(read([{ ...record, assessment: damaged }])).toMatchObject({
      error: {
        code: 'bad-assessment',
        message: expect.stringMatching(/^kept\.json: assessments\.0\.answers\.0\.probability: /) as string,
      },
    });
  } finally {
    takeOff();
  }
  expect(read({ study: 'toy', assessments: [] })).toMatchObject({ error: { code: 'no-study' } });
});

it('what holds no assessments is refused', () => {
  for (const value of [3, null, {}, { assessments: 3 }, { splat: {} }])
    expect(read(value)).toMatchObject({ error: { code: 'bad-assessment' } });
});
