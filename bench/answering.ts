import { answer, type Request } from './run-side.ts';
import { NotHere, type Side } from './side.ts';

/** Answers of one side, made at the first request; failures are answers, too, so that they cross to the harness. */
export function answering(make: () => Promise<Side>): (request: Request) => Promise<object> {
  let side: Side | null = null;
  return async (request) => {
    try {
      side ??= await make();
      return await answer(side, request);
    } catch (error) {
      return error instanceof NotHere ? { notHere: error.message } : { error: String((error as Error).stack ?? error) };
    }
  };
}
