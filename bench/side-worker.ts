import { wasmHost } from '../workers/wasm-host.ts';
import { answering } from './answering.ts';
import { makeSide } from './peers/make-side.ts';
import type { Request } from './run-side.ts';

/** The worker of a page in which Blindfold is measured, with threads of its own as in the lab; its name is the side's. */
const handle = answering(() => makeSide(self.name, { registerGradients: async () => {}, wasm: wasmHost }));

self.onmessage = async ({ data }: MessageEvent<Request>) => self.postMessage(await handle(data));
