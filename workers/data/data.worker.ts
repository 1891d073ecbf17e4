import { overHttp } from '../../src/data/shards.ts';
import { macrotask } from '../macrotask.ts';
import { shippedUrl } from '../shipped-files.ts';
import { serve } from '../wire.ts';
import { opfsGameFolders } from './game-folders.ts';
import { dataHandlers } from './handlers.ts';
import type { DataService } from './protocol.ts';

serve<DataService>(
  dataHandlers({
    embedded: overHttp(shippedUrl('data/chess-selfplay/manifest.json')),
    folders: opfsGameFolders(),
    fetch: (url, init) => fetch(url, init),
    pause: macrotask,
    clock: () => performance.now(),
  }),
);
