/** Where a Chromium is, and how to get one: Debian's package as root, else Playwright's download. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's packages. The headless shell draws no windows, so pages open in it with a tenth less work. */
const packages = ['chromium-headless-shell', 'chromium'];
const names = [...packages, 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** Path of an installed Chromium, or null. CHROMIUM_PATH decides where it is set. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  for (const name of names) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    if (found.status === 0 && found.stdout.trim()) return found.stdout.trim();
  }
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return existsSync(mac) ? mac : playwrightChromium();
}

/** Path of a Chromium, installing one where there is none; throws an Error that says what to do where that fails. */
export function ensureChromium(log = console.error) {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    log('No Chromium found; installing Debian’s package.');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    // Not every release has the shell.
    for (const name of packages)
      if (spawnSync('apt-get', ['install', '-y', '-qq', name], { stdio: 'inherit', env }).status === 0) break;
  } else {
    log('No Chromium found; asking Playwright for its own.');
    spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit', shell: process.platform === 'win32' });
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    'No Chromium could be installed. Install Chromium or Chrome yourself, or set CHROMIUM_PATH to one, and run this again.',
  );
}

/** WebGPU on the software adapter, and no traffic of the browser's own. */
export const chromiumFlags = [
  '--no-sandbox',
  '--headless=new',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Each context is a window, whose address bar would load pages of its own, for a second of processor time and more.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
];

function playwrightChromium() {
  try {
    const path = execFileSync(
      process.execPath,
      ['-e', "process.stdout.write(require('playwright-core').chromium.executablePath())"],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}
