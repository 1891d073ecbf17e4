import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as v from 'valibot';
import { unwrap } from '../../src/base/result.ts';
import { contentOf, hasMeasured, tablesOf } from '../../src/report/report.ts';
import { headlineSentence } from '../../src/report/headline.ts';
import type { RecordedGames } from '../../src/studies/recorded-model.ts';
import { storedStudies } from '../../src/studies/studies.ts';
import { recordedAssessments } from './recorded-assessments.ts';

const recordOf = (folder: string) =>
  readFile(new URL(`../../public/checkpoints/${folder}/training-record.json`, import.meta.url));
const studyOf = (name: string) => storedStudies().find((study) => study.name === name)!;

it('the records of the chess models fill the tables of the testbed and give one answer', async () => {
  const bytes = await Promise.all(['chess', 'chess-small'].map(recordOf));
  const made = bytes.flatMap((one, at) => unwrap(recordedAssessments(['large', 'small'][at], one)));
  expect(made.map(({ study, recorded }) => [study, recorded])).toEqual([
    ...['testbed', 'self-play', 'soundness'].map((study) => [study, true]),
    ...['testbed', 'self-play', 'soundness'].map((study) => [study, true]),
  ]);
  const { stored } = studyOf('testbed');
  const assessments = made.filter(({ study }) => study === 'testbed').map(({ assessment }) => assessment);
  for (const one of assessments) expect(v.parse(stored.schema, JSON.parse(JSON.stringify(one)))).toEqual(one);

  const report = stored.report(assessments, []);
  const own = report.parts.flatMap((part) =>
    part.kind === 'table' && hasMeasured(part.table) ? [contentOf(part).id] : [],
  );
  for (const id of ['table-4', 'table-5', 'table-6', 'random-play']) expect(own).toContain(id);
  expect(own).not.toContain('table-12');
  const { scores } = JSON.parse(new TextDecoder().decode(bytes[0])) as {
    scores: { long: { tasks: Record<string, { lgm: number; ci95: { lgm: [number, number] } }> } };
  };
  const { lgm, ci95 } = scores.long.tasks['end-actual'];
  const sixth = tablesOf(report).find(({ id }) => id === 'table-6')!;
  const [cell] = sixth.rows.find(({ labels }) => labels.some((label) => label.startsWith('large')))!.cells;
  expect(cell).toMatchObject({ value: 100 * lgm, ci95: ci95.lgm.map((end) => 100 * end), members: null });
  expect(sixth.notes.join(' ')).toContain('Measured when the model was made: large and small.');

  const headline = stored.headline!(assessments)!;
  expect(headline.scores.map(({ name }) => name)).toEqual(['large', 'small']);
  expect(headline.sameQuestions).toBe(true);
  expect(headlineSentence(headline)).toMatch(/95% interval over the questions/);
});

it('the record of a chess model fills the tables of whole games, without figures or answers', async () => {
  const bytes = await recordOf('chess');
  const made = unwrap(recordedAssessments('shipped', bytes));
  const { scores } = JSON.parse(new TextDecoder().decode(bytes)) as { scores: { soundness: RecordedGames } };
  const rowsOf = (name: string) => {
    const { stored } = studyOf(name);
    const { assessment } = made.find(({ study }) => study === name)!;
    expect(v.parse(stored.schema, JSON.parse(JSON.stringify(assessment)))).toEqual(assessment);
    const report = stored.report([assessment], []);
    expect(report.parts.map(({ kind }) => kind)).toEqual(['table']);
    const [{ notes, rows }] = tablesOf(report);
    expect(notes.join(' ')).toContain('Measured when the model was made: shipped.');
    return rows;
  };
  const { alone, attacks } = scores.soundness;
  const [{ cells }] = rowsOf('self-play');
  expect(cells[0]).toMatchObject({ value: 100 * alone.fullyLegal, members: null });
  expect(cells.slice(1)).toMatchObject([
    { value: 100 * alone.legalPlies! },
    { value: alone.legalGamePlies ?? null },
    { text: String(scores.soundness.games) },
  ]);
  const attacked = rowsOf('soundness');
  expect(attacked.map((row) => row.cells[0].value)).toEqual(attacks.map((one) => 100 * one.attackSuccess));
  expect(attacked[0].cells[0]).toMatchObject({ ci95: attacks[0].ci95.map((end) => 100 * end), members: null });
});

it.each(['baseball', 'noughts'])('the record of %s fills what SPLAT tells of games alone', async (folder) => {
  const [{ study, assessment }] = unwrap(recordedAssessments('shipped', await recordOf(folder)));
  expect(study).toBe('splat');
  const { stored } = studyOf('splat');
  expect(v.parse(stored.schema, JSON.parse(JSON.stringify(assessment)))).toEqual(assessment);
  const tables = tablesOf(stored.report([assessment], [])).filter(hasMeasured);
  const masses = tables.find(({ id }) => id === 'splat-table-4')!.rows.filter(({ publishedOnly }) => !publishedOnly);
  expect(masses).toHaveLength(1);
  expect(masses[0].cells[2].value).toBeGreaterThan(90);
  expect(stored.label(assessment)).toContain('1,000 beginnings');
});

it('models of several games that have one name are told apart by their games', async () => {
  const bytes = await Promise.all(['baseball', 'noughts'].map(recordOf));
  const assessments = bytes.flatMap((one) =>
    unwrap(recordedAssessments('the shipped model', one)).map(({ assessment }) => assessment),
  );
  const { stored } = studyOf('splat');
  const sentence = headlineSentence(stored.headline!(assessments)!);
  expect(sentence).toMatch(/^Legal verbs, Noughts and crosses: the shipped model 99\.7%/);
  expect(sentence).toContain('The shipped model of baseball is left out: it plays another game.');
  const report = stored.report(assessments, []);
  expect(report.runs.rows.map((row) => row.at(-1))).toEqual([
    '1,000 beginnings, 0 questions',
    '1,000 beginnings, 0 questions',
  ]);
  const notes = tablesOf(report).flatMap((table) => table.notes);
  expect(notes).toContainEqual(expect.stringContaining('Measured when the model was made: the shipped model. '));
  expect(notes.join(' ')).not.toContain('the shipped model and the shipped model');
});

it('records of two seeds are two rows, since there are no answers to average', async () => {
  const record = JSON.parse(new TextDecoder().decode(await recordOf('chess'))) as { config: { seed: number } };
  const again = { ...record, config: { ...record.config, seed: record.config.seed + 1 } };
  const made = [record, again].map(
    (one, at) => unwrap(recordedAssessments(`seed ${at}`, new TextEncoder().encode(JSON.stringify(one))))[0],
  );
  const headline = studyOf('testbed').stored.headline!(made.map(({ assessment }) => assessment))!;
  expect(headline.scores.map(({ name }) => name)).toEqual(['seed 0', 'seed 1']);
});

it('a record that cannot be read says so', () => {
  const read = recordedAssessments('shipped', new TextEncoder().encode('{}'));
  expect(read.ok ? null : read.error.code).toBe('training-record-invalid');
});
