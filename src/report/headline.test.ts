import { describe, expect, it } from 'vitest';
import { firstShared, headlineFigure, headlineSentence, type Headline, type HeadlineScore } from './headline.ts';

const headline = (...scores: HeadlineScore[]): Headline => ({
  title: 'pieces found',
  better: 'finds more of the pieces',
  scores,
});
const gpt: HeadlineScore = { name: 'GPT-2', value: 42.5, ci95: [39, 46] };
const lstm: HeadlineScore = { name: 'LSTM', value: 24, ci95: [22, 26] };

describe('the first answer of a comparison', () => {
  it('names the better model where its interval lies above the other, in whatever order they come', () => {
    const sentence = 'GPT-2 42.5% (95% interval 39 to 46), LSTM 24.0% (22 to 26): GPT-2 finds more of the pieces.';
    expect(headlineSentence(headline(gpt, lstm))).toBe(sentence);
    expect(headlineSentence(headline(lstm, gpt))).toBe(sentence);
  });

  it('names none where intervals overlap or touch', () => {
    for (const low of [30, 46])
      expect(headlineSentence(headline(gpt, { name: 'RWKV', value: 50, ci95: [low, 60] }))).toContain(
        ': they cannot be told apart yet; ask more questions or train more seeds.',
      );
  });

  it('names none without intervals', () => {
    const sentence = headlineSentence(headline(gpt, { ...lstm, ci95: null }));
    expect(sentence).toContain('LSTM 24.0% (no interval): they cannot be told apart yet');
  });

  it('calls one of several the best only where it is above all, else says which are close', () => {
    expect(headlineSentence(headline(gpt, lstm, { ...lstm, name: 'Mamba' }))).toContain(
      ': GPT-2 finds more of the pieces than any of the others.',
    );
    expect(headlineSentence(headline(gpt, lstm, { ...gpt, name: 'RWKV' }))).toContain(
      ': GPT-2 and RWKV cannot be told apart yet',
    );
  });

  it('says of one model what it scored and claims nothing', () => {
    expect(headlineSentence(headline(gpt))).toBe(
      'GPT-2 42.5% (95% interval 39 to 46) (pieces found). Measure another model to compare them.',
    );
  });

  it('takes the first score that most models have, and none where there is none', () => {
    const [one, both, later] = [headline(gpt), headline(gpt, lstm), headline(lstm, gpt)];
    expect(firstShared([one, both, later])).toBe(both);
    expect(firstShared([headline()])).toBeNull();
    expect(firstShared([])).toBeNull();
  });

  it('draws every score with its interval', () => {
    expect(headlineFigure(headline(gpt, lstm)).series.map(({ name, points }) => [name, points[0].ci95])).toEqual([
      ['GPT-2', [39, 46]],
      ['LSTM', [22, 26]],
    ]);
  });
});
