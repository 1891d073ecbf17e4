/** The icons of the installed lab, drawn from public/favicon.svg: `node scripts/icons.mjs`. */
import { mkdirSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { chromiumFlags, ensureChromium } from './chromium.mjs';

const folder = new URL('../public/icons/', import.meta.url).pathname;
const picture = readFileSync(new URL('../public/favicon.svg', import.meta.url), 'utf8');

/** Systems cut a maskable icon to a shape: what matters is in the middle 80 percent. */
const icons = [
  { name: '180', size: 180, margin: 0.14, ground: '#fbfaf7' },
  { name: '192', size: 192, margin: 0.06, ground: '#fbfaf7' },
  { name: '512', size: 512, margin: 0.06, ground: '#fbfaf7' },
  { name: '512-maskable', size: 512, margin: 0.22, ground: '#fbfaf7' },
];

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const page = await browser.newPage({ colorScheme: 'light' });
for (const { name, size, margin, ground } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0;background:${ground}}svg{position:absolute;inset:${margin * size}px;width:${(1 - 2 * margin) * size}px}</style>${picture}`,
  );
  await page.screenshot({ path: `${folder}${name}.png` });
}
await browser.close();
