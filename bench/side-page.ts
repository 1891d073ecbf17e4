import { makeSide } from './peers/make-side.ts';
import { answer, type Request } from './run-side.ts';
import { NotHere, type Side } from './side.ts';

/** A page for one side: side-page.html?NAME. The harness calls `answer` in it, one request at a time. */
const name = decodeURIComponent(location.search.slice(1));
let side: Side | null = null;

async function handle(request: Request): Promise<object> {
  try {
    side ??= await makeSide(name, {
      wasmPaths: '/node_modules/@tensorflow/tfjs-backend-wasm/dist/',
      registerGradients: () => import('@tensorflow/tfjs-core/dist/register_all_gradients.js'),
    });
    return await answer(side, request);
  } catch (error) {
    return error instanceof NotHere ? { notHere: error.message } : { error: String((error as Error).stack ?? error) };
  }
}

Object.assign(globalThis, { answer: handle });
