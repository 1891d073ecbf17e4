import { describe, expect, it } from 'vitest';
import { firstShared, headlineFigure, headlineSentence, type Headline, type HeadlineScore } from './headline.ts';

const headline = (...scores: HeadlineScore[]): Headline => ({
  title: 'pieces found',
  better: 'finds more of the pieces',
  scores,
  leftOut: [],
  sameQuestions: true,
});
const gpt: HeadlineScore = { name: 'GPT-2', value: 42.5, ci95: [39, 46], spread: null };
const lstm: HeadlineScore = { name: 'LSTM', value: 24, ci95: [22, 26], spread: null };

describe('the first answer of a comparison', () => {
  it('names the better model where its interval lies above the other, in whatever order they come', () => {
    const sentence =
      'Pieces found: GPT-2 42.5% (95% interval over the questions 39 to 46), LSTM 24.0% (22 to 26). GPT-2 finds more of the pieces.';
    expect(headlineSentence(headline(gpt, lstm))).toBe(sentence);
    expect(headlineSentence(headline(lstm, gpt))).toBe(sentence);
  });

  it('names none where intervals overlap or touch', () => {
    for (const low of [30, 46])
      expect(headlineSentence(headline(gpt, { name: 'RWKV', value: 50, ci95: [low, 60], spread: null }))).toContain(
        '. They cannot be told apart yet; ask more questions or train more seeds.',
      );
  });

  it('names none without intervals', () => {
    const sentence = headlineSentence(headline(gpt, { ...lstm, ci95: null }));
    expect(sentence).toContain('LSTM 24.0% (no interval). They cannot be told apart yet');
  });

  it('calls one of several the best only where it is above all, else says which are close', () => {
    expect(headlineSentence(headline(gpt, lstm, { ...lstm, name: 'Mamba' }))).toContain(
      '. GPT-2 finds more of the pieces than any of the others.',
    );
    expect(headlineSentence(headline(gpt, lstm, { ...gpt, name: 'RWKV' }))).toContain(
      '. GPT-2 and RWKV cannot be told apart yet',
    );
  });

  it('says of one model what it scored and claims nothing', () => {
    expect(headlineSentence(headline(gpt))).toBe(
      'Pieces found: GPT-2 42.5% (95% interval over the questions 39 to 46). Add another model to compare it with.',
    );
  });

  it('takes the first score that most models have, and none where there is none', () => {
    const [one, both, later] = [headline(gpt), headline(gpt, lstm), headline(lstm, gpt)];
    expect(firstShared([one, both, later])).toBe(both);
    expect(firstShared([headline()])).toBeNull();
    expect(firstShared([])).toBeNull();
  });

  it('begins with a capital, says whose questions differ, and which models are left out and why', () => {
    const text = headlineSentence({
      ...headline({ ...gpt, name: 'the shipped model' }, lstm),
      leftOut: [{ name: 'nano', why: 'it was not asked after 51 to 100 plies' }],
      sameQuestions: false,
    });
    expect(text).toMatch(/^Pieces found: the shipped model 42\.5% .*\. The shipped model finds more/);
    expect(text).toMatch(
      /pieces\. Not all of them were asked the same questions\. Nano is left out: it was not asked after 51 to 100 plies\.$/,
    );
  });

  it('counts the seeds too: the worst of the better model must lie above the best of the other', () => {
    const seeds = { ...gpt, spread: [25, 50] as [number, number] };
    expect(headlineSentence(headline(seeds, lstm))).toContain('39 to 46; its seeds 25 to 50), LSTM 24.0%');
    expect(headlineSentence(headline({ ...seeds, spread: [27, 50] }, lstm))).toContain('. GPT-2 finds more');
    expect(headlineSentence(headline(seeds, lstm))).toContain('cannot be told apart yet');
  });

  it('draws every score with its interval', () => {
    expect(headlineFigure(headline(gpt, lstm)).series.map(({ name, points }) => [name, points[0].ci95])).toEqual([
      ['GPT-2', [39, 46]],
      ['LSTM', [22, 26]],
    ]);
  });
});
