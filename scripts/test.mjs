/**
 * `npm test`: everything that must hold, one after the other, and a last line `N passed, N failed`.
 * `npm test -- unit e2e` runs only the parts named.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies } from './dependencies.mjs';

process.chdir(new URL('..', import.meta.url).pathname);
ensureDependencies();

const reports = '.cache/test-reports';
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const parts = {
  lint: () => check(['eslint', '.', '--max-warnings', '0']),
  format: () => check(['prettier', '--check', '--log-level', 'warn', '.']),
  types: () => ['core', 'node', 'e2e'].every((name) => check(['tsc', '-p', `tsconfig.${name}.json`])),
  svelte: () => check(['svelte-check', '--tsconfig', 'tsconfig.ui.json', '--fail-on-warnings', '--output', 'human']),
  unused: () => check(['knip']),
  unit: () => counted(['vitest', 'run', '--config', 'vitest.config.ts'], 'unit'),
  build: () => check(['vite', 'build', '--logLevel', 'warn']) && check(['node', 'scripts/budget.mjs'], false),
  browser: () => counted(['vitest', 'run', '--config', 'vitest.browser.config.ts'], 'browser'),
  e2e: () => counted(['playwright', 'test'], 'e2e'),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`No test part named ${unknown.join(', ')}; the parts are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
const chosen = wanted.length > 0 ? wanted : Object.keys(parts);

let environment = process.env;
if (chosen.includes('browser') || chosen.includes('e2e'))
  try {
    environment = { ...process.env, CHROMIUM_PATH: ensureChromium() };
  } catch (error) {
    console.error(error.message);
    console.log('0 passed, 1 failed');
    process.exit(1);
  }

let passed = 0;
let failed = 0;
for (const name of chosen) {
  const started = Date.now();
  console.log(`\n== ${name}`);
  const result = parts[name]();
  const counts = typeof result === 'boolean' ? { passed: Number(result), failed: Number(!result) } : result;
  passed += counts.passed;
  failed += counts.failed;
  console.log(
    `== ${name}: ${counts.failed === 0 ? 'passed' : 'FAILED'} in ${Math.round((Date.now() - started) / 1000)} s`,
  );
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function spawn(args, viaNpx = true) {
  const [command, ...rest] = viaNpx ? ['npx', ...args] : args;
  return spawnSync(command, rest, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment,
    shell: process.platform === 'win32',
  }).status;
}

function check(args, viaNpx = true) {
  return spawn(args, viaNpx) === 0;
}

/** Runs a test runner and reads its own count; a runner that died without a report is one failure. */
function counted(args, name) {
  const file = `${reports}/${name}.json`;
  const reporting = args[0] === 'vitest' ? ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`] : [];
  environment = { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const status = spawn([...args, ...reporting]);
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const counts = report.stats
    ? { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected }
    : { passed: report.numPassedTests, failed: report.numFailedTests };
  // A suite that fails to load has no failed test of its own, and an empty run has tested nothing.
  if ((status !== 0 || counts.passed === 0) && counts.failed === 0) counts.failed = 1;
  return counts;
}
