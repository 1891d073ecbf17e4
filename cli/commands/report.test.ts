import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';
import { fromBase, reader, splatAssessment } from '../../fixtures/hand-made-splat.ts';
import { assessment } from '../../fixtures/hand-made.ts';

const { at, run } = commandFolder('report');

const report = (args: string[]) => run(['report', ...args]);

it('makes the page from what a sweep kept, without a model, and keeps it again', () => {
  writeFileSync(at('kept.json'), JSON.stringify([assessment(), assessment({ name: 'second', seed: 2 })]));
  const { status, stdout, stderr } = report([
    '--from',
    at('kept.json'),
    '--out',
    at('new/page.html'),
    '--json',
    at('again.json'),
  ]);
  expect([status, stderr]).toEqual([0, '']);
  const result = JSON.parse(stdout) as Record<string, unknown>;
  expect(Object.keys(result)).toEqual(['runs', 'tables', 'figures', 'out']);
  expect(result.runs).toEqual(['tiny', 'second']);
  // Start questions were not asked and no games are at hand: no Table 5, no Table 9.
  expect(result.tables).toContain('table-6');
  expect(result.tables).not.toContain('table-5');
  expect(result.tables).not.toContain('table-9');
  const page = readFileSync(at('new/page.html'), 'utf8');
  expect(page).toContain('id="table-6"');
  expect(page).not.toContain('id="table-5"');
  const again = report(['--from', at('again.json'), '--out', at('second.html')]);
  expect(JSON.parse(again.stdout)).toMatchObject({ runs: result.runs, tables: result.tables, figures: result.figures });
});

it('makes a page on SPLAT from what splat evaluate wrote, of several files', () => {
  writeFileSync(at('answerer.json'), JSON.stringify(splatAssessment({ name: 'answerer', ...fromBase })));
  writeFileSync(at('reader.json'), JSON.stringify(reader()));
  const from = `${at('answerer.json')},${at('reader.json')}`;
  const stored = at('splat.json');
  const { status, stdout } = report(['--from', from, '--out', at('splat.html'), '--json', stored]);
  expect(status).toBe(0);
  const result = {
    runs: ['answerer', 'reader'],
    tables: ['splat-table-2', 'splat-table-3', 'splat-table-4', 'splat-forgetting', 'splat-distances-chess'],
    figures: ['splat-masses', 'splat-figure-2-chess'],
    out: at('splat.html'),
  };
  expect(JSON.parse(stdout)).toEqual(result);
  expect(readFileSync(at('splat.html'), 'utf8')).toContain('id="splat-table-3"');
  // As the Compare page saves it.
  const again = report(['--from', stored, '--out', at('again.html')]);
  expect(JSON.parse(again.stdout)).toEqual({ ...result, out: at('again.html') });
});

it('counts games for SPLAT where they are given', () => {
  writeFileSync(at('of-baseball.json'), JSON.stringify(splatAssessment({}, { domain: 'baseball' })));
  const asked = ['--from', at('of-baseball.json'), '--games', 'invented:40', '--out', at('counted.html')];
  expect(report(asked).status).toBe(0);
  const page = readFileSync(at('counted.html'), 'utf8');
  // The vocabulary, counted rather than printed from the paper alone.
  expect(page).toContain('<b>144</b><span class="paper">paper 144</span>');
  writeFileSync(at('of-both.json'), JSON.stringify([splatAssessment(), splatAssessment({}, { domain: 'baseball' })]));
  const both = ['--from', at('of-both.json'), '--games', 'invented:40', '--out', at('of-both.html')];
  expect(report(both).status).toBe(2);
});

it('replaces a page or what --json kept only with --force, and says so before anything is measured', () => {
  writeFileSync(at('mine.html'), 'mine');
  writeFileSync(at('one.json'), JSON.stringify([assessment()]));
  const onto = ['--from', at('one.json'), '--out', at('mine.html')];
  expect(report(onto)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/mine\.html exists already.*--force/),
  });
  const occupied = ['--from', at('one.json'), '--out', at('other.html'), '--json', at('mine.html')];
  expect(report(occupied)).toMatchObject({ status: 1, stderr: expect.stringContaining('mine.html exists already') });
  const folderNamed = report(['--from', at('one.json'), '--out', at('.'), '--force']);
  expect(folderNamed).toMatchObject({ status: 1, stderr: expect.stringContaining('is a folder') });
  expect(readFileSync(at('mine.html'), 'utf8')).toBe('mine');
  expect(report([...onto, '--force']).status).toBe(0);
  expect(readFileSync(at('mine.html'), 'utf8')).toContain('<html');
});

it('says what is wrong with its input', () => {
  writeFileSync(at('broken.json'), JSON.stringify([{ ...assessment(), sets: [{ range: 'middle' }] }]));
  const broken = report(['--from', at('broken.json'), '--out', at('x.html')]);
  expect(broken.status).toBe(1);
  expect(broken.stderr).toMatch(/^blindfold report: .*broken\.json: assessments\.0\.sets\.0\..*\n$/);
  expect(report([]).status).toBe(2);
  expect(report(['--models', 'a']).status).toBe(2);
  expect(report(['--models', 'a', '--games', 'b', '--ranges', 'short,short']).status).toBe(2);
});
