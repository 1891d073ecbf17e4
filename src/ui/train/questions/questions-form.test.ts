import { describe, expect, it } from 'vitest';
import type { CustomQuestion } from '../../../config/questions-schema.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { presetNamed } from '../../../config/presets.ts';
import { DOMAIN_NAMES } from '../../../domains/domains.ts';
import { EXAMPLE_QUESTIONS } from '../../../studies/splat/custom/examples.ts';
import type { Trial } from '../../../studies/splat/custom/try-question.ts';
import {
  caretLines,
  chooseStart,
  freeIndicator,
  languageWords,
  nameProblem,
  QUICK_QUESTIONS,
  readDraft,
  readQuestions,
  startProblem,
  startsOf,
  trialRows,
  trialWarning,
} from './questions-form.ts';

const base = presetNamed('plain')!.config;
const splat: RunConfig = { ...base, domain: 'baseball', notation: 'splat' };
const run = (id: string, config: RunConfig, step = 500) => ({ id, name: `run ${id}`, step, config });
const asking: RunConfig = { ...splat, questions: QUICK_QUESTIONS };

describe('what a run may start from', () => {
  it('are trained runs of the same game and notation, and the lab’s own model', () => {
    const runs = [
      run('a', splat, 2000),
      run('b', asking),
      run('chess', { ...splat, domain: 'chess' }),
      run('uci', { ...splat, notation: 'uci' }),
      run('begun', splat, 0),
    ];
    expect(startsOf(asking, runs, null).map(({ label }) => label)).toEqual([
      'run a, 2,000 steps',
      'run b, 500 steps, which has learned questions',
    ]);
    expect(startsOf(asking, runs, splat)[0].id).toBe('shipped');
    expect(startsOf(asking, [], { ...base, domain: 'chess' })).toEqual([]);
  });

  it('must have the settings of the model', () => {
    const config = { ...asking, questions: { ...QUICK_QUESTIONS, from: { id: 'a', name: 'run a' } } };
    const starts = (of: RunConfig) => startsOf(asking, [run('a', of)], null);
    // The same settings in another order.
    const turned = Object.fromEntries(Object.entries(splat.model).reverse()) as RunConfig['model'];
    expect(startProblem(config, starts({ ...splat, model: turned }))).toBeNull();
    expect(startProblem(config, starts({ ...splat, model: { ...splat.model, context: 17 } }))).toContain('do not fit');
    expect(startProblem(config, [])).toContain('run a is not on this device');
    expect(startProblem(asking, [])).toBeNull();
  });
});

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
  const other = { ...splat.model, layers: 7 };
  const start = { id: 'a', name: 'run a', label: 'run a', model: other };

  it('takes a start together with its model', () => {
    const form = formOf(asking);
    chooseStart(form, start);
    expect(form.config.questions?.from).toEqual({ id: 'a', name: 'run a' });
    expect(form.config.model).toEqual(other);
    chooseStart(form, null);
    expect(form.config.questions?.from).toBeNull();
    expect(form.config.model).toEqual(other);
    const best = { ...asking.schedule, patience: 3, keep: 'best' as const };
    const stopping = formOf({ ...asking, schedule: best });
    chooseStart(stopping, null);
    expect(stopping.config.schedule).toEqual(best);
    chooseStart(stopping, start);
    expect(stopping.config.schedule).toEqual({ ...best, patience: null, keep: 'last' });
    const refusing = formOf(asking, ['questions']);
    chooseStart(refusing, start);
    expect(refusing.config).toEqual(asking);
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
      const words = languageWords(domain);
      const sample = words.find(({ text }) => text.startsWith('count('))!.text.split(/\s{2,}/);
      const emptied = words.find(({ text }) => text.startsWith('taken('))!.text.split(/\s{2,}/);
      for (const text of [...sample, ...emptied]) expect(readDraft(domain, text)).toMatchObject({ ok: true });
      for (const { name } of EXAMPLE_QUESTIONS[domain]) expect(nameProblem(domain, name, [])).toBeNull();
    }
    expect(readDraft('baseball', 'outs +')).toMatchObject({ ok: false, error: { at: 6 } });
  });
});

describe('a trial', () => {
  const trial = (counts: number[], more: Partial<Trial> = {}): Trial => ({
    answers: counts.map((count, i) => ({ token: `A${i}`, words: String(i), count })),
    asked: counts.reduce((sum, count) => sum + count, 0),
    cut: null,
    always: null,
    ...more,
  });

  it('tells what came, and the rest in a sentence', () => {
    expect(trialRows(trial([3, 0, 1]))).toEqual({
      rows: [
        { words: '0', token: 'A0', share: 0.75 },
        { words: '2', token: 'A2', share: 0.25 },
      ],
      rest: 'Never came: 1.',
    });
    const many = trialRows(trial(Array.from({ length: 24 }, (_, i) => (i < 12 ? i + 1 : 0))));
    expect(many.rows).toHaveLength(10);
    expect(many.rows[0].words).toBe('11');
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
