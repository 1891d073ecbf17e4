/** `npm start`: dependencies, embedded data, build, then the lab in a browser. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { ensureDependencies } from './dependencies.mjs';

const VITE = 'node_modules/vite/bin/vite.js';

process.chdir(new URL('..', import.meta.url).pathname);
ensureDependencies();
checkEmbeddedGames();
build();
// Where no screen is there is nothing to open; the address is printed either way.
const open =
  process.env.CI ||
  process.env.BROWSER === 'none' ||
  !(process.env.DISPLAY || process.env.WAYLAND_DISPLAY || process.platform !== 'linux');
console.error('The lab is ready at the address below; Ctrl-C ends it.');
// By node rather than npx, which does not hand a signal on.
const server = spawn(process.execPath, [VITE, 'preview', ...(open ? [] : ['--open']), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 0));

function build() {
  const { status } = spawnSync(process.execPath, [VITE, 'build', '--logLevel', 'warn'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The committed shards must be whole, or the lab would open with nothing to train on. */
function checkEmbeddedGames() {
  const folder = 'public/data/chess-selfplay';
  const damaged = [];
  const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8'));
  for (const split of Object.values(manifest.splits))
    for (const file of split.files) {
      const path = `${folder}/${file.path}`;
      const digest = existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'missing';
      if (digest !== file.sha256) damaged.push(path);
    }
  if (damaged.length === 0) return;
  console.error(
    `These embedded games are missing or damaged: ${damaged.join(', ')}. Restore them with: git checkout -- ${folder}`,
  );
  process.exit(1);
}
