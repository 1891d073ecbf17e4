import { overHttp } from '../../src/data/shards.ts';
import { macrotask } from '../macrotask.ts';
import { serve } from '../wire.ts';
import { opfsGameFolders } from './game-folders.ts';
import { dataHandlers } from './handlers.ts';
import type { DataService } from './protocol.ts';

/** The worker's script lies in assets/ of the built page, and at workers/data/ of the dev server. */
const base = import.meta.env.DEV ? new URL('/', self.location.href) : new URL('../', self.location.href);

serve<DataService>(
  dataHandlers({
    embedded: overHttp(new URL('data/chess-selfplay/manifest.json', base).href),
    folders: opfsGameFolders(),
    fetch: (url) => fetch(url),
    pause: macrotask,
    clock: () => performance.now(),
  }),
);
