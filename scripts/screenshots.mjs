/**
 * Pictures of every page, light and dark, on a laptop and a phone: `node scripts/screenshots.mjs --out DIR`.
 * Serves the built page (`npm run build` first) on a free port and trains a short run for each picture set,
 * so that every figure in them is real. `--readme` takes only the two pictures of README.md, into docs/pictures.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { chromiumFlags, ensureChromium } from './chromium.mjs';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    dist: { type: 'string', default: 'dist' },
    readme: { type: 'boolean', default: false },
    steps: { type: 'string', default: '300' },
  },
});
const outGiven = resolve(values.out);
const dist = resolve(values.dist);
process.chdir(new URL('..', import.meta.url).pathname);
const out = values.readme ? resolve('docs/pictures') : outGiven;
if (!existsSync(`${dist}/index.html`)) {
  console.error(`There is no built page in ${dist}. Run \`npm run build\` first, or name its folder with --dist.`);
  process.exit(1);
}
mkdirSync(out, { recursive: true });

const laptop = { width: 1280, height: 720 };
const sizes = values.readme ? { laptop } : { laptop, phone: { width: 390, height: 844 } };
const themes = ['light', 'dark'];
const minutes = 60_000;

const server = await preview({ build: { outDir: dist }, preview: { port: 0, strictPort: false }, logLevel: 'error' });
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
let problems = 0;

try {
  const context = await browser.newContext({ viewport: laptop, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    problems++;
    console.error(`The page failed: ${error.message}`);
  });
  const every = Math.max(1, Math.round(Number(values.steps) / 6));
  await page.goto(
    `${address}?schedule.steps=${values.steps}&evaluation.every=${every}&evaluation.games=10&evaluation.instances=50`,
  );
  const train = page.getByRole('button', { name: 'Train', exact: true });
  await train.and(page.locator(':enabled')).waitFor();
  if (!values.readme) await picture(page, 'before');
  await train.click();
  await page.getByText(/^Finished/).waitFor({ timeout: 10 * minutes });
  await page.getByText(/plies legal, at step/).waitFor({ timeout: minutes });
  await page.waitForTimeout(1500);
  await picture(page, 'train');
  for (const name of values.readme ? [] : ['Runs', 'Data']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.waitForTimeout(300);
    await picture(page, name.toLowerCase());
  }
} finally {
  await browser.close();
  await server.close();
}
process.exit(problems > 0 ? 1 : 0);

/** One picture for each theme and size; a phone's is of the whole page. */
async function picture(page, name) {
  for (const [size, viewport] of Object.entries(sizes))
    for (const theme of themes) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(250);
      const path = `${out}/${values.readme ? name : `${name}-${size}`}-${theme}.png`;
      await page.screenshot({ path, fullPage: size === 'phone' });
      console.log(path);
    }
  await page.setViewportSize(laptop);
}
