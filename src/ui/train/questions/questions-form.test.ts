import { describe, expect, it } from 'vitest';
import type { CustomQuestion } from '../../../config/questions-schema.ts';
import { startOf, type RunConfig } from '../../../config/run-config.ts';
import { presetNamed } from '../../../config/presets.ts';
import { DOMAIN_NAMES } from '../../../domains/domains.ts';
import { EXAMPLE_QUESTIONS } from '../../../studies/splat/custom/examples.ts';
import type { Trial } from '../../../studies/splat/custom/try-question.ts';
import {
  caretLines,
  freeIndicator,
  languageKeywords,
  nameProblem,
  QUICK_QUESTIONS,
  readDraft,
  readQuestions,
  trialRows,
  trialWarning,
} from './questions-form.ts';

const base = presetNamed('plain')!.config;
const splat: RunConfig = { ...base, domain: 'baseball', notation: 'splat' };

describe('the form', () => {
  /** Takes every change, but for fields that are refused. */
  const formOf = (config: RunConfig, refused: string[] = []) => ({
    config,
    problem: '',
    set(path: string, value: unknown) {
      this.problem = refused.includes(path) ? 'refused' : '';
      if (this.problem === '') this.config = { ...this.config, [path]: value };
    },
  });
  it('turns to questions, with what they need and as they were', () => {
    const form = formOf({ ...splat, objective: 'valid' });
    const before = { ...QUICK_QUESTIONS, perGame: 4 };
    readQuestions(form, true, before);
    expect(form.config).toMatchObject({ objective: 'next', questions: before });
    readQuestions(form, false, before);
    expect(form.config.questions).toBeNull();
    readQuestions(form, true, null);
    expect(form.config.questions).toEqual(QUICK_QUESTIONS);
  });

  it('leaves the start as it is, whatever the run reads', () => {
    const from = { id: 'a', name: 'run a' };
    const form = formOf({ ...splat, from });
    readQuestions(form, true, null);
    expect(form.config.questions?.from).toEqual(from);
    expect(form.config.from).toBeUndefined();
    readQuestions(form, false, null);
    expect(form.config.from).toEqual(from);
    expect(startOf(form.config)).toEqual(from);
  });
});

describe('a custom question', () => {
  const custom = (name: string, indicator: string): CustomQuestion => ({ name, indicator, expression: 'outs' });

  it('gets the first indicator that asks nothing, until there are none', () => {
    expect(freeIndicator('baseball', [])).toBe('Q0');
    expect(freeIndicator('baseball', [custom('a', 'Q0')])).toBe('Q4');
    const all = Array.from({ length: 16 }, (_, i) => custom(`q${i}`, `Q${i}`));
    expect(freeIndicator('baseball', all)).toBeNull();
    expect(freeIndicator('nothing', [])).toBeNull();
  });

  it('has a name of its own', () => {
    expect(nameProblem('baseball', 'runners on base', [])).toBeNull();
    expect(nameProblem('baseball', '', [])).toBe('Give it a name.');
    expect(nameProblem('baseball', 'Runners', [])).toContain('small letter');
    expect(nameProblem('baseball', 'goal', [])).toContain('already');
    expect(nameProblem('baseball', 'a', [custom('a', 'Q0')])).toContain('already');
    for (const name of ['random', 'legal-verbs', 'perplexity'])
      expect(nameProblem('baseball', name, [])).toContain('among the results');
  });

  it('is shown where it is wrong', () => {
    expect(caretLines('outs = baals', { at: 7, end: 12 })).toEqual({ text: 'outs = baals', marks: '       ^^^^^' });
    expect(caretLines('outs =', { at: 6, end: 6 })).toEqual({ text: 'outs =', marks: '      ^' });
    const long = `${'1 + '.repeat(20)}x\n+ ${'2 * '.repeat(20)}3`;
    const { text, marks } = caretLines(long, { at: 80, end: 81 });
    expect(text[marks.indexOf('^')]).toBe('x');
    expect(text).toMatch(/^… .* …$/);
    expect(text).not.toContain('\n');
    expect(marks.trim()).toBe('^');
    expect(caretLines('a'.repeat(400), { at: 0, end: 400 }).marks.length).toBeLessThan(40);
  });

  it('is told of in words that are themselves of the language', () => {
    for (const domain of DOMAIN_NAMES) {
      const keywords = languageKeywords(domain);
      const sample = keywords.find(({ text }) => text.startsWith('count('))!.text.split(/\s{2,}/);
      const emptied = keywords.find(({ text }) => text.startsWith('taken('))!.text.split(/\s{2,}/);
      for (const text of [...sample, ...emptied]) expect(readDraft(domain, text)).toMatchObject({ ok: true });
      for (const { name } of EXAMPLE_QUESTIONS[domain]) expect(nameProblem(domain, name, [])).toBeNull();
    }
    expect(readDraft('baseball', 'outs +')).toMatchObject({ ok: false, error: { at: 6 } });
  });
});

describe('a trial', () => {
  const trial = (counts: number[], more: Partial<Trial> = {}): Trial => ({
    answers: counts.map((count, i) => ({ token: `A${i}`, label: String(i), count })),
    asked: counts.reduce((sum, count) => sum + count, 0),
    cut: null,
    always: null,
    ...more,
  });

  it('tells what came, and the rest in a sentence', () => {
    expect(trialRows(trial([3, 0, 1]))).toEqual({
      rows: [
        { label: '0', token: 'A0', share: 0.75 },
        { label: '2', token: 'A2', share: 0.25 },
      ],
      rest: 'Never came: 1.',
    });
    const many = trialRows(trial(Array.from({ length: 24 }, (_, i) => (i < 12 ? i + 1 : 0))));
    expect(many.rows).toHaveLength(10);
    expect(many.rows[0].label).toBe('11');
    expect(many.rest).toBe('2 other answers came less often. 12 possible answers never came.');
  });

  it('warns of a question that teaches little', () => {
    expect(trialWarning(trial([50, 50]))).toBe('');
    expect(trialWarning(trial([0, 100], { always: '1' }))).toContain('was 1 wherever');
    expect(trialWarning(trial([0, 0]))).toContain('too short');
    expect(trialWarning(trial([99, 1]))).toContain('nearly always');
    expect(trialWarning(trial([60, 40], { cut: 1 }))).toContain('40%');
  });
});
