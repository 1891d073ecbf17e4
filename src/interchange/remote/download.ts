import type { Budget } from '../../base/budget.ts';
import { fail, InputError, ok, type Result } from '../../base/result.ts';
import { chunks } from '../../base/streams.ts';
import type { Arrived } from './arrived.ts';

/** What a transfer needs of its host. */
export interface Transfer {
  /** Rejects where the server cannot be reached, and once the transfer is cancelled. */
  fetch(url: string, headers: Record<string, string>): Promise<Response>;
  cancelled(): boolean;
  /** Waits so many milliseconds. */
  wait(ms: number): Promise<void>;
}

/** Attempts in a row after which no byte more has arrived. */
const ATTEMPTS = 5;
const FIRST_WAIT = 250;

const CANCELLED = fail('cancelled', 'The transfer was cancelled.');

/** One attempt: its end, or why it broke off, so that another may do better. */
type Attempt = { end: Result<Uint8Array<ArrayBuffer> | null> } | { broken: string };

/**
 * The file at an address, or null where the server has none. A transfer that breaks off is taken up again by a request for
 * the bytes behind those that `arrived` holds, at once or at the next call. It begins anew where the server sends no
 * ranges, or where the entity tag, the date or the size shows that the file has changed. If-Range was rejected: other
 * hosts are asked for leave before a page may send that header, and few give it; a range alone needs no leave.
 *
 * Fails with `cancelled`, `unreachable-address`, `denied`, `bad-answer`, `not-a-file` and `broken-transfer`, and with
 * `over-limit` before anything is read where the file is larger than the budget allows.
 */
export async function download(
  url: string,
  arrived: Arrived,
  budget: Budget,
  transfer: Transfer,
  onProgress: (arrived: Arrived) => void,
): Promise<Result<Uint8Array<ArrayBuffer> | null>> {
  let furthest = arrived.length;
  for (let vain = 0; ; vain++) {
    if (arrived.whole) return ok(arrived.bytes());
    if (transfer.cancelled()) return CANCELLED;
    const attempt = await attempted(url, arrived, budget, transfer, onProgress);
    if (transfer.cancelled()) return CANCELLED;
    if ('end' in attempt) return attempt.end;
    if (arrived.length > furthest) vain = 0;
    furthest = Math.max(furthest, arrived.length);
    if (vain >= ATTEMPTS - 1) return brokenOff(url, arrived, attempt.broken);
    await transfer.wait(FIRST_WAIT * 2 ** vain);
  }
}

async function attempted(
  url: string,
  arrived: Arrived,
  budget: Budget,
  transfer: Transfer,
  onProgress: (arrived: Arrived) => void,
): Promise<Attempt> {
  const from = arrived.validator === null ? 0 : arrived.length;
  let response: Response;
  try {
    response = await transfer.fetch(url, from > 0 ? { Range: `bytes=${from}-` } : {});
  } catch {
    return arrived.length > 0 ? { broken: 'its server is out of reach' } : { end: unreachable(url) };
  }
  const { status, headers, body } = response;
  const end = answerFailure(url, response);
  if (end !== null || body === null) {
    await body?.cancel();
    if (status === 416) arrived.begin(null, null);
    return end ?? { broken: 'its server sends nothing' };
  }
  const validator = validatorOf(headers);
  const length = headers.has('content-encoding') ? null : lengthOf(headers);
  const goesOn = status === 206 && follows(arrived, headers, validator, length);
  if (status === 206 && !goesOn) {
    await body.cancel();
    arrived.begin(null, null);
    return { broken: 'the file has changed' };
  }
  if (!goesOn) arrived.begin(length, validator);
  try {
    budget.hold('whole', arrived.total ?? 0);
  } catch (error) {
    await body.cancel();
    throw error;
  }
  try {
    for await (const chunk of chunks(body)) {
      if (transfer.cancelled()) return { broken: '' };
      budget.hold('whole', arrived.length + chunk.length);
      arrived.add(chunk);
      onProgress(arrived);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    return { broken: 'the connection breaks off' };
  }
  if (goesOn && arrived.total !== null && arrived.length < arrived.total)
    return { broken: 'the connection breaks off' };
  arrived.whole = true;
  return { end: ok(arrived.bytes()) };
}

/** Whether a partial answer goes on where the last one ended, in the same state of the file. */
function follows(arrived: Arrived, headers: Headers, validator: string | null, length: number | null): boolean {
  if (validator !== arrived.validator) return false;
  // Of another host a page sees Content-Range only where that host lets it.
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
  if (range && Number(range[1]) !== arrived.length) return false;
  const total = range && range[2] !== '*' ? Number(range[2]) : length === null ? null : arrived.length + length;
  return arrived.total === null || total === null || arrived.total === total;
}

/** A weak entity tag names more than one sequence of bytes, so the date is as good. */
function validatorOf(headers: Headers): string | null {
  const tag = headers.get('etag');
  return tag?.startsWith('"') ? tag : headers.get('last-modified');
}

function lengthOf(headers: Headers): number | null {
  const length = Number(headers.get('content-length') ?? NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : null;
}

/** What an answer without the file means; null where the file is in it. */
function answerFailure(url: string, { status, headers }: Response): Attempt | null {
  if (status === 404 || status === 410) return { end: ok(null) };
  if (status === 401 || status === 403)
    return {
      end: fail(
        'denied',
        `Reading ${url} is not allowed (the server answered ${status}). Either there is no such model, or it is private or wants its terms accepted: download it while signed in, and drop the folder here.`,
      ),
    };
  if (status === 416 || status === 408 || status === 429 || status >= 500)
    return { broken: `its server answers ${status}` };
  if (status !== 200 && status !== 206)
    return { end: fail('bad-answer', `The server answered ${status} for ${url}; check the address.`) };
  if (/^text\/html\b/.test(headers.get('content-type') ?? ''))
    return { end: fail('not-a-file', `There is a web page and no file at ${url}; check the address.`) };
  return null;
}

const unreachable = (url: string) =>
  fail(
    'unreachable-address',
    `The server of ${url} could not be reached, or does not allow other pages to read it. Download the model and drop its folder here instead.`,
  );

function brokenOff(url: string, { length, total }: Arrived, why: string) {
  const much = total === null ? `${length} bytes` : `${length} of ${total} bytes`;
  return fail(
    'broken-transfer',
    `The transfer of ${url} broke off after ${much}: ${ATTEMPTS} attempts in a row brought nothing more (${why}). Fetch it again later; it goes on with what has arrived.`,
  );
}
