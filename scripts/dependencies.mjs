/** Installs the dependencies where they are missing or older than the lock file; node's own modules only. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const installedLock = 'node_modules/.package-lock.json';

export function ensureDependencies() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) {
    console.error(`Blindfold needs Node 20 or newer; this is ${process.version}.`);
    process.exit(1);
  }
  if (existsSync(installedLock) && statSync(installedLock).mtimeMs >= statSync('package-lock.json').mtimeMs - 1000)
    return;
  console.error('Installing dependencies (npm ci).');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('npm ci failed; see its message above.');
    process.exit(status ?? 1);
  }
}
