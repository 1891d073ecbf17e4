import { inputError } from '../../src/base/result.ts';
import { decoded } from '../../src/interchange/remote/model-address.ts';
import type { DataHost } from './data-host.ts';

/** What is at an address: its answer, whose body has not been read, and the name of the file there. Fails as InputError. */
export async function answerOf(host: Pick<DataHost, 'fetch'>, url: string) {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !/^https?:$/.test(address.protocol))
    throw inputError('bad-address', `"${url.slice(0, 200)}" is no web address; give one that begins with https://.`);
  let response: Response;
  try {
    response = await host.fetch(address.href);
  } catch {
    throw inputError(
      'unreachable-address',
      `${address.href} could not be reached, or its server does not allow other pages to read it. Download the file and drop it here instead.`,
    );
  }
  const { body } = response;
  if (!response.ok || !body)
    throw inputError('bad-answer', `${address.href} answered ${response.status}; check the address.`);
  return { address, response, body, name: decoded(address.pathname.split('/').pop() || address.hostname) };
}
