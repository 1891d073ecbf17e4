/**
 * `npm test`: everything that must hold, and a last line `N passed, N failed`. `npm test -- unit e2e` runs only the parts
 * named; `npm run test:quick` runs what takes a minute, and remembers what it checked.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ensureDependencies } from './dependencies.mjs';
import { countsOf, retriedLines, skippedLines } from './test-report.mjs';

process.chdir(new URL('..', import.meta.url).pathname);
ensureDependencies();

const reports = '.cache/test-reports';
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const quick = process.argv.includes('--quick');
/** Arguments of the quick tests alone: a cache of what a checker found in files that are as they were. */
const cached = (...args) => (quick ? args : []);

/** TypeScript 7, in a quarter of the time; lint needs the programming interface of TypeScript 6. */
const nativeCompiler = 'node_modules/@typescript/native/bin/tsc';

const parts = {
  lint: (run) =>
    check(run, [
      ...['eslint', '.', '--max-warnings', '0'],
      ...cached('--cache', '--cache-strategy', 'content', '--cache-location', '.cache/eslint'),
    ]),
  format: (run) => check(run, ['oxfmt', '--check']),
  types: (run) =>
    check(
      run,
      ...['core', 'node', 'e2e'].map((name) => [
        ...['node', nativeCompiler, '-p', `tsconfig.${name}.json`],
        ...cached('--incremental', '--tsBuildInfoFile', `.cache/${name}.tsbuildinfo`),
      ]),
    ),
  svelte: (run) =>
    check(run, ['svelte-check', '--tsgo', '--tsconfig', 'tsconfig.ui.json', '--fail-on-warnings', '--output', 'human']),
  pure: (run) => counted(run, ['vitest', 'run', '--config', 'vitest.quick.config.ts'], 'pure'),
  unused: (run) => check(run, ['knip']),
  unit: (run) => counted(run, ['vitest', 'run', '--config', 'vitest.config.ts'], 'unit'),
  build: (run) => check(run, ['vite', 'build', '--logLevel', 'warn'], ['node', 'scripts/budget.mjs']),
  browser: (run) => counted(run, ['vitest', 'run', '--config', 'vitest.browser.config.ts'], 'browser'),
  e2e: (run) => counted(run, ['playwright', 'test'], 'e2e'),
};
/**
 * Two parts at a time, in this order: neither a test runner nor an emulated graphics card keeps two cores busy. The
 * end-to-end tests, which need what `build` made, follow those in a browser; the checks run beside them.
 */
const order = quick
  ? ['pure', 'types', 'svelte', 'lint', 'format']
  : ['unit', 'build', 'browser', 'e2e', 'lint', 'format', 'types', 'svelte', 'unused'];

const wanted = process.argv.slice(2).filter((arg) => arg !== '--quick');
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`No test part named ${unknown.join(', ')}; the parts are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
const chosen = wanted.length > 0 ? wanted : order;
// Once, before two parts would both find the kernels out of date. In a process of its own: Vite leaves its mode behind.
const needed = chosen.includes('unit') ? ['build-command-line.mjs', '--keep-chunks'] : ['build-kernels.mjs'];
const building = spawnSync(process.execPath, [`scripts/${needed[0]}`, ...needed.slice(1)], { stdio: 'inherit' });
if (building.status !== 0) process.exit(1);

const inChromium = ['browser', 'e2e'];
/** Where Chromium is, null where there is none; looked for, and installed, while other parts run. */
const chromium = chosen.some((name) => inChromium.includes(name)) ? pathOfChromium() : null;

const total = { passed: 0, failed: 0, retried: [], skipped: [] };
const waiting = order.filter((name) => chosen.includes(name));
const beside = waiting.length > 1;
/** What the end-to-end tests wait for where the page is built, too. */
let built = Promise.resolve();
await Promise.all([runParts(), runParts()]);
console.log('');
// The quick tests leave out more than they could tell.
if (!quick) for (const line of [...retriedLines(total.retried), ...skippedLines(total.skipped)]) console.log(line);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Takes the next part until none is left. */
async function runParts() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const started = Date.now();
    console.log(`\n== ${name}`);
    // Lines of parts that run side by side say which part they are of.
    if (name === 'e2e') await built;
    const found = inChromium.includes(name) ? { CHROMIUM_PATH: await chromium } : {};
    const run = (args, extra) => runCommand(args, { ...found, ...extra }, beside ? `${name} | ` : '');
    const running = found.CHROMIUM_PATH === null ? { passed: 0, failed: 1, skipped: [] } : parts[name](run);
    if (name === 'build') built = running;
    const { passed, failed, retried = [], skipped } = await running;
    total.passed += passed;
    total.failed += failed;
    total.retried.push(...retried);
    total.skipped.push(...skipped);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`== ${name}: ${failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  }
}

/** Exit status of a command, its output told line by line behind `mark`. */
function runCommand(args, extra, mark) {
  const [command, ...rest] = args[0] === 'node' ? args : ['npx', ...args];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...extra },
    shell: process.platform === 'win32',
  });
  const tell = (stream, log) => createInterface({ input: stream }).on('line', (line) => log(mark + line));
  tell(child.stdout, console.log);
  tell(child.stderr, console.error);
  return new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(1)));
}

/** In a process of its own, since installing holds up the one that asks. */
function pathOfChromium() {
  const program = `
    import { ensureChromium } from './scripts/chromium.mjs';
    try {
      console.log('\\n' + ensureChromium());
    } catch (error) {
      console.error(error.message);
      process.exitCode = 1;
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.on('data', (chunk) => (told += chunk));
  // What an installer says comes before the path.
  return new Promise((resolve) =>
    child.on('close', (status) => resolve(status === 0 ? told.trim().split('\n').at(-1) : null)),
  );
}

async function check(run, ...commands) {
  for (const args of commands) if ((await run(args)) !== 0) return { passed: 0, failed: 1, skipped: [] };
  return { passed: 1, failed: 0, skipped: [] };
}

/** Runs a test runner and reads its own count; a runner that died without a report is one failure. */
async function counted(run, args, name) {
  const file = `${reports}/${name}.json`;
  const reporting = args[0] === 'vitest' ? ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`] : [];
  const status = await run([...args, ...reporting], { PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: [] };
  const counts = countsOf(JSON.parse(readFileSync(file, 'utf8')));
  // A suite that fails to load has no failed test of its own, and an empty run has tested nothing.
  if ((status !== 0 || counts.passed === 0) && counts.failed === 0) counts.failed = 1;
  return counts;
}
