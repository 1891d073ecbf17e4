/**
 * `npm test`: everything that must hold, and a last line `N passed, N failed`. Two lanes of parts run side by side, since
 * neither a test runner nor an emulated graphics card keeps two cores busy; the end-to-end tests, which measure times,
 * run by themselves afterwards. `npm test -- unit e2e` runs only the parts named.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies } from './dependencies.mjs';

process.chdir(new URL('..', import.meta.url).pathname);
ensureDependencies();
// Once, before two parts would both find them out of date.
const { buildKernels } = await import('./build-kernels.mjs');
await buildKernels();

const reports = '.cache/test-reports';
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const parts = {
  lint: (run) => check(run, ['eslint', '.', '--max-warnings', '0']),
  format: (run) => check(run, ['prettier', '--check', '--log-level', 'warn', '.']),
  types: (run) => check(run, ...['core', 'node', 'e2e'].map((name) => ['tsc', '-p', `tsconfig.${name}.json`])),
  svelte: (run) =>
    check(run, ['svelte-check', '--tsconfig', 'tsconfig.ui.json', '--fail-on-warnings', '--output', 'human']),
  unused: (run) => check(run, ['knip']),
  unit: (run) => counted(run, ['vitest', 'run', '--config', 'vitest.config.ts'], 'unit'),
  build: (run) => check(run, ['vite', 'build', '--logLevel', 'warn'], ['node', 'scripts/budget.mjs']),
  browser: (run) => counted(run, ['vitest', 'run', '--config', 'vitest.browser.config.ts'], 'browser'),
  e2e: (run) => counted(run, ['playwright', 'test'], 'e2e'),
};
/** One stage after the other, the lanes of a stage side by side, the parts of a lane one after the other. */
const stages = [
  [
    ['unit', 'lint', 'format', 'types'],
    ['build', 'browser', 'svelte', 'unused'],
  ],
  [['e2e']],
];

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

const total = { passed: 0, failed: 0 };
for (const lanes of stages) {
  const busy = lanes.map((lane) => lane.filter((name) => chosen.includes(name))).filter((lane) => lane.length > 0);
  await Promise.all(busy.map((lane) => runLane(lane, busy.length > 1)));
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

async function runLane(lane, beside) {
  for (const name of lane) {
    const started = Date.now();
    console.log(`\n== ${name}`);
    // Lines of parts that run side by side say which part they are of.
    const { passed, failed } = await parts[name]((args, extra) => runCommand(args, extra, beside ? `${name} | ` : ''));
    total.passed += passed;
    total.failed += failed;
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`== ${name}: ${failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  }
}

/** Exit status of a command, its output told line by line behind `mark`. */
function runCommand(args, extra, mark) {
  const [command, ...rest] = args[0] === 'node' ? args : ['npx', ...args];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, ...extra },
    shell: process.platform === 'win32',
  });
  const tell = (stream, log) => createInterface({ input: stream }).on('line', (line) => log(mark + line));
  tell(child.stdout, console.log);
  tell(child.stderr, console.error);
  return new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(1)));
}

async function check(run, ...commands) {
  for (const args of commands) if ((await run(args)) !== 0) return { passed: 0, failed: 1 };
  return { passed: 1, failed: 0 };
}

/** Runs a test runner and reads its own count; a runner that died without a report is one failure. */
async function counted(run, args, name) {
  const file = `${reports}/${name}.json`;
  const reporting = args[0] === 'vitest' ? ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`] : [];
  const status = await run([...args, ...reporting], { PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const counts = report.stats
    ? { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected }
    : { passed: report.numPassedTests, failed: report.numFailedTests };
  // A suite that fails to load has no failed test of its own, and an empty run has tested nothing.
  if ((status !== 0 || counts.passed === 0) && counts.failed === 0) counts.failed = 1;
  return counts;
}
