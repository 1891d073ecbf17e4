import { Linter } from 'eslint';
import { expect, it } from 'vitest';
import { layersRule } from './layers.mjs';

const layers = layersRule({
  'src/base': [],
  'src/engine/plan': ['src/base'],
  'src/engine/plan/inner.ts': ['src/base'],
  'src/ui': ['src/base', 'src/engine/plan'],
});

/** What the rule says of one line in a file. */
function said(file: string, code: string): string[] {
  const linter = new Linter({ cwd: '/lab' });
  const config: Linter.Config = {
    ...{ files: ['**/*.ts'], plugins: { lab: { rules: { layers } } }, rules: { 'lab/layers': 'error' } },
  };
  return linter.verify(code, config, { filename: `/lab/${file}` }).map(({ message }) => message);
}

it('lets a layer import itself, those below it and packages', () => {
  expect(said('src/ui/page.ts', "import '../engine/plan/plan.ts'; import './other.ts'; import 'node:fs';")).toEqual([]);
  expect(said('src/ui/page.ts', "import url from '../base/data.json?url';")).toEqual([]);
  expect(said('elsewhere/file.ts', "import '../src/ui/page.ts';")).toEqual([]);
});

it('refuses what is above, beside, innermost or no layer, however it is imported', () => {
  const upward = 'imports go downward only (ARCHITECTURE.md): ';
  expect(said('src/base/one.ts', "import '../ui/page.ts';")).toEqual([`${upward}src/base may not import src/ui`]);
  const deep = `${upward}src/ui may not import src/engine/plan/inner.ts`;
  for (const code of [
    "import '../engine/plan/inner.ts';",
    "await import('../engine/plan/inner.ts');",
    "export * from '../engine/plan/inner.ts';",
    "export { one } from '../engine/plan/inner.ts';",
  ])
    expect(said('src/ui/page.ts', code)).toEqual([deep]);
  expect(said('src/ui/page.ts', "import '../../fixtures/one.ts';")).toEqual([
    `${upward}src/ui may not import fixtures/one.ts`,
  ]);
});
