import { fail, ok } from '../../src/base/result.ts';
import { decoded } from '../../src/interchange/remote/model-address.ts';
import type { DataHost } from './data-host.ts';

/** What is at an address: its answer, whose body has not been read, and the name of the file there. */
export async function answerOf(host: Pick<DataHost, 'fetch'>, url: string) {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !/^https?:$/.test(address.protocol))
    return fail('bad-address', `"${url.slice(0, 200)}" is no web address; give one that begins with https://.`);
  let response: Response;
  try {
    response = await host.fetch(address.href);
  } catch {
    return fail(
      'unreachable-address',
      `${address.href} could not be reached, or its server does not allow other pages to read it. Download the file and drop it here instead.`,
    );
  }
  const { body } = response;
  return response.ok && body
    ? ok({ address, response, body, name: fileNameOf(address) })
    : fail('bad-answer', `${address.href} answered ${response.status}; check the address.`);
}

/** The last part of an address, as a file is called. */
function fileNameOf({ pathname, hostname }: URL): string {
  return decoded(pathname.split('/').pop() || hostname);
}
